// SPDX-License-Identifier: GPL-2.0 OR MIT
// Scenarios from JSON. Each value is checked against the accepted ones; the reader reports
// the first problem.
#include "libmacstats/scenario/scenario.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <system_error>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <macstats/emulate/emulator.h>
#include <macstats/standard.h>

#include "core/accepted.hpp"
#include "core/error.hpp"
#include "core/json.hpp"
#include "core/text.hpp"
#include "libmacstats/core/frame.hpp"
#include "scenario/document.hpp"
#include "scenario/file.hpp"

namespace macstats {

namespace {

// The limit of all advances of a scenario: over 31 years, and far from the end of clocks
// of nanoseconds.
constexpr std::uint64_t most_seconds = 1'000'000'000;

// Each device takes some 0.2 MB.
constexpr std::size_t most_devices = 1024;

// An option of every device, beside those of its model.
constexpr std::string_view line_rate_bound = "line_rate_bound";
constexpr std::string_view speed = "speed";

// Members of rtnl_link_stats64 that no counter of a MAC feeds. A scenario may only expect
// that they are not reported.
constexpr std::string_view rtnl_unfed[] = {
    "rx_compressed", "tx_compressed", "rx_nohandler", "rx_otherhost_dropped"};

Words model_names(const ModelLookup& models) {
    Words names;
    for (const macstats_model* model : all_models())
        if (models(model->name))
            names.emplace_back(model->name);
    return names;
}

// The standard statistics of a group.
Words statistics_of(std::string_view group) {
    Words names;
    for (unsigned int id = MACSTATS_STD_NONE + 1; id < MACSTATS_STD_COUNT; id++)
        if (standard_name(id).group == group)
            names.push_back(standard_name(id).name);
    if (group == standard_name(MACSTATS_STD_RTNL_RX_PACKETS).group)
        names.insert(names.end(), std::begin(rtnl_unfed), std::end(rtnl_unfed));
    return names;
}

// The nanoseconds of a number of seconds as JSON writes it, rounded. Not set for one that is
// negative or above most_seconds. No floating-point number has all the digits on every machine.
std::optional<std::uint64_t> nanoseconds_of(std::string_view seconds) {
    const std::size_t end = std::min(seconds.find_first_of("eE"), seconds.size());
    std::string_view digits = seconds.substr(0, end);
    std::string_view exponent = seconds.substr(std::min(end + 1, seconds.size()));
    if (digits.find_first_of("123456789") == digits.npos)
        return 0;
    if (digits.starts_with('-'))
        return std::nullopt;
    exponent.remove_prefix(exponent.starts_with('+') ? 1 : 0);
    int power = 0;
    if (std::from_chars(exponent.data(), exponent.data() + exponent.size(), power).ec ==
        std::errc::result_out_of_range)
        power = exponent.starts_with('-') ? INT_MIN : INT_MAX;

    // The power of ten that a digit stands for, in nanoseconds.
    auto place = static_cast<std::int64_t>(std::min(digits.find('.'), digits.size())) + power + 9;
    constexpr std::uint64_t most = most_seconds * 1'000'000'000;
    std::uint64_t value = 0;
    for (const char c : digits) {
        if (c == '.')
            continue;
        if (--place < 0) {
            value += place == -1 && c >= '5' ? 1 : 0;
            break;
        }
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
        if (value > most)
            return std::nullopt;
    }
    for (; place > 0 && value <= most; place--)
        value *= 10;
    if (value > most)
        return std::nullopt;
    return value;
}

// Builds a scenario from a document.
class Reader : public DocumentReader {
public:
    explicit Reader(const ModelLookup& models) : models_(models) {}

