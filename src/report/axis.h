/* axis.h - round numbers along an axis. */
#ifndef CS_REPORT_AXIS_H
#define CS_REPORT_AXIS_H

#include <stdbool.h>

#define CS_TICKS_MAX 64

struct cs_ticks {
    int count;
    double at[CS_TICKS_MAX];
    char label[CS_TICKS_MAX][24];
};

/* How many ticks there should be: one for so many pixels of the room each, but five where they are
 * not closer than 0.4 times as much; at least two. */
int cs_ticks_wanted(double room, double each);

/* Multiples of 1, 2 or 5 times a power of ten within low .. high (low < high), about `wanted`
 * of them, at most CS_TICKS_MAX. */
void cs_ticks_linear(double low, double high, int wanted, struct cs_ticks *ticks);

/* The same for whole numbers: no fractions. */
void cs_ticks_whole(double low, double high, int wanted, struct cs_ticks *ticks);

/* Processors from 0 to procs: round decimals, unless they miss the whole machine and steps of
 * 1, 3, 2, 6, 4, 12, ... do not. */
void cs_ticks_procs(int procs, int wanted, struct cs_ticks *ticks);

/* For 0 < low < high: powers of ten, with 2 and 5 times them when there are few. */
void cs_ticks_log(double low, double high, int wanted, struct cs_ticks *ticks);

/* These numbers themselves, ascending; false when there are more than CS_TICKS_MAX. */
bool cs_ticks_at(const double *value, int count, struct cs_ticks *ticks);

/* A unit that suits a span of seconds: ns, µs, ms, s, min, h or d. */
struct cs_time_unit {
    const char *name;
    double seconds;
};

struct cs_time_unit cs_time_unit(double span);

/* Times within low .. high seconds, labelled in the unit: quarters of an hour, not 0.2 h. */
void cs_ticks_time(double low, double high, int wanted, struct cs_time_unit unit,
                   struct cs_ticks *ticks);

/* Widen low .. high to multiples of the step that cs_ticks_linear would use. */
void cs_ticks_widen(double *low, double *high, int wanted);

#endif
