// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Headers that nearly every unit test includes: none of what is tested, so that a change of one
// compiles only its users again.
#include "boost_test.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
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

#include <nlohmann/json.hpp>