    Scenario read(const json::Value& document) {
        const Item root{document};
        const Members members(*this, root, {"$schema", "name", "reference", "devices", "steps"});
        if (const auto item = members.find("$schema"))
            text(*item);
        scenario_.name = text(members.must("name"));
        if (const auto item = members.find("reference"))
            scenario_.reference = text(*item);
        const Item devices = members.must("devices");
        if (const auto* all = devices.value.get<json::Object>(); all && all->size() > most_devices)
            fail(
                devices,
                fmt::format("expected no more than {} devices, not {}", most_devices, all->size()));
        each_member(devices, [this](const Item& member) { device(member); });
        // From here on, devices keep their addresses.
        for (std::size_t i = 0; i < scenario_.devices.size(); i++)
            device_indices_[scenario_.devices[i].name] = static_cast<unsigned int>(i);
        const Item steps = members.must("steps");
        if (!problem())
            each_element(
                steps, [this](const Item& element) { scenario_.steps.push_back(step(element)); });
        return std::move(scenario_);
    }

private:
    // An integer, or a string with a hexadecimal one: "0x55".
    std::uint64_t register_value(const Item& item, std::uint64_t most) {
        const auto* text = item.value.get<std::string>();
        if (!text || !(text->starts_with("0x") || text->starts_with("0X")))
            return integer(item, 0, most);
        if (const auto number = parse_number("value", *text, most))
            return *number;
        unexpected(item, fmt::format("an integer from 0 to {0}, or 0x0 to {0:#x}", most));
        return 0;
    }

    std::uint64_t nanoseconds(const Item& item) {
        std::optional<std::uint64_t> time;
        if (const auto* integer = item.value.get<std::uint64_t>())
            time = nanoseconds_of(std::to_string(*integer));
        else if (const auto* number = item.value.get<json::Number>())
            time = nanoseconds_of(number->text);
        if (time)
            return *time;
        unexpected(item, fmt::format("a number of seconds from 0 to {}", most_seconds));
        return 0;
    }

    ScenarioPort port(const Item& item) {
        const std::string name = text(item);
        const auto slash = name.find('/');
        const auto found = device_indices_.find(std::string_view(name).substr(0, slash));
        if (found == device_indices_.end()) {
            Words names;
            for (const ScenarioDevice& device : scenario_.devices)
                names.emplace_back(device.name);
            unlisted(item, "a port of one of the devices", name, names);
            return {};
        }
        const unsigned int device_index = found->second;
        if (slash == name.npos)
            return {.device = device_index, .index = PortIndex(0)};

        const char* end = name.data() + name.size();
        std::uint32_t index = 0;
        const auto [stop, error] = std::from_chars(name.data() + slash + 1, end, index);
        const unsigned int ports = scenario_.devices[device_index].model->ports;
        if (error == std::errc() && stop == end && index < ports)
            return {.device = device_index, .index = PortIndex(index)};
        const std::string_view device = found->first;
        if (ports == 1)
            unexpected(item, fmt::format("\"{}\", whose only port is 0", shown(device)));
        else
            unexpected(item, fmt::format("\"{0}/0\" to \"{0}/{1}\"", shown(device), ports - 1));
        return {};
    }

    std::uint16_t errors(const Item& item) {
        unsigned int errors = 0;
        each_element(item, [&](const Item& element) { errors |= word(element, error_names); });
        return static_cast<std::uint16_t>(errors);
    }

    Place place(const Item& item, const macstats_model& model, std::string_view name) {
        const auto place = find_place(model, name);
        if (place)
            return *place;
        fail(item, "expected a counter, register or address: " + place.error().message);
        return {};
    }

    // The counter that the key of an item names.
    CounterIndex counter(const Item& item, const macstats_model& model) {
        const auto counter = find_counter(model, item.key);
        if (counter)
            return *counter;
        fail(item, "expected a counter: " + counter.error().message);
        return {};
    }

