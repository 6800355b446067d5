// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// Every counter and register that a datasheet names is found by that name, at the
// address which the datasheet gives: transcribed from the datasheets' tables.
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
            BOOST_REQUIRE(place.has_value());
            BOOST_TEST(place->address == named.address);
        }
}

// 64-bit counters: NAME, NAME_LO and NAME_HI, at the same offsets of both pages.
void check_pairs(
    const char* model_name, const std::vector<Named>& transmit, std::string_view prefix_tx,
    std::string_view prefix_rx) {
    std::vector<Named> names;
    std::vector<std::string> texts;
    texts.reserve(transmit.size() * 6);
    const auto add = [&](const std::string& text, std::uint32_t address) {
        texts.push_back(text);
        names.push_back({texts.back(), address});
    };
    for (const Named& named : transmit)
        for (const std::string_view prefix : {prefix_tx, prefix_rx}) {
            const std::string name = std::string(prefix) + std::string(named.name);
            const std::uint32_t page = prefix == prefix_tx ? 0x800 : 0x900;
            add(name, page + named.address);
            add(name + "_LO", page + named.address);
            add(name + "_HI", page + named.address + 1);
        }
    check_names(model_name, names);
}

} // namespace

// Intel 683745, 3.4.1.6 and 3.4.1.7.
BOOST_AUTO_TEST_CASE(ll40g_has_the_names_of_its_user_guide) {
    check_pairs(
        "ll40g",
        {{"FRAGMENTS", 0x00},
         {"JABBERS", 0x02},
         {"FCS", 0x04},
         {"CRCERR", 0x06},
         {"MCAST_DATA_ERR", 0x08},
         {"BCAST_DATA_ERR", 0x0a},
         {"UCAST_DATA_ERR", 0x0c},
         {"MCAST_CTRL_ERR", 0x0e},
         {"BCAST_CTRL_ERR", 0x10},
         {"UCAST_CTRL_ERR", 0x12},
         {"PAUSE_ERR", 0x14},
         {"64B", 0x16},
         {"65to127B", 0x18},
         {"128to255B", 0x1a},
         {"256to511B", 0x1c},
         {"512to1023B", 0x1e},
         {"1024to1518B", 0x20},
         {"1519toMAXB", 0x22},
         {"OVERSIZE", 0x24},
         {"MCAST_DATA_OK", 0x26},
         {"BCAST_DATA_OK", 0x28},
         {"UCAST_DATA_OK", 0x2a},
         {"MCAST_CTRL", 0x2c},
         {"BCAST_CTRL", 0x2e},
         {"UCAST_CTRL", 0x30},
         {"PAUSE", 0x32},
         {"RUNT", 0x34},
         {"ST", 0x36}},
        "CNTR_TX_", "CNTR_RX_");
    check_pairs("ll40g", {{"OctetsOK", 0x60}}, "Tx", "Rx");
    check_names(
        "ll40g", {{"TXSTAT_REVID", 0x840},
                  {"TXSTAT_SCRATCH", 0x841},
                  {"TXSTAT_NAME_0", 0x842},
                  {"TXSTAT_NAME_1", 0x843},
                  {"TXSTAT_NAME_2", 0x844},
                  {"CNTR_TX_CONFIG", 0x845},
                  {"CNTR_TX_STATUS", 0x846},
                  {"RXSTAT_REVID", 0x940},
                  {"RXSTAT_SCRATCH", 0x941},
                  {"RXSTAT_NAME_0", 0x942},
                  {"RXSTAT_NAME_1", 0x943},
                  {"RXSTAT_NAME_2", 0x944},
                  {"CNTR_RX_CONFIG", 0x945},
                  {"CNTR_RX_STATUS", 0x946},
                  {"MAX_TX_SIZE_CONFIG", 0x407},
                  {"MAX_RX_SIZE_CONFIG", 0x506}});
}

