// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "tag_store.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include "core/error.hpp"
#include "libmacstats/core/try.hpp"
#include "scenario/file.hpp"

namespace macstats::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view suffix = ".json";

// A thousand ports of 256 counters take 10 MB.
constexpr std::size_t longest_file = std::size_t{1} << 30;

} // namespace

Result<std::string> boot_id() {
    constexpr std::size_t longest = 64;
    auto text = read_file("/proc/sys/kernel/random/boot_id", longest);
    if (text && text->ends_with('\n'))
        text->pop_back();
    if (text && text->empty())
        return Error{EIO, "/proc/sys/kernel/random/boot_id: is empty"};
    return text;
}

Result<fs::path> tag_folder() {
    const auto folder = [](const char* variable) -> fs::path {
        const char* value = std::getenv(variable);
        return value && *value == '/' ? value : "";
    };
    if (const fs::path state = folder("XDG_STATE_HOME"); !state.empty())
        return state / "macstats" / "tags";
    if (::geteuid() == 0)
        return fs::path("/var/lib/macstats/tags");
    if (const fs::path home = folder("HOME"); !home.empty())
        return home / ".local" / "state" / "macstats" / "tags";
    return Error{ENOENT, "no folder for tags: set XDG_STATE_HOME or HOME to an absolute path"};
}

Result<fs::path> TagStore::file_of(const std::string& name) const {
    constexpr std::size_t longest = 64;
    constexpr std::string_view allowed =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (name.empty() || name.size() > longest || name.front() == '.' || name.front() == '-' ||
        name.find_first_not_of(allowed) != std::string::npos)
        return invalid(
            "\"{}\" cannot be the name of a tag: 1 to {} letters, digits and ._-, not beginning "
            "with . or -",
            name, longest);
    return folder_ / (name + std::string(suffix));
}

Result<void> TagStore::save(const Tag& tag) const {
    MACSTATS_TRY(const auto file, file_of(tag.name));
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        return file_error(folder_, error.value());

    return replace_file(file, tag_text(tag), 0600);
}

Result<Tag> TagStore::load(const std::string& name) const {
    MACSTATS_TRY(const auto file, file_of(name));
    const auto text = read_file(file, longest_file);
    if (!text && text.error().errnum == ENOENT) {
        const auto known = names();
        return failure(
            ENOENT, "there is no tag \"{}\"; {}", name,
            known && !known->empty() ? fmt::format("the tags are {}", fmt::join(*known, ", "))
                                     : fmt::format("`macstats tag add {}` would save it", name));
    }
    if (!text && text.error().errnum == EFBIG)
        return Error{EBADMSG, text.error().message};
    if (!text)
        return text.error();

    return in_context(file.string(), parse_tag(name, *text));
}

Result<void> TagStore::remove(const std::string& name) const {
    MACSTATS_TRY(const auto file, file_of(name));
    std::error_code error;
    if (fs::remove(file, error))
        return {};
    if (error)
        return file_error(file, error.value());
    return failure(ENOENT, "there is no tag \"{}\"", name);
}

Result<std::vector<std::string>> TagStore::names() const {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error))
        if (entry->path().extension() == suffix && file_of(entry->path().stem().string()))
            names.push_back(entry->path().stem().string());
    if (error && error != std::errc::no_such_file_or_directory)
        return file_error(folder_, error.value());
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace macstats::cli
