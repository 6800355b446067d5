// SPDX-License-Identifier: GPL-2.0 OR MIT
#include "libmacstats/core/result.hpp"

#include <system_error>

namespace macstats {

std::string errno_text(int errnum) {
    return std::generic_category().message(errnum);
}

} // namespace macstats