    void device(const Item& item) {
        ScenarioDevice device;
        device.name = item.key;
        if (device.name.empty() || device.name.find('/') != device.name.npos)
            fail(
                item,
                "expected a device's name without a \"/\" in it, not " + in_quotes(device.name));

        const Members members(*this, item, {"model", "power_up", "seed", "options", "registers"});
        const Item model = members.must("model");
        const std::string name = text(model);
        device.model = models_(name);
        if (!device.model)
            return unlisted(model, "one of the models", name, model_names(models_));

        device.options = device.model->default_options;
        if (const auto power_up = members.find("power_up"))
            device.random_power_up = word(*power_up, power_up_names) == MACSTATS_POWER_UP_RANDOM;
        members.integer("seed", device.seed, 0, UINT64_MAX);
        if (const auto options = members.find("options")) {
            std::vector<std::string> settings;
            each_member(*options, [&](const Item& member) { option(member, device, settings); });
            if (!problem())
                device.options =
                    *with_options(*device.model, device.model->default_options, settings);
        }
        if (const auto registers = members.find("registers"))
            each_member(*registers, [&](const Item& member) {
                device.registers.push_back(setting(member, *device.model));
            });
        scenario_.devices.push_back(std::move(device));
    }

    // Options with the values on and off also accept true and false; the speed is a number, with
    // quotes or without.
    void option(const Item& item, ScenarioDevice& device, std::vector<std::string>& settings) {
        std::string word;
        if (const auto* flag = item.value.get<bool>())
            word = *flag ? "on" : "off";
        else if (const auto* text = item.value.get<std::string>())
            word = *text;
        else if (const auto* number = item.value.get<std::uint64_t>(); number && item.key == speed)
            word = std::to_string(*number);
        else
            return unexpected(item, "true, false or a word");
        Words known;
        for (const DeviceOption& each : options_of(*device.model))
            known.push_back(each.name);
        known.push_back(line_rate_bound);
        if (std::find(known.begin(), known.end(), item.key) == known.end())
            return fail(
                item, fmt::format(
                          "expected what the model has: {} has no option {}, it has {}",
                          device.model->name, in_quotes(item.key), fmt::join(known, ", ")));
        if (item.key == line_rate_bound) {
            if (word != "on" && word != "off")
                unexpected(item, "true or false");
            device.line_rate_bound = word == "on";
            return;
        }
        settings.push_back(fmt::format("{}={}", item.key, word));
        const auto options = with_option(*device.model, device.options, settings.back());
        if (!options)
            fail(item, "expected what the model has: " + options.error().message);
    }

    RegisterSetting setting(const Item& item, const macstats_model& model) {
        RegisterSetting setting;
        setting.name = item.key;
        setting.place = place(item, model, item.key);
        setting.value = register_value(item, macstats_bits_mask(setting.place.bits));
        return setting;
    }

    Step step(const Item& item) {
        struct StepKind {
            std::string_view name;
            Step (Reader::*read)(const Item& item);
        };
        static constexpr StepKind step_kinds[] = {
            {"send", &Reader::send},       {"read", &Reader::read},     {"write", &Reader::write},
            {"preset", &Reader::preset},   {"fault", &Reader::fault},   {"poll", &Reader::poll},
            {"advance", &Reader::advance}, {"expect", &Reader::expect},
        };
        Words names;
        for (const StepKind& kind : step_kinds)
            names.push_back(kind.name);
        const auto* object = item.value.get<json::Object>();
        if (!object || object->size() != 1) {
            unexpected(
                item, fmt::format("an object with one of the keys {}", fmt::join(names, ", ")),
                object ? fmt::format(" with {} keys", object->size()) : "");
            return {};
        }
        const json::Member& member = object->front();
        const Item content{member.value, &item, member.name};
        for (const StepKind& kind : step_kinds)
            if (kind.name == member.name)
                return (this->*kind.read)(content);
        unlisted(content, "one of the keys", member.name, names);
        return {};
    }

