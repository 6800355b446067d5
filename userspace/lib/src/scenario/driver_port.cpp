// SPDX-License-Identifier: GPL-2.0 OR MIT
// A net device on the bench: what its driver reports, and the emulated port behind it.
#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <macstats/fault.h>
#include <macstats/roles.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "core/error.hpp"
#include "libmacstats/core/frame.hpp"
#include "libmacstats/core/names.hpp"
#include "libmacstats/core/try.hpp"
#include "libmacstats/netlink/client.hpp"
#include "libmacstats/netlink/emulator.hpp"
#include "libmacstats/scenario/driver.hpp"
#include "netlink/kernel_view.hpp"
#include "netlink/link.hpp"
#include "scenario/host_port.hpp"
#include "scenario/lookup.hpp"

namespace macstats {

namespace {

// Whether a reader may find another one in the middle of a read.
bool readers_meet() {
    utsname kernel{};
    const bool preempts =
        uname(&kernel) == 0 &&
        std::string_view(&kernel.version[0]).find("PREEMPT") != std::string_view::npos;
    return preempts || get_nprocs() > 1;
}

class Readers final : public BenchReaders {
public:
    static Result<std::unique_ptr<BenchReaders>> of(IfIndex ifindex) {
        auto readers = std::make_unique<Readers>();
        for (One& one : readers->readers_) {
            MACSTATS_TRY(one.view, KernelView::open());
            one.thread = std::thread([&one, ifindex, &ended = readers->ended_] {
                while (!ended)
                    one.read(ifindex);
            });
        }
        return std::unique_ptr<BenchReaders>(std::move(readers));
    }

    Readers() = default;
    ~Readers() override { end(); }

    Result<std::vector<WentBack>> went_back() override {
        end();
        std::vector<WentBack> back;
        for (const One& one : readers_) {
            if (one.error)
                return *one.error;
            if (!one.reads)
                return Error{ETIME, "a reader had no time to read"};
            back.insert(back.end(), one.back.begin(), one.back.end());
        }
        return back;
    }

private:
    struct One {
        std::optional<KernelView> view{};
        std::vector<StandardValue> last{};
        std::vector<WentBack> back{};
        std::uint64_t reads = 0;
        std::optional<Error> error{}; // of the first read that failed
        std::thread thread{};

        void read(IfIndex ifindex) {
            auto now = view->standard(ifindex);
            if (!now) {
                if (!error)
                    error = now.error();
                return;
            }
            reads++;
            for (const StandardValue& value : *now)
                if (const auto* before = find_same(last, value);
                    before && value.value < before->value && !went_back_before(value))
                    back.push_back({*before, value.value});
            last = std::move(*now);
        }

        [[nodiscard]] bool went_back_before(const StandardValue& value) const {
            return std::any_of(back.begin(), back.end(), [&value](const WentBack& one) {
                return one.from.id == value.id && one.from.low == value.low;
            });
        }
    };

    void end() {
        ended_ = true;
        for (One& one : readers_)
            if (one.thread.joinable())
                one.thread.join();
    }

    std::atomic<bool> ended_ = false;
    std::array<One, 3> readers_{};
};

// A port that shows what macstats makes of the same hardware.
struct Twin {
    IfIndex port;
    Client client;
    KernelView view;
};

class DriverPort final : public BenchPort {
public:
    DriverPort(
        WireEnd end, LinkInfo link, IfIndex emulated, Emulator emulator, KernelView view,
        std::optional<Twin> twin)
        : end_(std::move(end)),
          link_(std::move(link)),
          hardware_{emulated},
          emulator_(std::move(emulator)),
          view_(std::move(view)),
          twin_(std::move(twin)) {
        if (twin_ && twin_->port != emulated)
            hardware_.push_back(twin_->port);
    }

    [[nodiscard]] const WireEnd& end() const override { return end_; }

    Result<void> inject(const macstats_frame& frame, std::uint64_t count) override {
        for (const IfIndex port : hardware_)
            MACSTATS_CHECK(emulator_.inject(port, request_of(frame), count));
        return poll_twin();
    }

    Result<void> preset(CounterIndex counter, std::uint64_t value) override {
        return emulator_.preset(emulated(), counter, value);
    }

    Result<void> count(CounterIndex counter, std::uint64_t more) override {
        const macstats_counter& row = end_.model->counters[counter.value()];
        std::uint64_t before = 0;
        if (row.onread != MACSTATS_ONREAD_RCLR) {
            MACSTATS_TRY(const Place place, find_place(*end_.model, row.name));
            MACSTATS_TRY(before, emulator_.read(emulated(), *end_.model, place));
        }
        return preset(counter, (before + more) & macstats_bits_mask(row.bits));
    }

