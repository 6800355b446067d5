// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The slow reference of every MAC behind one interface, by the name of its model.
#ifndef MACSTATS_TEST_REFERENCE_HPP
#define MACSTATS_TEST_REFERENCE_HPP

#include <memory>
#include <string>
#include <string_view>

#include "interface.hpp"

namespace macstats::reference {

bool has_reference(std::string_view model);

// Message for a model without a reference: the files to add.
std::string missing_reference(std::string_view model);

// The reference of one port of this model.
std::unique_ptr<Reference> make_reference(std::string_view model, const Options& options = {});

} // namespace macstats::reference

#endif // MACSTATS_TEST_REFERENCE_HPP
