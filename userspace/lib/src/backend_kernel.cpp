// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend that drives the kernel modules over netlink.
#include <map>
#include <set>
#include <span>

#include <fmt/format.h>

#include "kernel_view.hpp"
#include "libmacstats/backend.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/emulator.hpp"

namespace macstats {

namespace {

// Names of the ports, apart from those that people give theirs.
constexpr const char* port_names = "scenario%d";

// What the benches of a backend share. Devices go with the emulator's socket,
// whatever becomes of this process.
struct Kernel {
    Emulator emulator;
    Client client;
    KernelView view;
    // Which standard statistics the counters of a model feed, as the kernel says.
    std::map<std::string, std::set<std::string>, std::less<>> fed;

    /// Is the kernel's model the one of this library? Asked once for each.
    Result<void> check(const macstats_model& model);
};

std::set<std::string> fed_by(std::span<const CounterInfo> counters) {
    std::set<std::string> statistics;
    for (const CounterInfo& counter : counters)
        statistics.insert(counter.standard.begin(), counter.standard.end());
    return statistics;
}

Result<void> Kernel::check(const macstats_model& model) {
    if (fed.contains(model.name))
        return {};
    const auto counters = client.counters(model.name);
    if (!counters)
        return counters.error();
    const std::span rows(model.counters, model.n_counters);
    const bool same = std::equal(
        rows.begin(), rows.end(), counters->begin(), counters->end(),
        [](const macstats_counter& row, const CounterInfo& counter) {
            return row.name == counter.name;
        });
    if (!same)
        return Error{
            EBADMSG, fmt::format("the kernel's {} has other counters than this one", model.name)};
    fed.emplace(model.name, fed_by(*counters));
    return {};
}

class KernelBench final : public Bench {
public:
    explicit KernelBench(Kernel& kernel) : kernel_(kernel) {}

    // What cannot be removed now goes with the socket.
    ~KernelBench() override {
        for (const Plugged& device : devices_)
            (void)kernel_.emulator.remove(device.info.id);
    }

    Result<void> plug_in(const ScenarioDevice& config) {
        auto known = kernel_.check(*config.model);
        if (!known)
            return in_context(config.name, known.error());
        auto info = kernel_.emulator.add({
            .model = config.model->name,
            .name_template = port_names,
            .options = config.options,
            .random_power_up = config.random_power_up,
            .seed = config.seed,
            .private_only = false,
            .held = true,
            .owned = true,
        });
        if (!info)
            return in_context(config.name, info.error());
        devices_.push_back({config.model, std::move(*info)});
        for (const std::uint32_t port : devices_.back().info.ports)
            for (const RegisterSetting& setting : config.registers)
                if (auto written =
                        kernel_.emulator.write(port, *config.model, setting.place, setting.value);
                    !written)
                    return in_context(
                        fmt::format("{}: {}", config.name, setting.name), written.error());
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        const FrameRequest request{
            .direction = frame.direction,
            .length = frame.length,
            .destination = frame.destination,
            .kind = frame.kind,
            .origin = frame.origin,
            .vlan_tags = frame.vlan_tags,
            .errors = frame.errors,
            .collisions = frame.collisions,
            .deferred = frame.deferred,
        };
        return kernel_.emulator.inject(ifindex(port), request, count);
    }

    Result<std::uint64_t> read(ScenarioPort port, const Place& place) override {
        return kernel_.emulator.read(ifindex(port), model(port), place);
    }

    Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) override {
        return kernel_.emulator.write(ifindex(port), model(port), place, value);
    }

    Result<void> preset(ScenarioPort port, unsigned int counter, std::uint64_t value) override {
        return kernel_.emulator.preset(ifindex(port), counter, value);
    }

    Result<void> fault(ScenarioPort port, std::uint32_t fault, bool active) override {
        return kernel_.emulator.fault(ifindex(port), fault, active);
    }

    Result<void> poll(ScenarioPort port) override { return kernel_.emulator.poll(ifindex(port)); }

    Result<void> advance(std::uint64_t nanoseconds) override {
        for (const Plugged& device : devices_)
            for (const std::uint32_t port : device.info.ports)
                if (auto advanced = kernel_.emulator.advance(port, nanoseconds); !advanced)
                    return advanced;
        return {};
    }

    Result<Observation> observe(ScenarioPort port, bool with_standard) override {
        auto statistics = kernel_.client.statistics(ifindex(port), Freshness::cached);
        if (!statistics)
            return statistics.error();
        Observation seen{
            .stale = statistics->stale,
            .possible_loss = statistics->possible_loss,
            .discontinuities = statistics->discontinuities,
            .totals = std::move(statistics->values),
            .standard = nlohmann::ordered_json::object(),
        };
        if (with_standard) {
            static const std::set<std::string> nothing;
            auto standard = kernel_.view.standard(
                ifindex(port), seen.totals.empty() ? nothing : kernel_.fed.at(model(port).name));
            if (!standard)
                return standard.error();
            seen.standard = std::move(*standard);
        }
        return seen;
    }

private:
    struct Plugged {
        const macstats_model* model;
        DeviceInfo info;
    };

    [[nodiscard]] const macstats_model& model(ScenarioPort port) const {
        return *devices_.at(port.device).model;
    }

    [[nodiscard]] std::uint32_t ifindex(ScenarioPort port) const {
        return devices_.at(port.device).info.ports.at(port.port);
    }

    Kernel& kernel_;
    std::vector<Plugged> devices_;
};

class KernelBackend final : public Backend {
public:
    explicit KernelBackend(Kernel kernel) : kernel_(std::move(kernel)) {}

    [[nodiscard]] std::string_view name() const override { return "kernel"; }

    Result<std::unique_ptr<Bench>> set_up(const std::vector<ScenarioDevice>& devices) override {
        auto bench = std::make_unique<KernelBench>(kernel_);
        for (const ScenarioDevice& device : devices)
            if (auto plugged = bench->plug_in(device); !plugged)
                return plugged.error();
        return std::unique_ptr<Bench>(std::move(bench));
    }

private:
    Kernel kernel_;
};

// Whether devices may be added here, from a request that cannot do harm: there
// is no such device, but who may not remove one is told that first.
Result<void> check_permission(Emulator& emulator) {
    constexpr std::uint32_t no_device = UINT32_MAX;
    auto removed = emulator.remove(no_device);
    if (!removed && removed.error().errnum == EPERM)
        return removed;
    return {};
}

} // namespace

Result<std::unique_ptr<Backend>> kernel_backend() {
    auto emulator = Emulator::open();
    if (!emulator)
        return emulator.error();
    auto client = Client::open();
    if (!client)
        return client.error();
    if (auto permitted = check_permission(*emulator); !permitted)
        return in_context("--backend kernel", permitted.error());
    auto view = KernelView::open();
    if (!view)
        return view.error();
    return std::unique_ptr<Backend>(std::make_unique<KernelBackend>(
        Kernel{std::move(*emulator), std::move(*client), std::move(*view), {}}));
}

} // namespace macstats
