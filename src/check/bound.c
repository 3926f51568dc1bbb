/* bound.c - the verdict on a bound. */
#include "check/bound.h"

#include <math.h>

static bool in_range(double declared, double reached, struct cs_check_report *report)
{
    if (isnan(declared))
        return false;
    if (declared >= 0 && declared <= reached * (1 + CS_CHECK_BOUND_SAME))
        return true;
    cs_check_add(report, CS_VIOLATION_DECLARED_BOUND, -1, reached,
                 "the declared lower bound is %.15g: it must be from 0 to %.15g, which the "
                 "schedule reaches",
                 declared, reached);
    return false;
}

void cs_check_bound(double declared, double shown, double reached, struct cs_check_report *report)
{
    if (!in_range(declared, reached, report))
        return;
    if (isinf(shown))
        cs_check_note(report, "its lower bound was not judged");
    else if (declared > shown * (1 + CS_CHECK_BOUND_SAME))
        cs_check_add(report, CS_VIOLATION_DECLARED_BOUND, -1, reached,
                     "the declared lower bound is %.15g: no more than %.15g can be shown", declared,
                     shown);
}

void cs_check_bound_shown(double declared, enum cs_check_shown shown, double reached,
                          struct cs_check_report *report)
{
    if (!in_range(declared, reached, report))
        return;
    switch (shown) {
    case CS_CHECK_SHOWN:
        return;
    case CS_CHECK_REFUTED:
        cs_check_add(report, CS_VIOLATION_DECLARED_BOUND, -1, reached,
                     "the declared lower bound is %.15g: there is a plan below it", declared);
        return;
    case CS_CHECK_NOT_SHOWN:
        cs_check_add(report, CS_VIOLATION_DECLARED_BOUND, -1, reached,
                     "the declared lower bound is %.15g: so much cannot be shown, neither by a "
                     "certificate in the file nor without",
                     declared);
        return;
    case CS_CHECK_SEARCHED:
        cs_check_note(report, "its lower bound comes from a search and was not certified");
        return;
    case CS_CHECK_TOO_LARGE:
        cs_check_note(report, "its lower bound was not judged, which would take too long");
    }
}