    Step send(const Item& item) {
        const Members members(
            *this, item,
            {"port", "direction", "length", "destination", "kind", "origin", "vlan_tags", "errors",
             "collisions", "deferred", "descriptors", "append_crc", "huge", "count"});
        SendStep step;
        step.frame.direction = MACSTATS_TX;
        step.frame.length = MACSTATS_FRAME_MIN;
        step.frame.destination = MACSTATS_UNICAST;
        step.frame.kind = MACSTATS_DATA;
        step.frame.origin = MACSTATS_BY_SOFTWARE;

        const auto read_word = [&](std::string_view key, std::span<const Name> names, __u8& value) {
            if (const auto member = members.find(key))
                value = static_cast<__u8>(word(*member, names));
        };
        step.port = port(members.must("port"));
        read_word("direction", direction_names, step.frame.direction);
        members.integer("length", step.frame.length, 1, MACSTATS_FRAME_MAX);
        read_word("destination", destination_names, step.frame.destination);
        read_word("kind", kind_names, step.frame.kind);
        read_word("origin", origin_names, step.frame.origin);
        members.integer("vlan_tags", step.frame.vlan_tags, 0, 2);
        if (const auto member = members.find("errors"))
            step.frame.errors = errors(*member);
        members.integer("collisions", step.frame.collisions, 0, MACSTATS_ATTEMPT_LIMIT);
        members.flag("deferred", step.frame.deferred);
        members.integer("descriptors", step.frame.descriptors, 1, MACSTATS_MAX_DESCRIPTORS);
        const auto read_control = [&](std::string_view key, __u8& value) {
            if (const auto member = members.find(key))
                value = flag(*member) ? MACSTATS_CONTROL_ON : MACSTATS_CONTROL_OFF;
        };
        read_control("append_crc", step.frame.append_crc);
        read_control("huge", step.frame.huge);
        members.integer("count", step.count, 1, most_frames);
        if (problem())
            return step;
        const macstats_model& model = model_of(step.port);
        if (!members.find("destination"))
            step.frame.destination = macstats_default_destination(&model, &step.frame);
        if (const auto possible = check_own_pause(step.frame, model); !possible) {
            const bool length = step.frame.length != MACSTATS_FRAME_MIN;
            fail(
                members.find(length ? "length" : "destination").value_or(item),
                possible.error().message);
        }
        if (!problem())
            check_descriptors(members, step);
        return step;
    }

    // The members about descriptors are for models and frames that have some.
    void check_descriptors(const Members& members, const SendStep& step) {
        const macstats_model& model = model_of(step.port);
        const int error = macstats_check_descriptors(&model, &step.frame);
        if (!error)
            return;
        for (const std::string_view key : {"descriptors", "append_crc", "huge"}) {
            const auto member = members.find(key);
            if (!member || (error == -EINVAL && key == "descriptors"))
                continue;
            fail(
                *member, error == -EINVAL
                             ? std::string("expected with transmitted frames of software only")
                             : fmt::format("{} has no descriptors with a status", model.name));
            return;
        }
    }

    template <typename T>
    void at_register(const Item& at, const Item& name, T& step) {
        step.port = port(at);
        step.name = text(name);
        if (!problem())
            step.place = place(name, model_of(step.port), step.name);
    }

    Step read(const Item& item) {
        const Members members(*this, item, {"port", "register", "expect"});
        const Item at = members.must("port");
        const Item name = members.must("register");
        ReadStep step;
        at_register(at, name, step);
        if (const auto expect = members.find("expect"))
            step.expect = register_value(*expect, macstats_bits_mask(step.place.bits));
        return step;
    }

    Step write(const Item& item) {
        const Members members(*this, item, {"port", "register", "value"});
        const Item at = members.must("port");
        const Item name = members.must("register");
        const Item value = members.must("value");
        WriteStep step;
        at_register(at, name, step);
        step.value = register_value(value, macstats_bits_mask(step.place.bits));
        return step;
    }

    Step preset(const Item& item) {
        const Members members(*this, item, {"port", "counters"});
        const Item at = members.must("port");
        const Item counters = members.must("counters");
        PresetStep step;
        step.port = port(at);
        if (problem())
            return {};
        const macstats_model& model = model_of(step.port);
        each_member(counters, [&](const Item& member) {
            const CounterIndex index = counter(member, model);
            const macstats_counter& row = model.counters[index.value()];
            if (macstats_is_software_counter(&row))
                fail(
                    member,
                    fmt::format("expected a counter of a register: descriptors feed {}", row.name));
            if (!macstats_is_built(&model, scenario_.devices[step.port.device].options, row.block))
                fail(
                    member, fmt::format(
                                "expected a counter of the device: its options build it without {}",
                                row.name));
            step.counters.push_back({index, register_value(member, macstats_bits_mask(row.bits))});
        });
        return step;
    }

