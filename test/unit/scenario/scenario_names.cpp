// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every register that a datasheet names is found by that name, at the address which the datasheet
// gives: transcribed from the datasheets' tables. Counters are compared in rows.cpp.
#include "boost_test.hpp"

#include <cstdint>
#include <macstats/place.h>
#include <string>
#include <string_view>
#include <vector>

#include "libmacstats/core/names.hpp"

BOOST_AUTO_TEST_SUITE(unit_scenario_names)

using namespace macstats;

namespace {

struct Named {
    std::string_view name;
    std::uint32_t address;
};

void check_names(const char* model_name, const std::vector<Named>& names) {
    const macstats_model& model = *find_model(model_name);
    for (const Named& named : names)
        BOOST_TEST_CONTEXT(model_name << " " << named.name) {
            const auto place = find_place(model, named.name);
            BOOST_TEST(place->address == named.address);
        }
}

} // namespace

// Intel 683745, 3.4.1.6 and 3.4.1.7; 813652, 7.5, which has both names of the configuration and the
// status; 278757; 79RC32438 User Reference Manual, chapter 11, and its kernels' headers; TI
// SPRUH73H, 14.3.2.20.
BOOST_AUTO_TEST_CASE(registers_have_the_names_of_their_datasheets) {
    check_names(
        "ll40g",
        {{"CNTR_TX_64B", 0x816},    {"CNTR_TX_64B_LO", 0x816},     {"CNTR_TX_64B_HI", 0x817},
         {"RxOctetsOK_LO", 0x960},  {"RxOctetsOK_HI", 0x961},      {"TXSTAT_REVID", 0x840},
         {"TXSTAT_SCRATCH", 0x841}, {"TXSTAT_NAME_0", 0x842},      {"TXSTAT_NAME_1", 0x843},
         {"TXSTAT_NAME_2", 0x844},  {"CNTR_TX_CONFIG", 0x845},     {"CNTR_TX_STATUS", 0x846},
         {"RXSTAT_REVID", 0x940},   {"RXSTAT_SCRATCH", 0x941},     {"RXSTAT_NAME_0", 0x942},
         {"RXSTAT_NAME_1", 0x943},  {"RXSTAT_NAME_2", 0x944},      {"CNTR_RX_CONFIG", 0x945},
         {"CNTR_RX_STATUS", 0x946}, {"MAX_TX_SIZE_CONFIG", 0x407}, {"MAX_RX_SIZE_CONFIG", 0x506}});
    check_names(
        "ll40g_agilex5", {{"TX CNTR_CONFIG", 0x845},
                          {"CNTR_TX_CONFIG", 0x845},
                          {"TX CNTR_STATUS", 0x846},
                          {"CNTR_TX_STATUS", 0x846},
                          {"RX CNTR_CONFIG", 0x945},
                          {"CNTR_RX_CONFIG", 0x945},
                          {"RX CNTR_STATUS", 0x946},
                          {"CNTR_RX_STATUS", 0x946},
                          {"MAX_TX_SIZE_CONFIG", 0x407},
                          {"MAX_RX_SIZE_CONFIG", 0x506}});
    check_names("ixf1104", {{"RX Packet Filter Control", 0x19}});
    check_names(
        "rc32438",
        {{"ETHINTFC", 0x000}, {"ETHFIFOTT", 0x04}, {"ETHARC", 0x008},   {"ETHHASH0", 0x00c},
         {"ETHHASH1", 0x010}, {"ETHPFS", 0x024},   {"ETHMCP", 0x028},   {"ETHSAL0", 0x100},
         {"ETHSAH0", 0x104},  {"ETHSAL1", 0x108},  {"ETHSAH1", 0x10c},  {"ETHSAL2", 0x110},
         {"ETHSAH2", 0x114},  {"ETHSAL3", 0x118},  {"ETHSAH3", 0x11c},  {"ETHGPF", 0x134},
         {"ETHMAC1", 0x200},  {"ETHMAC2", 0x204},  {"ETHIPGT", 0x208},  {"ETHIPGR", 0x20c},
         {"ETHCLRT", 0x210},  {"ETHMAXF", 0x214},  {"ETHMTEST", 0x21c}, {"MIIMCFG", 0x220},
         {"MIIMCMD", 0x224},  {"MIIMADDR", 0x228}, {"MIIMWTD", 0x22c},  {"MIIMRDD", 0x230},
         {"MIIMIND", 0x234},  {"ETHCFSA0", 0x240}, {"ETHCFSA1", 0x244}, {"ETHCFSA2", 0x248}});
    check_names(
        "cpsw", {{"ID_VER", 0x4a100000},
                 {"STAT_PORT_EN", 0x4a10000c},
                 {"C0_MISC_EN", 0x4a10121c},
                 {"C0_MISC_STAT", 0x4a10124c},
                 {"RX_MAXLEN", 0x4a100d90}});
}

// No name leads to what another one names, be it by its words alone.
BOOST_AUTO_TEST_CASE(every_name_of_every_model_leads_to_its_own_row) {
    for (const macstats_model* model : all_models())
        BOOST_TEST_CONTEXT(model->name) {
            for (unsigned int i = 0; i < model->n_counters; i++) {
                BOOST_TEST(find_counter(*model, model->counters[i].name)->value() == i);
                BOOST_TEST(find_counter(*model, model->counters[i].reg)->value() == i);
            }
            for (unsigned int i = 0; i < macstats_register_counters(model); i++)
                if (!macstats__is_windowed(model, &model->counters[i]))
                    BOOST_TEST(
                        find_place(*model, model->counters[i].reg)->counter == &model->counters[i]);
            for (unsigned int i = 0; i < model->n_registers; i++) {
                const auto place = find_place(*model, model->registers[i].name);
                BOOST_TEST(place->address == model->registers[i].offset);
                BOOST_TEST(place->counter == nullptr);
            }
        }
}

BOOST_AUTO_TEST_CASE(the_words_of_a_name_suffice_if_they_are_those_of_one_row) {
    const macstats_model& cpsw = *find_model("cpsw");
    BOOST_TEST(find_place(cpsw, "tx frames, good")->address == 0x34U);
    BOOST_TEST(find_place(cpsw, "stat-port-en")->address == 0x4a10000cU);
    BOOST_TEST(!find_place(cpsw, "Tx Frames").has_value());
    BOOST_TEST(!find_place(cpsw, "").has_value());
    BOOST_TEST(!find_place(cpsw, "+").has_value());
    // CC=1 and CC>1 have the same words.
    BOOST_TEST(!find_counter(*find_model("rc32438"), "CC 1").has_value());
}

BOOST_AUTO_TEST_CASE(long_and_unprintable_words_are_shown_in_part) {
    const auto error =
        find_counter(*find_model("cpsw"), "\n" + std::string(1000, 'x')).error().message;
    BOOST_TEST(error.starts_with("cpsw has no counter \"\\x0axxx"));
    BOOST_TEST(error.size() < 200U);
}

BOOST_AUTO_TEST_SUITE_END()
