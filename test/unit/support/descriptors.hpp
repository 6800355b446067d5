// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A copy of the descriptors of a model.
#ifndef MACSTATS_TEST_DESCRIPTORS_HPP
#define MACSTATS_TEST_DESCRIPTORS_HPP

#include <vector>

#include <macstats/feature/descriptors.h>

namespace macstats::test {

// It can be changed, and stays where it is. Its tables have room for one more row.
struct DescriptorCopy : macstats_descriptor {
    explicit DescriptorCopy(const macstats_model& model)
        : macstats_descriptor(*macstats_descriptor_of(&model)),
          tx(tx_status, tx_status + n_tx_status),
          rx(rx_status, rx_status + n_rx_status) {
        tx.reserve(tx.size() + 1);
        rx.reserve(rx.size() + 1);
        tx_status = tx.data();
        rx_status = rx.data();
    }
    DescriptorCopy(const DescriptorCopy&) = delete;
    DescriptorCopy& operator=(const DescriptorCopy&) = delete;

    std::vector<macstats_status> tx;
    std::vector<macstats_status> rx;
};

} // namespace macstats::test

#endif
