// SPDX-License-Identifier: GPL-2.0 OR MIT
// Opens backends by their names.
#include "libmacstats/scenario/backend.hpp"

#include "libmacstats/core/try.hpp"

namespace macstats {

Result<std::unique_ptr<Backend>> open_backend(std::string_view name) {
    enum Kind {
        builtin,
        kernel
    };
    static constexpr Name kinds[] = {{"builtin", builtin}, {"kernel", kernel}};

    MACSTATS_TRY(const auto kind, value_of(kinds, "backend", name));
    if (kind == kernel)
        return kernel_backend();
    return builtin_backend();
}

} // namespace macstats
