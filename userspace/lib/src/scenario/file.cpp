// SPDX-License-Identifier: GPL-2.0 OR MIT
// A regular file is written under another name, and renamed once all of it is on the disk.
#include "scenario/file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "netlink/file_descriptor.hpp"

namespace macstats {

namespace {

// 0 or an errno.
int write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(fd, text.data(), text.size());
        if (written < 0 && errno != EINTR)
            return errno;
        if (written > 0)
            text.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

int errno_of(int result) {
    return result == 0 ? 0 : errno;
}

Result<std::string> contents_of(std::FILE* stream, const std::string& name, std::size_t most) {
    // Each part is as long as all before it, since resize() also fills what is never read.
    constexpr std::size_t first = std::size_t{1} << 14;
    // One octet more reveals a longer text.
    most = std::min(most, SIZE_MAX - 1);
    std::string text;
    std::size_t got = 0;
    do {
        const std::size_t size = text.size();
        const std::size_t wanted = std::min(std::max(first, size), most - size + 1);
        text.resize(size + wanted);
        got = std::fread(text.data() + size, 1, wanted, stream);
        text.resize(size + got);
    } while (got && text.size() <= most);
    if (std::ferror(stream))
        return file_error(name, errno);
    if (text.size() > most)
        return failure(EFBIG, "{}: is longer than {} octets", name, most);
    return text;
}

// A device, a pipe or a terminal: there are no contents to replace.
Result<void> write_to(const std::filesystem::path& path, std::string_view text) {
    FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY));
    if (file.get() < 0)
        return file_error(path, errno);
    int errnum = write_all(file.get(), text);
    errnum = errnum ? errnum : errno_of(::close(file.release()));
    if (errnum)
        return file_error(path, errnum);
    return {};
}

} // namespace

Error file_error(const std::filesystem::path& path, int errnum) {
    return {errnum, fmt::format("{}: {}", path.string(), errno_text(errnum))};
}

Result<std::string> read_file(const std::filesystem::path& path, std::size_t most) {
    if (path == "-")
        return contents_of(stdin, "standard input", most);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(
        std::fopen(path.c_str(), "re"), std::fclose);
    if (!stream)
        return file_error(path, errno);
    return contents_of(stream.get(), path.string(), most);
}

Result<void> replace_file(const std::filesystem::path& name, std::string_view text, mode_t mode) {
    struct stat status = {};
    const int missing = errno_of(::stat(name.c_str(), &status));
    if (missing && missing != ENOENT)
        return file_error(name, missing);
    if (!missing && !S_ISREG(status.st_mode))
        return write_to(name, text);
    // A link stays, and the file that it leads to is replaced, or made.
    std::error_code error;
    if (const auto target = std::filesystem::read_symlink(name, error); missing && !error)
        return replace_file(name.parent_path() / target, text, mode);
    const auto path = missing ? name : std::filesystem::canonical(name, error);
    if (!missing && error)
        return file_error(name, error.value());
    std::string temporary = path.string() + ".XXXXXX";
    FileDescriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (file.get() < 0)
        return file_error(name, errno);
    int errnum = write_all(file.get(), text);
    errnum = errnum ? errnum : errno_of(::fchmod(file.get(), mode));
    errnum = errnum ? errnum : errno_of(::fsync(file.get()));
    errnum = errnum ? errnum : errno_of(::close(file.release()));
    errnum = errnum ? errnum : errno_of(::rename(temporary.c_str(), path.c_str()));
    if (!errnum)
        return {};
    (void)::unlink(temporary.c_str());
    return file_error(name, errnum);
}

} // namespace macstats