    Step fault(const Item& item) {
        const Members members(
            *this, item,
            {"port", "name", "active", "announced", "during_read", "word", "microseconds"});
        const Item at = members.must("port");
        const Item name = members.must("name");
        FaultStep step;
        step.port = port(at);
        if (problem())
            return {};
        const macstats_model& model = model_of(step.port);
        FaultRequest& request = step.request;
        request.faults = supported_fault(name, model);
        if (problem())
            return {};
        const auto only_with = [&](std::string_view key, std::uint32_t faults) {
            if (const auto member = members.find(key); member && !(request.faults & faults))
                fail(
                    *member,
                    fmt::format(
                        "expected with {} only", fmt::join(names_in(fault_names, faults), ", ")));
        };
        members.flag("active", request.active);
        only_with("announced", MACSTATS_FAULT_RESET);
        members.flag("announced", request.announced);
        only_with("during_read", MACSTATS_FAULTS_DURING_READ);
        members.flag("during_read", request.during_read);
        for (const std::uint32_t fault : {MACSTATS_FAULT_BUS_ERROR_AT, MACSTATS_FAULT_SLOW_BUS}) {
            const std::string_view key = fault_argument_name(fault);
            const auto [least, most] = fault_argument_range(model, fault);
            if (request.faults == fault && request.active)
                (void)members.must(key);
            only_with(key, fault);
            members.integer(key, request.argument, least, most);
        }
        if (problem())
            return step;
        if (const auto checked = check_fault(model, request); !checked)
            fail(members.find("active").value_or(item), checked.error().message);
        return step;
    }

    unsigned int supported_fault(const Item& item, const macstats_model& model) {
        const std::vector<Name> supported = supported_faults(model);
        const auto* word = item.value.get<std::string>();
        for (const Name& fault : supported)
            if (word && *word == fault.name)
                return fault.value;
        const Words names = words_of(supported);
        fail(
            item, fmt::format(
                      "expected a fault of the model: `{}` supports only the faults {}, not {}{}",
                      model.name, fmt::join(names, ", "), json::described(item.value),
                      word ? did_you_mean(*word, names) : ""));
        return 0;
    }

    Step poll(const Item& item) {
        const Members members(*this, item, {"port"});
        PollStep step;
        step.port = port(members.must("port"));
        return step;
    }

