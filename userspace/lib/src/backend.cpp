// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backends by name.
#include "libmacstats/backend.hpp"

namespace macstats {

Result<std::unique_ptr<Backend>> open_backend(std::string_view name) {
    enum Kind {
        builtin,
        kernel
    };
    static constexpr Name kinds[] = {{"builtin", builtin}, {"kernel", kernel}};

    const auto kind = value_of(kinds, "backend", name);
    if (!kind)
        return kind.error();
    if (*kind == kernel)
        return kernel_backend();
    return builtin_backend();
}

} // namespace macstats
