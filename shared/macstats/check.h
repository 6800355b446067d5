/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The C++ compiler applies the rules of rules.h: check_models.h to every model of models.h. A model
 * of your own takes one line:
 *
 *	static_assert(macstats::model_holds<tse_model>);
 *
 * The compiler's error names the model, the row and the rule: g++ as one text ("tse:
 * rx_fcs_errors: overlaps rx_jabbers"), clang++ as the arguments of rule_broken() in its
 * notes. The header is empty in C.
 */
#ifndef MACSTATS_CHECK_H
#define MACSTATS_CHECK_H

#ifdef __cplusplus

#include <cstddef>
#include <iterator>
#include <string_view>

#include "rules.h"

namespace macstats {

/* The rules, and the members of macstats_model that break one. */
enum class Violation {
#define MACSTATS_VIOLATION_ENUM(upper, lower, text) lower,
    MACSTATS_RULE_LIST(MACSTATS_VIOLATION_ENUM)
#undef MACSTATS_VIOLATION_ENUM
};

enum class Part {
#define MACSTATS_PART_ENUM(upper, lower, text) lower,
    MACSTATS_PART_LIST(MACSTATS_PART_ENUM)
#undef MACSTATS_PART_ENUM
};

/* The rest of a sentence about a row that breaks a rule: "overlaps". */
constexpr std::string_view describe(Violation violation) {
    return macstats_rule_texts[static_cast<std::size_t>(violation)];
}

/* The rule that is broken, the row that breaks it, and the row that it collides with. */
struct Finding {
    Violation violation = Violation::none;
    Part place = Part::model;
    unsigned int row = 0;
    const char* other = "";

    constexpr explicit operator bool() const { return violation != Violation::none; }
    constexpr bool operator==(const Finding& that) const {
        return violation == that.violation && place == that.place && row == that.row;
    }
};

constexpr Finding finding_of(const macstats_finding& found) {
    return {
        static_cast<Violation>(found.rule), static_cast<Part>(found.part), found.row, found.other};
}

/* The first rule of a group that @model breaks, and where. */
template <std::size_t Group>
constexpr Finding find_in_group(const macstats_model& model) {
    return finding_of(macstats_rule_groups[Group](&model));
}

/* The first rule that @model breaks, and where. */
constexpr Finding find_violation(const macstats_model& model) {
    return finding_of(macstats__find_violation(&model));
}

constexpr Violation check(const macstats_model& model) {
    return find_violation(model).violation;
}

static_assert(MACSTATS_STD_COUNT <= 64, "standard statistics fit into a mask");
static_assert(64 / 8 <= MACSTATS_MAX_WORDS, "a counter fits on the narrowest bus");
static_assert(std::has_unique_object_representations_v<macstats_frame>, "it has padding");

/* The name of the row that a finding is about; a member without rows names itself. */
constexpr const char* row_name(const macstats_model& model, const Finding& finding) {
    const macstats_finding found = {
        static_cast<macstats_rule>(finding.violation), static_cast<macstats_part>(finding.place),
        finding.row, finding.other};

    return macstats__finding_row(&model, &found);
}

/* A text that can be a template argument, so that g++ prints it. */
struct Message {
    char text[192] = {};

    constexpr void add(std::string_view more) {
        std::size_t length = std::string_view(text).size();

        for (char c : more)
            if (length + 1 < sizeof(text))
                text[length++] = c;
    }
};

/* "tse: rx_fcs_errors: overlaps rx_jabbers"; empty if there is no finding. */
constexpr Message message(const macstats_model& model, const Finding& finding) {
    Message all;

    if (!finding)
        return all;
    all.add(macstats__finding_model(&model));
    all.add(": ");
    all.add(row_name(model, finding));
    all.add(": ");
    all.add(describe(finding.violation));
    if (*finding.other) {
        all.add(" ");
        all.add(finding.other);
    }
    return all;
}

/* Not constexpr: a constant expression that calls it ends in an error. */
void a_model_breaks_a_rule();

/* clang++ prints these arguments in a note. */
constexpr bool
rule_broken(const char* model, const char* row, const char* rule, const char* other) {
    if (*model || *row || *rule || *other)
        a_model_breaks_a_rule();
    return false;
}

constexpr bool report(const macstats_model& model, const Finding& finding) {
    return !finding ||
           rule_broken(
               macstats__finding_model(&model), row_name(model, finding),
               describe(finding.violation).data(), finding.other);
}

/* g++ prints Text, clang++ the arguments of rule_broken(). */
template <const macstats_model& Model, std::size_t Group, Message Text>
constexpr void reject_model() {
#ifdef __clang__
    static_assert(report(Model, find_in_group<Group>(Model)), "a model breaks a rule of rules.h");
#else
    static_assert(!Text.text[0], "a model breaks the rule of rules.h that Text names");
#endif
}

/*
 * The groups of rules from Group on. Each is a constant expression of its own, so that each
 * has all of the compiler's steps; those after a finding are not looked at.
 */
template <const macstats_model& Model, std::size_t Group = 0>
constexpr bool groups_hold() {
    if constexpr (Group < std::size(macstats_rule_groups)) {
        constexpr Finding found = find_in_group<Group>(Model);

        if constexpr (found)
            reject_model<Model, Group, message(Model, found)>();
        else
            return groups_hold<Model, Group + 1>();
    }
    return true;
}

/* Does a model keep all rules? If not, the compiler stops here and names the rule. */
template <const macstats_model& Model>
inline constexpr bool model_holds = groups_hold<Model>();

} /* namespace macstats */

#endif /* __cplusplus */
#endif /* MACSTATS_CHECK_H */
