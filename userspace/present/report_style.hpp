// SPDX-License-Identifier: GPL-2.0 OR MIT
// The style sheet of report_page.cpp, in light and dark, for screens of 360 pixels and more.
#pragma once

#include <string_view>

namespace macstats {

/// The base64 of the style sheet's SHA-256, by which the page's policy allows it, and nothing
/// else. unit.cli_report fails, and prints the new one, if they differ.
inline constexpr std::string_view report_style_hash =
    "sha256-8IBhAdMq3A2nK3D/V0FO8OPdOUOLp8uyT4DcKfmfiNI=";

inline constexpr std::string_view report_style = R"(
:root { color-scheme: light dark; --back: #fff; --text: #1b1f24; --soft: #57606a; --line: #d0d7de;
  --panel: #f6f8fa; --good: #116329; --bad: #b3261e; --maybe: #7a4d00; --goodback: #dafbe1;
  --badback: #ffe5e2; --maybeback: #fff3c9; --fill: #1a7f37; }
@media (prefers-color-scheme: dark) { :root { --back: #0d1117; --text: #e6edf3; --soft: #9da7b1;
  --line: #3d444d; --panel: #161b22; --good: #56d364; --bad: #ff8f87; --maybe: #e3b341;
  --goodback: #0f2a18; --badback: #3a1512; --maybeback: #332701; --fill: #3fb950; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: var(--back);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.05rem; margin: 0; } h4 { margin: 1rem 0 .3rem; color: var(--soft); }
summary { cursor: pointer; } summary h3 { display: inline; }
code { font: .85rem/1.5 ui-monospace, monospace; }
.verdict { border-radius: .3rem; padding: .05rem .45rem; white-space: nowrap; font-weight: 600; }
.verdict.passed { color: var(--good); background: var(--goodback); }
.verdict.failed { color: var(--bad); background: var(--badback); }
.verdict.skipped { color: var(--maybe); background: var(--maybeback); }
article, .model { border: 1px solid var(--line); border-radius: .4rem; padding: .7rem .9rem;
  margin: .8rem 0; background: var(--panel); }
article { border-left: .3rem solid var(--bad); }
dl { display: grid; grid-template-columns: minmax(5rem, max-content) 1fr; gap: 0 .9rem;
  margin: .5rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
article dl + dl { border-top: 1px solid var(--line); padding-top: .5rem; }
.shares { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; }
.share { flex: 1 1 11rem; } .share svg { display: block; width: 100%; height: .4rem; }
.track { fill: var(--line); } .fill { fill: var(--fill); }
.map, .scenarios, .time { list-style: none; padding: 0; }
.map { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .2rem;
  font: .85rem/1.6 ui-monospace, monospace; margin: 0; }
.map li { padding: 0 .4rem; border-radius: .2rem; }
.map .full { color: var(--good); background: var(--goodback); }
.map .part { color: var(--maybe); background: var(--maybeback); }
.map .none { color: var(--bad); background: var(--badback); }
#scenarios > label { margin-right: 1rem; }
.scenario { border-top: 1px solid var(--line); padding: .25rem 0; }
.took, .when { color: var(--soft); font-size: .85rem; white-space: nowrap; }
.time { margin: .5rem 0 .5rem .5rem; border-left: 2px solid var(--line); }
.time li { position: relative; display: grid; grid-template-columns: 5.5rem 1fr 5rem;
  gap: .7rem; padding: .1rem 0 .1rem 1rem; }
.time li::before { content: ""; position: absolute; left: -6px; top: .55rem; width: 10px;
  height: 10px; border-radius: 50%; background: var(--fill); }
.time .failed::before { background: var(--bad); }
.time .failed { background: var(--badback); }
.time .failed .took { color: var(--bad); font-weight: 600; }
.time .left::before { background: var(--back); border: 2px solid var(--soft); }
.time .left code { color: var(--soft); }
.time .took { text-align: right; }
#only-failed:checked ~ .scenarios .scenario:not(.failed),
#only-skipped:checked ~ .scenarios .scenario:not(.skipped),
#only-passed:checked ~ .scenarios .scenario:not(.passed) { display: none; }
@media (max-width: 40rem) { .time li { grid-template-columns: 1fr auto; }
  .time code { grid-row: 2; grid-column: 1 / 3; } dl { grid-template-columns: 1fr; }
  dd { padding-left: 1rem; } }
)";

} // namespace macstats
