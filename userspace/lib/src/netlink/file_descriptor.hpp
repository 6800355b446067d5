// SPDX-License-Identifier: GPL-2.0 OR MIT
#pragma once

#include <utility>

#include <unistd.h>

namespace macstats {

/// Owns a file descriptor; negative: none.
class FileDescriptor {
public:
    explicit FileDescriptor(int fd) : fd_(fd) {}
    FileDescriptor(FileDescriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&&) = delete;
    ~FileDescriptor() {
        if (fd_ >= 0)
            (void)close(fd_);
    }
    [[nodiscard]] int get() const { return fd_; }
    /// The caller closes it.
    [[nodiscard]] int release() { return std::exchange(fd_, -1); }

private:
    int fd_;
};

} // namespace macstats
