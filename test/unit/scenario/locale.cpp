// SPDX-License-Identifier: GPL-2.0 OR MIT
//
// A program that uses the library may set a locale: neither numbers nor names depend on it.
#include "boost_test.hpp"

#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>

#include "folder.hpp"
#include "libmacstats/core/names.hpp"
#include "scenario_documents.hpp"

BOOST_AUTO_TEST_SUITE(unit_locale)

using namespace macstats;
using namespace macstats::test;

namespace {

// A locale with a decimal comma, in which the small letter of I is not i, as in Turkish.
// localedef of libc-bin makes it, so that none has to be installed.
class ForeignLocale {
public:
    ForeignLocale() {
        const std::string folder = folder_.path;
        folder_.file("ascii", ascii());
        folder_.file("source", R"(LC_NUMERIC
decimal_point ","
thousands_sep ""
grouping -1
END LC_NUMERIC
LC_CTYPE
tolower (<U0049>,<U006A>)
END LC_CTYPE
)");
        // It warns of the categories that are not there.
        const std::string command = "localedef -c -f " + folder + "/ascii -i " + folder +
                                    "/source " + folder + "/foreign >" + folder + "/log 2>&1";
        (void)!std::system(command.c_str());
        setenv("LOCPATH", folder.c_str(), 1);
        BOOST_REQUIRE(std::setlocale(LC_ALL, "foreign"));
        BOOST_REQUIRE(std::string(std::localeconv()->decimal_point) == ",");
    }
    ~ForeignLocale() {
        std::setlocale(LC_ALL, "C");
        unsetenv("LOCPATH");
    }
    ForeignLocale(const ForeignLocale&) = delete;
    ForeignLocale& operator=(const ForeignLocale&) = delete;

private:
    // A character map: those of glibc are in a package of their own.
    static std::string ascii() {
        std::string map = "<code_set_name> ASCII\n<mb_cur_max> 1\n<escape_char> /\nCHARMAP\n";
        for (unsigned int code = 0; code < 128; code++) {
            char line[32];
            std::snprintf(line, sizeof(line), "<U%04X> /x%02x C\n", code, code);
            map += line;
        }
        return map + "END CHARMAP\n";
    }

    Folder folder_;
};

} // namespace

BOOST_AUTO_TEST_CASE(seconds_have_a_decimal_point_in_every_locale) {
    const ForeignLocale locale;
    const auto scenario = parse_scenario(
        with_steps(R"({"advance": {"seconds": 0.5}}, {"advance": {"seconds": 1.25e-3}})"),
        "f.json");
    BOOST_TEST(std::get<AdvanceStep>(scenario->steps.at(0)).nanoseconds == 500'000'000U);
    BOOST_TEST(std::get<AdvanceStep>(scenario->steps.at(1)).nanoseconds == 1'250'000U);
}

BOOST_AUTO_TEST_CASE(a_rejected_number_is_shown_as_written_in_every_locale) {
    const ForeignLocale locale;
    BOOST_TEST(
        rejection_of_step(R"({"send": {"port": "mac", "count": 1.5}})") ==
        "send/count: expected an integer from 1 to 9223372036854775807, in digits alone, not 1.5");
}

BOOST_AUTO_TEST_CASE(capital_letters_of_names_do_not_matter_in_any_locale) {
    const ForeignLocale locale;
    BOOST_TEST(find_counter(*find_model("cpsw"), "MULTICAST RX FRAMES").has_value());
}

BOOST_AUTO_TEST_SUITE_END()
