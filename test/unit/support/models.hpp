// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// The library's models. A test with the header of one would be compiled again when that changes.
#ifndef MACSTATS_TEST_MODELS_HPP
#define MACSTATS_TEST_MODELS_HPP

#include <libmacstats/core/names.hpp>

namespace macstats::test {

inline const macstats_model& altera_tse_model = *find_model("altera_tse");
inline const macstats_model& alx_model = *find_model("alx");
inline const macstats_model& am65_cpsw_model = *find_model("am65_cpsw");
inline const macstats_model& cpsw_model = *find_model("cpsw");
inline const macstats_model& dwmac4_mmc_model = *find_model("dwmac4_mmc");
inline const macstats_model& dwmac_mmc_model = *find_model("dwmac_mmc");
inline const macstats_model& dwxgmac_mmc_model = *find_model("dwxgmac_mmc");
inline const macstats_model& e1000_model = *find_model("e1000");
inline const macstats_model& e1000e_model = *find_model("e1000e");
inline const macstats_model& gem_model = *find_model("gem");
inline const macstats_model& ixf1104_model = *find_model("ixf1104");
inline const macstats_model& k1_emac_model = *find_model("k1_emac");
inline const macstats_model& ll40g_agilex5_model = *find_model("ll40g_agilex5");
inline const macstats_model& ll40g_model = *find_model("ll40g");
inline const macstats_model& netc_model = *find_model("netc");
inline const macstats_model& rc32438_model = *find_model("rc32438");
inline const macstats_model& rtl_tally_model = *find_model("rtl_tally");

} // namespace macstats::test

#endif // MACSTATS_TEST_MODELS_HPP
