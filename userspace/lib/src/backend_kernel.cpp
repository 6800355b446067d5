// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend that drives the kernel modules over netlink.
#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "kernel_view.hpp"
#include "libmacstats/backend.hpp"
#include "libmacstats/client.hpp"
#include "libmacstats/emulator.hpp"

namespace macstats {

namespace {

// Names of the ports, apart from those that people give theirs.
constexpr const char* port_names = "scenario%d";

// Devices that are let go together. To unplug one takes as long as the kernel
// waits for its readers, tens of milliseconds; many at once take hardly longer.
constexpr std::size_t batch = 64;

// What the benches of a backend share.
struct Kernel {
    Client client;
    KernelView view;
    // Which standard statistics the counters of a model feed, as the kernel says.
    std::map<std::string, std::set<std::string>, std::less<>> fed;

    /// Is the kernel's model the one of this library? Asked once for each.
    Result<void> check(const macstats_model& model);
};

// A socket and the devices that go with it, however it is closed: the kernel
// deletes them all together, in the background.
struct Owner {
    Emulator emulator;
    std::vector<std::uint32_t> devices;
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
    KernelBench(Kernel& kernel, std::shared_ptr<Owner> owner)
        : kernel_(kernel),
          owner_(std::move(owner)) {}

    Result<void> plug_in(const ScenarioDevice& config) {
        auto known = kernel_.check(*config.model);
        if (!known)
            return in_context(config.name, known.error());
        auto info = owner_->emulator.add({
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
        owner_->devices.push_back(info->id);
        devices_.push_back({config.model, std::move(*info)});
        for (const std::uint32_t port : devices_.back().info.ports)
            for (const RegisterSetting& setting : config.registers)
                if (auto written =
                        owner_->emulator.write(port, *config.model, setting.place, setting.value);
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
        return owner_->emulator.inject(ifindex(port), request, count);
    }

    Result<std::uint64_t> read(ScenarioPort port, const Place& place) override {
        return owner_->emulator.read(ifindex(port), model(port), place);
    }

    Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) override {
        return owner_->emulator.write(ifindex(port), model(port), place, value);
    }

    Result<void> preset(ScenarioPort port, unsigned int counter, std::uint64_t value) override {
        return owner_->emulator.preset(ifindex(port), counter, value);
    }

    Result<void> fault(ScenarioPort port, std::uint32_t fault, bool active) override {
        return owner_->emulator.fault(ifindex(port), fault, active);
    }

    Result<void> poll(ScenarioPort port) override { return owner_->emulator.poll(ifindex(port)); }

    Result<void> advance(std::uint64_t nanoseconds) override {
        for (const Plugged& device : devices_)
            for (const std::uint32_t port : device.info.ports)
                if (auto advanced = owner_->emulator.advance(port, nanoseconds); !advanced)
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
    std::shared_ptr<Owner> owner_;
    std::vector<Plugged> devices_;
};

// Waits until the kernel has none of the devices in @gone any more, for a bounded
// time: they go in any case.
void wait_until_gone(Emulator& emulator, std::span<const std::uint32_t> gone) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
        const auto left = emulator.devices();
        if (!left || std::none_of(left->begin(), left->end(), [gone](const DeviceInfo& device) {
                return std::find(gone.begin(), gone.end(), device.id) != gone.end();
            }))
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

class KernelBackend final : public Backend {
public:
    KernelBackend(Kernel kernel, Emulator emulator)
        : kernel_(std::move(kernel)),
          emulator_(std::move(emulator)) {}

    // When the backend goes its devices are gone.
    ~KernelBackend() override {
        if (!owner_)
            return;
        const std::vector<std::uint32_t> devices = owner_->devices;
        owner_.reset();
        wait_until_gone(emulator_, devices);
    }

    [[nodiscard]] std::string_view name() const override { return "kernel"; }

    Result<std::unique_ptr<Bench>> set_up(const std::vector<ScenarioDevice>& devices) override {
        if (!owner_ || owner_->devices.size() >= batch) {
            auto emulator = Emulator::open();
            if (!emulator)
                return emulator.error();
            owner_ = std::make_shared<Owner>(Owner{std::move(*emulator), {}});
        }
        auto bench = std::make_unique<KernelBench>(kernel_, owner_);
        for (const ScenarioDevice& device : devices)
            if (auto plugged = bench->plug_in(device); !plugged)
                return plugged.error();
        return std::unique_ptr<Bench>(std::move(bench));
    }

private:
    Kernel kernel_;
    Emulator emulator_;            // owns nothing
    std::shared_ptr<Owner> owner_; // of the devices of this batch
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
        return in_context("kernel backend", permitted.error());
    auto view = KernelView::open();
    if (!view)
        return view.error();
    return std::unique_ptr<Backend>(std::make_unique<KernelBackend>(
        Kernel{std::move(*client), std::move(*view), {}}, std::move(*emulator)));
}

} // namespace macstats