    Result<void> fault(const FaultRequest& request) override {
        return emulator_.fault(emulated(), request);
    }

    Result<void> restart() override {
        for (const IfIndex port : hardware_) {
            MACSTATS_TRY(const auto settings, registers_of(port));
            MACSTATS_CHECK(emulator_.fault(port, {.faults = MACSTATS_FAULT_RESET}));
            MACSTATS_CHECK(set_registers(port, settings));
        }
        return poll_twin();
    }

    Result<void> set_up(bool up, WireClock& clock) override {
        MACSTATS_CHECK(in_context(
            fmt::format("`ip link set {} {}`", link_.name, up ? "up" : "down"),
            set_link_up(link_.ifindex, up)));
        return up ? wait_for_carrier(link_.ifindex, clock) : Result<void>();
    }

    Result<std::vector<RegisterSetting>> registers() override { return registers_of(emulated()); }

    Result<DriverView> observe(bool with_strings) override {
        DriverView seen;
        if (with_strings)
            seen.strings = read_strings(link_.ifindex);
        MACSTATS_TRY(seen.standard, view_.standard(link_.ifindex));
        return seen;
    }

    Result<std::optional<Observation>> macstats() override {
        if (!twin_)
            return std::optional<Observation>();
        MACSTATS_CHECK(poll_twin());
        MACSTATS_TRY(
            auto seen,
            observe_served_port(twin_->client, &twin_->view, twin_->port, Freshness::cached));
        return std::optional(std::move(seen));
    }

    Result<std::unique_ptr<BenchReaders>> read_all_the_time() override {
        if (!readers_meet())
            return std::unique_ptr<BenchReaders>();
        return Readers::of(link_.ifindex);
    }

    /// The registers that the driver has set, for another twin.
    Result<void> set_up_twin() {
        if (hardware_.size() < 2)
            return {};
        MACSTATS_TRY(const auto settings, registers());
        return set_registers(twin_->port, settings);
    }

private:
    [[nodiscard]] IfIndex emulated() const { return hardware_.front(); }

    // It is held, or has not been polled since.
    Result<void> poll_twin() { return twin_ ? emulator_.poll(twin_->port) : Result<void>(); }

    Result<std::vector<RegisterSetting>> registers_of(IfIndex port) {
        const macstats_model& model = *end_.model;
        std::vector<RegisterSetting> found;
        for (const macstats_register& reg : std::span(model.registers, model.n_registers)) {
            if (reg.access != MACSTATS_RW)
                continue;
            MACSTATS_TRY(const Place place, find_place(model, reg.name));
            MACSTATS_TRY(const auto value, emulator_.read(port, model, place));
            found.push_back({.name = reg.name, .place = place, .value = value});
        }
        return found;
    }

    // Without those that hold the value.
    Result<void> set_registers(IfIndex port, const std::vector<RegisterSetting>& settings) {
        for (const RegisterSetting& setting : settings) {
            MACSTATS_TRY(const auto now, emulator_.read(port, *end_.model, setting.place));
            if (now != setting.value)
                MACSTATS_CHECK(emulator_.write(port, *end_.model, setting.place, setting.value));
        }
        return {};
    }

