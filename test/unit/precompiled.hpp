// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Headers of others that nearly every unit test includes: none of the project's, so that
// a change of one compiles only its users again.
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
