// SPDX-License-Identifier: GPL-2.0 OR MIT
// The backend on the kernel modules, through netlink.
#include <algorithm>
#include <chrono>
#include <new>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"
#include "libmacstats/scenario/backend.hpp"
#include "netlink/kernel_view.hpp"
#include "scenario/host_port.hpp"

namespace macstats {

namespace {

// A template that differs from the names that users choose.
constexpr const char* port_names = "scenario%d";

// Devices that are removed together. The kernel waits tens of milliseconds for the readers
// of a removed device; removing many at once takes hardly longer.
constexpr std::size_t batch = 64;

// Shared by the device sets of a backend.
struct Kernel {
    Client client;
    KernelView view;
};

// A socket and the devices that it owns. When it is closed for any reason, the kernel
// removes all of them, in the background.
struct Owner {
    Emulator emulator;
    std::vector<DeviceId> devices;
};

class KernelDevices final : public DeviceSet {
public:
    KernelDevices(Kernel& kernel, std::shared_ptr<Owner> owner)
        : kernel_(kernel),
          owner_(std::move(owner)) {}

    Result<void> plug_in(const ScenarioDevice& config) {
        auto info = owner_->emulator.add({
            .model = config.model->name,
            .name_template = port_names,
            .options = config.options,
            .random_power_up = config.random_power_up,
            .seed = config.seed,
            .private_only = false,
            .held = true,
            .owned = true,
            .line_rate_bound = config.line_rate_bound,
        });
        if (!info)
            return in_context(config.name, info.error());
        owner_->devices.push_back(info->id);
        devices_.push_back({config.model, std::move(*info)});
        MACSTATS_CHECK(in_context(config.name, check_model(devices_.back())));
        for (const auto& port : devices_.back().info.ports)
            for (const RegisterSetting& setting : config.registers)
                MACSTATS_CHECK(in_context(
                    fmt::format("{}: {}", config.name, setting.name),
                    owner_->emulator.write(
                        port.value(), *config.model, setting.place, setting.value)));
        return {};
    }

    Result<void>
    send(ScenarioPort port, const macstats_frame& frame, std::uint64_t count) override {
        return owner_->emulator.inject(ifindex(port), request_of(frame), count);
    }

    Result<std::uint64_t> read(ScenarioPort port, const Place& place) override {
        return owner_->emulator.read(ifindex(port), model(port), place);
    }

    Result<void> write(ScenarioPort port, const Place& place, std::uint64_t value) override {
        return owner_->emulator.write(ifindex(port), model(port), place, value);
    }

    Result<void> preset(ScenarioPort port, CounterIndex counter, std::uint64_t value) override {
        return owner_->emulator.preset(ifindex(port), counter, value);
    }

    Result<void> fault(ScenarioPort port, const FaultRequest& request) override {
        return owner_->emulator.fault(ifindex(port), request);
    }

    Result<void> poll(ScenarioPort port) override { return owner_->emulator.poll(ifindex(port)); }

    Result<void> advance(std::uint64_t nanoseconds) override {
        for (const Plugged& device : devices_)
            for (const auto& port : device.info.ports)
                MACSTATS_CHECK(owner_->emulator.advance(port.value(), nanoseconds));
        return {};
    }

    Result<Observation> observe(ScenarioPort port, bool with_standard) override {
        return observe_served_port(
            kernel_.client, with_standard ? &kernel_.view : nullptr, ifindex(port),
            Freshness::cached);
    }

private:
    struct Plugged {
        const macstats_model* model;
        DeviceInfo info;
    };

    // The kernel's model has the counters of this library's.
    Result<void> check_model(const Plugged& device) {
        MACSTATS_TRY(const auto port, kernel_.client.port(device.info.ports.at(0).value()));
        return check_kernel_model(kernel_.client, port.model_id, *device.model);
    }

    [[nodiscard]] const macstats_model& model(ScenarioPort port) const {
        return *devices_.at(port.device).model;
    }

    // Each port is in this namespace, which added it.
    [[nodiscard]] IfIndex ifindex(ScenarioPort port) const {
        return devices_.at(port.device).info.ports.at(port.index.value()).value();
    }

    Kernel& kernel_;
    std::shared_ptr<Owner> owner_;
    std::vector<Plugged> devices_;
};

// Waits up to a limit until the kernel has removed all devices in @gone. It removes them
// without a waiting process, too.
void wait_until_gone(Emulator& emulator, std::span<const DeviceId> gone) {
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

    // The devices are removed before the destructor returns, unless there is no memory to ask
    // for them.
    ~KernelBackend() override {
        if (!owner_)
            return;
        const std::vector<DeviceId> devices = std::move(owner_->devices);
        owner_.reset();
        try {
            wait_until_gone(emulator_, devices);
        } catch (const std::bad_alloc&) {}
    }

    [[nodiscard]] std::string_view name() const override { return "kernel"; }

    Result<std::unique_ptr<DeviceSet>> set_up(const std::vector<ScenarioDevice>& devices) override {
        if (!owner_ || owner_->devices.size() >= batch) {
            MACSTATS_TRY(auto emulator, Emulator::open());
            owner_ = std::make_shared<Owner>(Owner{std::move(emulator), {}});
        }
        auto set = std::make_unique<KernelDevices>(kernel_, owner_);
        for (const ScenarioDevice& device : devices)
            MACSTATS_CHECK(set->plug_in(device));
        return std::unique_ptr<DeviceSet>(std::move(set));
    }

private:
    Kernel kernel_;
    Emulator emulator_;            // owns nothing
    std::shared_ptr<Owner> owner_; // of the devices of this batch
};

// Checks the permission to add devices with a harmless request: the kernel checks it
// before it looks for a device, which does not exist.
Result<void> check_permission(Emulator& emulator) {
    constexpr DeviceId no_device(UINT32_MAX);
    auto removed = emulator.remove(no_device);
    if (!removed && removed.error().errnum == EPERM)
        return removed;
    return {};
}

Result<std::unique_ptr<Backend>> kernel_backend() {
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_CHECK(in_context("kernel backend", check_permission(emulator)));
    MACSTATS_TRY(auto view, KernelView::open());
    return std::unique_ptr<Backend>(std::make_unique<KernelBackend>(
        Kernel{std::move(client), std::move(view)}, std::move(emulator)));
}

} // namespace

Result<std::unique_ptr<Backend>> open_backend(std::string_view name) {
    static constexpr Name known[] = {{"builtin", 0}, {"kernel", 1}};
    MACSTATS_TRY(const auto is_kernel, value_of(known, "backend", name));
    return is_kernel ? kernel_backend() : builtin_backend();
}

} // namespace macstats