// Intel 813652, 7.5: one table for both directions; the other core's names of the
// configuration and the status are the same words.
BOOST_AUTO_TEST_CASE(ll40g_agilex5_has_the_names_of_its_common_table) {
    check_pairs(
        "ll40g_agilex5",
        {{"FRAGMENTS", 0x00},        {"JABBERS", 0x02},        {"FCSERR", 0x04},
         {"CRCERR_OKPKT", 0x06},     {"MCAST_DATA_ERR", 0x08}, {"BCAST_DATA_ERR", 0x0a},
         {"UCAST_DATA_ERR", 0x0c},   {"MCAST_CTRL_ERR", 0x0e}, {"BCAST_CTRL_ERR", 0x10},
         {"UCAST_CTRL_ERR", 0x12},   {"PAUSE_ERR", 0x14},      {"64B", 0x16},
         {"65to127B", 0x18},         {"128to255B", 0x1a},      {"256to511B", 0x1c},
         {"512to1023B", 0x1e},       {"1024to1518B", 0x20},    {"1519toMAXB", 0x22},
         {"OVERSIZE", 0x24},         {"MCAST_DATA_OK", 0x26},  {"BCAST_DATA_OK", 0x28},
         {"UCAST_DATA_OK", 0x2a},    {"MCAST_CTRL_OK", 0x2c},  {"BCAST_CTRL_OK", 0x2e},
         {"UCAST_CTRL_OK", 0x30},    {"PAUSE", 0x32},          {"RNT", 0x34},
         {"Payload OctetsOK", 0x60}, {"Frame OctetsOK", 0x62}},
        "TX ", "RX ");
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
}

// Intel 278757, tables 93 and 94.
BOOST_AUTO_TEST_CASE(ixf1104_has_the_names_of_its_datasheet) {
    check_names(
        "ixf1104", {{"RxOctetsTotalOK", 0x20},
                    {"RxOctetsBAD", 0x21},
                    {"RxUCPkts", 0x22},
                    {"RxMCPkts", 0x23},
                    {"RxBCPkts", 0x24},
                    {"RxPkts64Octets", 0x25},
                    {"RxPkts65to127Octets", 0x26},
                    {"RxPkts128to255Octets", 0x27},
                    {"RxPkts256to511Octets", 0x28},
                    {"RxPkts512to1023Octets", 0x29},
                    {"RxPkts1024to1518Octets", 0x2a},
                    {"RxPkts1519toMaxOctets", 0x2b},
                    {"RxFCSErrors", 0x2c},
                    {"RxTagged", 0x2d},
                    {"RxDataError", 0x2e},
                    {"RxAlignErrors", 0x2f},
                    {"RxLongErrors", 0x30},
                    {"RxJabberErrors", 0x31},
                    {"RxPauseMacControlReceivedCounter", 0x32},
                    {"RxUnknownMacControlFrameCounter", 0x33},
                    {"RxVeryLongErrors", 0x34},
                    {"RxRuntErrors", 0x35},
                    {"RxShortErrors", 0x36},
                    {"RxCarrierExtendError", 0x37},
                    {"RxSequenceErrors", 0x38},
                    {"RxSymbolErrors", 0x39},
                    {"OctetsTransmittedOK", 0x40},
                    {"OctetsTransmittedBad", 0x41},
                    {"TxUCPkts", 0x42},
                    {"TxMCPkts", 0x43},
                    {"TxBCPkts", 0x44},
                    {"TxPkts64Octets", 0x45},
                    {"TxPkts65to127Octets", 0x46},
                    {"TxPkts128to255Octets", 0x47},
                    {"TxPkts256to511Octets", 0x48},
                    {"TxPkts512to1023Octets", 0x49},
                    {"TxPkts1024to1518Octets", 0x4a},
                    {"TxPkts1519toMaxOctets", 0x4b},
                    {"TxDeferred", 0x4c},
                    {"TxTotalCollisions", 0x4d},
                    {"TxSingleCollisions", 0x4e},
                    {"TxMultipleCollisions", 0x4f},
                    {"TxLateCollisions", 0x50},
                    {"TxExcessiveCollisionErrors", 0x51},
                    {"TxExcessiveDeferralErrors", 0x52},
                    {"TxExcessiveLengthDrop", 0x53},
                    {"TxUnderrun", 0x54},
                    {"TxTagged", 0x55},
                    {"TxCRCError", 0x56},
                    {"TxPauseFrames", 0x57},
                    {"TxFlowControlCollisionsSend", 0x58},
                    {"RX Packet Filter Control", 0x19}});
}