    WireEnd end_;
    LinkInfo link_;
    std::vector<IfIndex> hardware_; // behind the driver, and of the twin if that is another one
    Emulator emulator_;
    KernelView view_;
    std::optional<Twin> twin_;
};

// The emulated port whose registers a driver has.
struct Behind {
    DeviceInfo device;
    IfIndex port;
};

Result<Behind> behind(Emulator& emulator, const LinkInfo& link) {
    const std::string folder = "/sys/class/net/" + link.name;
    std::uint32_t ifindex = 0;
    if (!(std::ifstream(folder + "/ifindex") >> ifindex) || IfIndex(ifindex) != link.ifindex)
        return invalid("/sys shows another network namespace: mount the one of this namespace");
    std::ifstream file(folder + "/device/macstats");
    std::uint32_t id = 0;
    std::uint32_t port = 0;
    if (!(file >> id >> port))
        return invalid("no emulated port is behind it: a driver needs the module macstats_bench");
    MACSTATS_TRY(const auto devices, emulator.devices());
    for (const DeviceInfo& device : devices) {
        if (device.id != DeviceId(id))
            continue;
        MACSTATS_TRY(const auto* model, model_called(device.model));
        // Several net devices may share a port.
        const std::size_t netdevs = device.ports.size() / model->ports;
        for (std::size_t i = port * netdevs;
             i < std::min((port + 1) * netdevs, device.ports.size()); i++)
            if (device.ports[i])
                return Behind{device, *device.ports[i]};
        return invalid(
            "port {} of the emulated device {}, which is behind it, is in another network "
            "namespace",
            port, id);
    }
    return invalid(
        "the emulated device {}, which is behind it, is in another network namespace", id);
}

bool clears_on_read(const macstats_model& model) {
    for (const macstats_counter& counter : std::span(model.counters, model.n_counters))
        if (macstats_may_change(&model, &counter))
            return true;
    return false;
}

// The model of the emulated port, which the command and the kernel agree about.
Result<const macstats_model*> model_behind(const Behind& found, const macstats_model* wanted) {
    MACSTATS_TRY(const auto* model, model_called(found.device.model));
    if (wanted && wanted != model)
        return invalid(
            "it is no {}: the registers behind it are those of {}", wanted->name, model->name);
    if (clears_on_read(*model) && !found.device.held)
        return invalid(
            "reads clear the counters of {0}, and macstats polls them, too: `macstats emu add {0} "
            "--held` adds a device that only the driver reads",
            model->name);
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(const auto port, client.port(found.port));
    MACSTATS_CHECK(check_kernel_model(client, port.model_id, *model));
    return model;
}

// @name: of the port that shall be the twin of the one that was found
Result<Twin> twin_of(const std::string& name, Emulator& emulator, const Behind& found) {
    MACSTATS_TRY(auto client, Client::open());
    MACSTATS_TRY(const PortInfo port, client.port(name));
    MACSTATS_TRY(const auto devices, emulator.devices());
    const auto device =
        std::find_if(devices.begin(), devices.end(), [&port](const DeviceInfo& one) {
            return std::count(one.ports.begin(), one.ports.end(), std::optional(port.ifindex));
        });
    if (device == devices.end() || device->model != found.device.model ||
        device->options != found.device.options)
        return invalid("it is no emulated {} with the same options", found.device.model);
    MACSTATS_TRY(const auto* model, model_called(device->model));
    if (port.ifindex == found.port && clears_on_read(*model))
        return invalid("reads clear its counters: it takes another {}", model->name);
    if (!device->line_rate_bound.value_or(true))
        return invalid("it takes a reset for a wrap: add it with `--line-rate-bound on`");
    MACSTATS_TRY(auto view, KernelView::open());
    return Twin{port.ifindex, std::move(client), std::move(view)};
}

Result<std::unique_ptr<BenchPort>> open_port(const DriverRequest& request, WireClock& clock) {
    const WireMapping& mapping = request.port;
    MACSTATS_TRY(auto link, usable_link(mapping.interface));
    MACSTATS_TRY(auto emulator, Emulator::open());
    MACSTATS_TRY(const Behind found, behind(emulator, link));
    MACSTATS_TRY(const macstats_model* model, model_behind(found, request.model));
    std::optional<Twin> twin;
    if (!request.twin.empty()) {
        MACSTATS_TRY(twin, in_context(request.twin, twin_of(request.twin, emulator, found)));
    }
    MACSTATS_CHECK(wait_for_carrier(link.ifindex, clock));
    MACSTATS_TRY(auto view, KernelView::open());
    WireEnd end{
        .name = mapping.name,
        .interface = mapping.interface,
        .model = model,
        .emulated = found.device.options,
        .kind = link.kind};
    for (const auto& [counter, name] : request.strings) {
        MACSTATS_TRY(const CounterIndex index, find_counter(*model, counter));
        end.strings[index] = name;
    }
    auto port = std::make_unique<DriverPort>(
        std::move(end), std::move(link), found.port, std::move(emulator), std::move(view),
        std::move(twin));
    MACSTATS_CHECK(port->set_up_twin());
    return std::unique_ptr<BenchPort>(std::move(port));
}

} // namespace

Result<std::unique_ptr<DriverBackend>> open_driver(const DriverRequest& request) {
    auto clock = steady_clock(request.interrupted);
    MACSTATS_TRY(auto port, in_context(request.port.interface, open_port(request, *clock)));
    return driver_backend(std::move(port), std::move(clock));
}

} // namespace macstats
