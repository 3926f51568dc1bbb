/* clock.h - how long things take, and when patience ends. */
#ifndef CS_BASE_CLOCK_H
#define CS_BASE_CLOCK_H

#include <stdbool.h>

/* Seconds since some moment in the past; never goes back. */
double cs_clock_now(void);

struct cs_deadline {
    double at; /* on the clock above */
};

/* This many seconds from now: never for infinity, already over for 0. */
struct cs_deadline cs_deadline_in(double seconds);

/* Has the moment of this `const struct cs_deadline *` come, or does who watches this thread call it
 * off (watch.h)?  Fits the `expired` of struct cs_policy_context. */
bool cs_deadline_expired(const void *deadline);

#endif