// 79RC32438 User Reference Manual, chapter 11, and its kernels' headers.
BOOST_AUTO_TEST_CASE(rc32438_has_the_names_of_its_manual) {
    check_names(
        "rc32438",
        {{"RBC", 0x120},      {"RPC", 0x124},      {"RUPC", 0x128},     {"RFC", 0x12c},
         {"TBC", 0x130},      {"ETHINTFC", 0x000}, {"ETHFIFOTT", 0x04}, {"ETHARC", 0x008},
         {"ETHHASH0", 0x00c}, {"ETHHASH1", 0x010}, {"ETHPFS", 0x024},   {"ETHMCP", 0x028},
         {"ETHSAL0", 0x100},  {"ETHSAH0", 0x104},  {"ETHSAL1", 0x108},  {"ETHSAH1", 0x10c},
         {"ETHSAL2", 0x110},  {"ETHSAH2", 0x114},  {"ETHSAL3", 0x118},  {"ETHSAH3", 0x11c},
         {"ETHGPF", 0x134},   {"ETHMAC1", 0x200},  {"ETHMAC2", 0x204},  {"ETHIPGT", 0x208},
         {"ETHIPGR", 0x20c},  {"ETHCLRT", 0x210},  {"ETHMAXF", 0x214},  {"ETHMTEST", 0x21c},
         {"MIIMCFG", 0x220},  {"MIIMCMD", 0x224},  {"MIIMADDR", 0x228}, {"MIIMWTD", 0x22c},
         {"MIIMRDD", 0x230},  {"MIIMIND", 0x234},  {"ETHCFSA0", 0x240}, {"ETHCFSA1", 0x244},
         {"ETHCFSA2", 0x248}});
}

// TI SPRUH73H, 14.3.2.20 (CPSW_STATS) and the registers that go with them.
BOOST_AUTO_TEST_CASE(cpsw_has_the_names_of_its_manual) {
    check_names(
        "cpsw", {{"Good Rx Frames", 0x00},
                 {"Broadcast Rx Frames", 0x04},
                 {"Multicast Rx Frames", 0x08},
                 {"Pause Rx Frames", 0x0c},
                 {"Rx CRC Errors", 0x10},
                 {"Rx Align/Code Errors", 0x14},
                 {"Oversize Rx Frames", 0x18},
                 {"Rx Jabbers", 0x1c},
                 {"Undersize (Short) Rx Frames", 0x20},
                 {"Rx Fragments", 0x24},
                 {"Rx Octets", 0x30},
                 {"Good Tx Frames", 0x34},
                 {"Broadcast Tx Frames", 0x38},
                 {"Multicast Tx Frames", 0x3c},
                 {"Pause Tx Frames", 0x40},
                 {"Deferred Tx Frames", 0x44},
                 {"Collisions", 0x48},
                 {"Single Collision Tx Frames", 0x4c},
                 {"Multiple Collision Tx Frames", 0x50},
                 {"Excessive Collisions", 0x54},
                 {"Late Collisions", 0x58},
                 {"Tx Underrun", 0x5c},
                 {"Carrier Sense Errors", 0x60},
                 {"Tx Octets", 0x64},
                 {"Rx + Tx 64 Octet Frames", 0x68},
                 {"Rx + Tx 65-127 Octet Frames", 0x6c},
                 {"Rx + Tx 128-255 Octet Frames", 0x70},
                 {"Rx + Tx 256-511 Octet Frames", 0x74},
                 {"Rx + Tx 512-1023 Octet Frames", 0x78},
                 {"Rx + Tx 1024-Up Octet Frames", 0x7c},
                 {"Net Octets", 0x80},
                 {"Rx Start of Frame Overruns", 0x84},
                 {"Rx Middle of Frame Overruns", 0x88},
                 {"Rx DMA Overruns", 0x8c},
                 {"ID_VER", 0x4a100000},
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
