// SPDX-License-Identifier: GPL-2.0 OR MIT
// Files are written under another name, and renamed when all of them is on the disk.
#include "libmacstats/file.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "libmacstats/netlink.hpp"

namespace macstats {

namespace {

Error system_error(const std::filesystem::path& path, int errnum) {
    return {errnum, fmt::format("{}: {}", path.string(), errno_text(errnum))};
}

class File {
public:
    explicit File(int fd) : fd_(fd) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (fd_ >= 0)
            (void)::close(fd_);
    }

    [[nodiscard]] bool is_open() const { return fd_ >= 0; }

    // 0 or an errno.
    int write_all(std::string_view text) const {
        while (!text.empty()) {
            const ssize_t written = ::write(fd_, text.data(), text.size());
            if (written < 0 && errno != EINTR)
                return errno;
            if (written > 0)
                text.remove_prefix(static_cast<std::size_t>(written));
        }
        return 0;
    }

    [[nodiscard]] int set_mode(mode_t mode) const { return ::fchmod(fd_, mode) == 0 ? 0 : errno; }
    [[nodiscard]] int sync() const { return ::fsync(fd_) == 0 ? 0 : errno; }

    int close() {
        const int fd = std::exchange(fd_, -1);
        return ::close(fd) == 0 ? 0 : errno;
    }

private:
    int fd_;
};

} // namespace

Result<void> replace_file(const std::filesystem::path& path, std::string_view text, mode_t mode) {
    std::string temporary = path.string() + ".XXXXXX";
    File file(::mkostemp(temporary.data(), O_CLOEXEC));
    if (!file.is_open())
        return system_error(temporary, errno);
    int errnum = file.write_all(text);
    errnum = errnum ? errnum : file.set_mode(mode);
    errnum = errnum ? errnum : file.sync();
    const int close_errnum = file.close();
    errnum = errnum ? errnum : close_errnum;
    if (!errnum && ::rename(temporary.c_str(), path.c_str()) != 0)
        errnum = errno;
    if (!errnum)
        return {};
    (void)::unlink(temporary.c_str());
    return system_error(path, errnum);
}

} // namespace macstats