    Step advance(const Item& item) {
        const Members members(*this, item, {"seconds"});
        AdvanceStep step;
        const Item seconds = members.must("seconds");
        step.nanoseconds = nanoseconds(seconds);
        advanced_ns_ += step.nanoseconds;
        if (advanced_ns_ > most_seconds * 1'000'000'000)
            fail(
                seconds,
                fmt::format("expected no more than {} seconds in all steps", most_seconds));
        return step;
    }

    Step expect(const Item& item) {
        static constexpr Name others_names[] = {
            {"any", static_cast<unsigned int>(Others::any)},
            {"zero", static_cast<unsigned int>(Others::zero)}};
        const Members members(
            *this, item, {"port", "totals", "others", "standard", "state", "fresh"});
        ExpectStep step;
        step.port = port(members.must("port"));
        if (problem())
            return {};
        const macstats_model& model = model_of(step.port);
        if (const auto totals = members.find("totals"))
            each_member(*totals, [&](const Item& member) {
                step.totals.push_back(
                    {counter(member, model), integer_or_null(member, UINT64_MAX)});
            });
        if (const auto others = members.find("others"))
            step.others = static_cast<Others>(word(*others, others_names));
        if (const auto groups = members.find("standard"))
            each_member(*groups, [&](const Item& group) { standard(group, step.standard); });
        if (const auto expected = members.find("state"))
            step.state = state(*expected, model);
        members.flag("fresh", step.fresh);
        return step;
    }

    void standard(const Item& group, std::vector<ExpectedStandard>& expected) {
        const Words statistics = statistics_of(group.key);
        if (statistics.empty())
            return unlisted(group, "one of the groups", group.key, standard_groups());
        each_member(group, [&](const Item& item) {
            if (std::find(statistics.begin(), statistics.end(), item.key) == statistics.end())
                return unlisted(item, "one of the statistics", item.key, statistics);
            if (macstats_is_histogram(standard_id(group.key, item.key)) &&
                !item.value.get<std::nullptr_t>())
                return histogram(item, group, expected);
            ExpectedStandard statistic;
            statistic.group = group.key;
            statistic.name = item.key;
            statistic.value = integer_or_null(item, UINT64_MAX);
            expected.push_back(std::move(statistic));
        });
    }

    void histogram(const Item& item, const Item& group, std::vector<ExpectedStandard>& expected) {
        const auto* buckets = item.value.get<json::Array>();
        if (!buckets || buckets->empty())
            return unexpected(
                item, "null or an array of {\"low\", \"high\", \"val\"}",
                buckets ? " without any" : "");
        each_element(item, [&](const Item& element) {
            const Members members(*this, element, {"low", "high", "val"});
            ExpectedStandard bucket;
            bucket.group = group.key;
            bucket.name = item.key;
            bucket.low =
                static_cast<std::uint32_t>(integer(members.must("low"), 0, MACSTATS_FRAME_MAX));
            bucket.value = integer_or_null(members.must("val"), UINT64_MAX);
            if (const auto high = members.find("high"))
                bucket.high =
                    static_cast<std::uint32_t>(integer(*high, *bucket.low, MACSTATS_FRAME_MAX));
            expected.push_back(std::move(bucket));
        });
    }

    std::vector<CounterIndex> saturated(const Item& item, const macstats_model& model) {
        std::vector<CounterIndex> counters;
        each_element(item, [&](const Item& element) {
            const std::string name = text(element);
            if (problem())
                return;
            const auto counter = find_counter(model, name);
            if (!counter)
                return fail(element, "expected a counter: " + counter.error().message);
            if (std::find(counters.begin(), counters.end(), *counter) != counters.end())
                return fail(
                    element,
                    fmt::format("expected {} once", model.counters[counter->value()].name));
            counters.push_back(*counter);
        });
        std::sort(counters.begin(), counters.end());
        return counters;
    }

    ExpectedState state(const Item& item, const macstats_model& model) {
        const Members members(
            *this, item, {"stale", "possible_loss", "discontinuities", "saturated"});
        ExpectedState state;
        members.flag("stale", state.stale);
        members.flag("possible_loss", state.possible_loss);
        members.integer("discontinuities", state.discontinuities, 0, UINT32_MAX);
        if (const auto counters = members.find("saturated"))
            state.saturated = saturated(*counters, model);
        return state;
    }

    [[nodiscard]] const macstats_model& model_of(ScenarioPort port) const {
        return *scenario_.devices[port.device].model;
    }

    const ModelLookup& models_;
    Scenario scenario_;
    std::unordered_map<std::string_view, unsigned int> device_indices_;
    std::uint64_t advanced_ns_ = 0;
};

Error in_file(const std::string& file, Error error) {
    return file.empty() ? error : in_context(file, std::move(error));
}

Error too_long(const std::string& file) {
    return in_file(
        file, {EFBIG, fmt::format(
                          "expected no more than {} octets ({} MiB)", most_scenario_octets,
                          most_scenario_octets >> 20)});
}

} // namespace

Result<Scenario>
parse_scenario(std::string_view text, const std::string& file, const ModelLookup& models) {
    if (text.size() > most_scenario_octets)
        return too_long(file);
    const auto document = json::parse(text);
    if (!document)
        return in_file(file, document.error());
    Reader reader(models);
    Scenario scenario = reader.read(*document);
    if (reader.problem())
        return in_file(file, *reader.problem());
    scenario.file = file;
    return scenario;
}

Result<Scenario> load_scenario(const std::string& file, const ModelLookup& models) {
    const std::string name = file == "-" ? "standard input" : file;
    const auto text = read_file(file, most_scenario_octets);
    if (!text)
        return text.error().errnum == EFBIG ? too_long(name) : text.error();
    return parse_scenario(*text, name, models);
}

} // namespace macstats
