// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "present/live_page.hpp"

#include <nlohmann/json.hpp>

#include "core/json_text.hpp"
#include "libmacstats/core/names.hpp"
#include "present/live_files.hpp"
#include "present/model.hpp"

namespace macstats {

namespace {

constexpr LiveFile files[] = {
    {.path = "/", .type = "text/html; charset=utf-8", .text = live_html},
    {.path = "/live.js", .type = "text/javascript; charset=utf-8", .text = live_js},
    {.path = "/live.css", .type = "text/css; charset=utf-8", .text = live_css},
    {.path = "/live.svg", .type = "image/svg+xml", .text = live_svg},
};

} // namespace

std::span<const LiveFile> live_files() {
    return files;
}

std::string_view live_policy() {
    return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src "
           "'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
           "require-trusted-types-for 'script'; trusted-types 'none'";
}

std::optional<std::string> model_json_text(std::string_view name) {
    const macstats_model* model = find_model(name);
    if (!model)
        return std::nullopt;
    return json_text(model_json(*model)) + "\n";
}

} // namespace macstats
