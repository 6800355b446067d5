// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A kernel that is a file, in place of the library's transport: $MACSTATS_FAKE_KERNEL names it.
// It is read for each request, and answers those of the family "macstats":
//
//     {"ports": [{"ifindex": 7, "name": "mac0", "model": "cpsw", "time_ns": 5, "generation": 1,
//                 "totals": {"rx_good_frames": 3}, ...}]}
//
// Counters that "totals" does not have are 0. A port may have "stale_reason", "possible_loss",
// "discontinuities" and "saturated": {"rx_good_frames": times}. Without the file, the kernel has no
// such family. With "rejects_reads" beside "ports", requests that would read the hardware fail.
// There are no notifications.
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <linux/genetlink.h>
#include <macstats/interval.h>
#include <macstats/netlink.h>
#include <nlohmann/json.hpp>
#include <sys/eventfd.h>

#include "counters.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/netlink/transport.hpp"
#include "netlink_fake.hpp"

namespace macstats {

namespace {

using namespace test;
using nlohmann::json;

std::optional<json> read_kernel() {
    const char* path = std::getenv("MACSTATS_FAKE_KERNEL");
    std::ifstream file(path ? path : "");
    if (!file)
        return std::nullopt;
    return json::parse(file);
}

Datagram all(const std::vector<Datagram>& parts) {
    return octets::joined<Datagram>(parts);
}

// The members that both replies have.
std::vector<Datagram> flags_of(const json& port, int stale, int possible_loss) {
    std::vector<Datagram> attributes;
    if (port.contains("stale_reason"))
        attributes.push_back(flag(stale));
    if (port.value("possible_loss", false))
        attributes.push_back(flag(possible_loss));
    return attributes;
}

// Its place among all models, from 1 on.
std::uint32_t model_id(std::string_view name) {
    std::uint32_t id = 1;
    for (const macstats_model* model : all_models()) {
        if (name == model->name)
            return id;
        id++;
    }
    throw std::runtime_error("no such model: " + std::string(name));
}

Datagram port_of(const json& port) {
    auto attributes = flags_of(port, MACSTATS_A_PORT_STALE, MACSTATS_A_PORT_POSSIBLE_LOSS);
    const std::string name = port.at("name");
    const std::string model = port.at("model");
    attributes.insert(
        attributes.end(),
        {u32(MACSTATS_A_PORT_IFINDEX, port.at("ifindex")), text(MACSTATS_A_PORT_NAME, name),
         text(MACSTATS_A_PORT_MODEL, model), u32(MACSTATS_A_PORT_MODEL_ID, model_id(model)),
         u32(MACSTATS_A_PORT_INDEX, 0),
         u32(MACSTATS_A_PORT_DISCONTINUITIES, port.value("discontinuities", 0U)),
         u32(MACSTATS_A_PORT_PARITY_ERRORS, 0), u32(MACSTATS_A_PORT_POLL_USECS, 1'000'000),
         u32(MACSTATS_A_PORT_POLL_CEILING_USECS, 2'000'000),
         u64(MACSTATS_A_PORT_POLL_TIME, port.at("time_ns"))});
    if (port.contains("stale_reason"))
        attributes.push_back(
            text(MACSTATS_A_PORT_STALE_REASON, port.at("stale_reason").get<std::string>()));
    return all(attributes);
}

std::span<const macstats_counter> counters_of(const std::string& model) {
    const macstats_model* known = find_model(model);
    if (!known)
        throw std::runtime_error("no such model: " + model);
    return {known->counters, known->n_counters};
}

Datagram statistics_of(const json& port) {
    auto attributes = flags_of(port, MACSTATS_A_STATS_STALE, MACSTATS_A_STATS_POSSIBLE_LOSS);
    const std::string model = port.at("model");
    Datagram values;
    std::vector<std::uint64_t> totals;
    std::vector<Saturation> saturated;
    std::uint32_t index = 0;
    for (const macstats_counter& counter : counters_of(model)) {
        totals.push_back(port.at("totals").value(counter.name, std::uint64_t{0}));
        append(values, totals.back());
        if (const auto times =
                port.value("saturated", json::object()).value(counter.name, std::uint64_t{0})) {
            saturated.push_back({.counter = CounterIndex(index), .times = times, .time_ns = 1});
            attributes.push_back(attribute_of(
                MACSTATS_A_STATS_SATURATED,
                all(
                    {u32(MACSTATS_A_SATURATED_COUNTER, index),
                     u64(MACSTATS_A_SATURATED_TIMES, times), u64(MACSTATS_A_SATURATED_TIME, 1)})));
        }
        index++;
    }
    Datagram ids;
    Datagram sums;
    for (const StandardValue& total : standard_of_totals(*find_model(model), totals, saturated)) {
        append(ids, total.id);
        append(sums, total.value);
        if (total.bound != Bound::exact)
            attributes.push_back(attribute_of(
                MACSTATS_A_STATS_INEXACT,
                all(
                    {u32(MACSTATS_A_INEXACT_STANDARD, total.id),
                     u32(MACSTATS_A_INEXACT_BOUND, static_cast<std::uint32_t>(total.bound)),
                     u64(MACSTATS_A_INEXACT_TIMES, total.times)})));
    }
    attributes.insert(
        attributes.end(),
        {u32(MACSTATS_A_STATS_IFINDEX, port.at("ifindex")), text(MACSTATS_A_STATS_MODEL, model),
         u32(MACSTATS_A_STATS_MODEL_ID, model_id(model)),
         u64(MACSTATS_A_STATS_GENERATION, port.at("generation")),
         u64(MACSTATS_A_STATS_TIME, port.at("time_ns")),
         u32(MACSTATS_A_STATS_DISCONTINUITIES, port.value("discontinuities", 0U)),
         attribute_of(MACSTATS_A_STATS_VALUES, values),
         attribute_of(MACSTATS_A_STATS_STANDARD, ids),
         attribute_of(MACSTATS_A_STATS_STANDARD_VALUES, sums)});
    return all(attributes);
}

Datagram counter_of(const macstats_counter& counter, const CounterInfo& info, std::uint32_t index) {
    std::vector<Datagram> more;
    for (const std::string& name : info.standard)
        more.push_back(text(MACSTATS_A_COUNTER_STANDARD, name));
    if (info.bucket_low)
        more.push_back(u32(MACSTATS_A_COUNTER_BUCKET_LOW, *info.bucket_low));
    if (info.bucket_high)
        more.push_back(u32(MACSTATS_A_COUNTER_BUCKET_HIGH, *info.bucket_high));
    if (counter.index_of) {
        more.push_back(u32(MACSTATS_A_COUNTER_INDEX_OF, counter.index_of));
        more.push_back(u32(MACSTATS_A_COUNTER_INDEX, counter.index));
    }
    return all(
        {all(more), u32(MACSTATS_A_COUNTER_ID, index), text(MACSTATS_A_COUNTER_NAME, counter.name),
         text(MACSTATS_A_COUNTER_REGISTER, counter.reg),
         text(MACSTATS_A_COUNTER_DESCRIPTION, counter.help),
         u32(MACSTATS_A_COUNTER_UNIT, counter.unit), u32(MACSTATS_A_COUNTER_OFFSET, counter.offset),
         u32(MACSTATS_A_COUNTER_BITS, counter.bits), u32(MACSTATS_A_COUNTER_ONREAD, counter.onread),
         u32(MACSTATS_A_COUNTER_ONWRITE, counter.onwrite),
         u32(MACSTATS_A_COUNTER_OVERFLOW, counter.overflow),
         u32(MACSTATS_A_COUNTER_DIRECTION, macstats_counter_direction(&counter))});
}

bool is_dump(const Request& request) {
    return (request.header.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

std::vector<Datagram> replies_to(const json& kernel, const Request& request) {
    std::vector<Datagram> replies;
    const int command = request.generic.cmd;
    const int flags = is_dump(request) ? NLM_F_MULTI : 0;
    const auto add = [&replies, command, flags](const Datagram& attributes) {
        replies.push_back(reply(command, attributes, flags));
    };
    if (command == MACSTATS_CMD_COUNTER_GET) {
        const auto id = value_in<std::uint32_t>(request.find(MACSTATS_A_COUNTER_MODEL_ID));
        const macstats_model& model = *all_models()[id - 1];
        const auto infos = macstats::test::counters_of(model);
        std::uint32_t index = 0;
        for (const macstats_counter& counter : std::span(model.counters, model.n_counters)) {
            add(counter_of(counter, infos[index], index));
            index++;
        }
    }
    static_assert(int{MACSTATS_A_PORT_IFINDEX} == int{MACSTATS_A_STATS_IFINDEX});
    for (const json& port : kernel.at("ports")) {
        if (!is_dump(request) &&
            value_in<std::uint32_t>(request.find(MACSTATS_A_PORT_IFINDEX)) != port.at("ifindex"))
            continue;
        if (command == MACSTATS_CMD_PORT_GET)
            add(port_of(port));
        if (command == MACSTATS_CMD_STATS_GET)
            add(statistics_of(port));
    }
    return replies;
}

// Of queries, and of the controller for the family and its group.
Datagram answer_to(const Datagram& datagram) {
    const auto kernel = read_kernel();
    const Request request = request_in(datagram);
    if (!kernel)
        return rejected(ENOENT);
    if (request.header.nlmsg_type == GENL_ID_CTRL)
        return all(
            {message(
                 GENL_ID_CTRL, 0,
                 octets::command(
                     CTRL_CMD_NEWFAMILY, std::uint8_t{2},
                     all(
                         {number<std::uint16_t>(CTRL_ATTR_FAMILY_ID, family),
                          u32(CTRL_ATTR_VERSION, MACSTATS_GENL_VERSION),
                          attribute_of(
                              CTRL_ATTR_MCAST_GROUPS,
                              attribute_of(
                                  1, all(
                                         {text(CTRL_ATTR_MCAST_GRP_NAME, MACSTATS_GENL_EVENTS),
                                          u32(CTRL_ATTR_MCAST_GRP_ID, 1)})))}))),
             acknowledged()});
    if (kernel->value("rejects_reads", false) && request.generic.cmd == MACSTATS_CMD_STATS_GET &&
        !request.find(MACSTATS_A_STATS_CACHED))
        return done(0, EPERM);
    auto replies = replies_to(*kernel, request);
    if (!is_dump(request) && replies.empty())
        return rejected(ENODEV);
    replies.push_back(is_dump(request) ? done() : acknowledged());
    return all(replies);
}

class FileTransport final : public Transport {
public:
    Result<void> send(std::span<const std::byte> datagram) override {
        script_->answers.push_back(answer_to(Datagram(datagram.begin(), datagram.end())));
        return kernel_.send(datagram);
    }

    Result<Datagram> receive() override { return kernel_.receive(); }

private:
    std::shared_ptr<Script> script_ = std::make_shared<Script>();
    FakeKernel kernel_{script_};
};

class SilentListener final : public Listener {
public:
    Result<Datagram> receive(std::optional<std::chrono::milliseconds> timeout) override {
        std::this_thread::sleep_for(timeout.value());
        return Error{ETIMEDOUT, "a file has no events"};
    }

    Result<void> join(std::uint32_t /*group*/) override { return {}; }

    [[nodiscard]] int fd() const override { return fd_; }

private:
    const int fd_ = eventfd(0, EFD_CLOEXEC);
};

} // namespace

Result<std::unique_ptr<Transport>> open_transport(std::chrono::milliseconds /*timeout*/) {
    return std::unique_ptr<Transport>(std::make_unique<FileTransport>());
}

Result<std::unique_ptr<Listener>> open_listener(std::uint32_t /*group*/) {
    return std::unique_ptr<Listener>(std::make_unique<SilentListener>());
}

} // namespace macstats
