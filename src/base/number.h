/* number.h - numbers from text, strictly.
 *
 * The whole text is the number: no blanks around it, no hexadecimal, nothing after it, and always a
 * point as decimal separator, in any locale. Invalid texts have distinct results, so a reader can
 * report the found value.
 */
#ifndef CS_BASE_NUMBER_H
#define CS_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Times as people write them. */
/* Seconds from 90, 1.5, 1e4, 500ms, 30s, 2m, 1h, 1d, 2w, 10y (years of 365 days), 1:30, 2:00:00 or
 * 1-12:00:00. -1 if it has another form, or is not finite. */
int cs_seconds_parse(const char *text, double *seconds);

enum cs_number {
    CS_NUMBER_FINE = 0, /* *out holds it; in every other case but the next two *out is as before */
    CS_NUMBER_INFINITE, /* "inf", "infinity", in any case, with a sign or without; *out holds it */
    CS_NUMBER_NAN,      /* "nan"; *out holds it */
    CS_NUMBER_EMPTY,    /* no text at all */
    CS_NUMBER_NOT_ONE,  /* something else than a number */
    CS_NUMBER_RANGE,    /* too large for the type, or negative where there are no negative ones */
    CS_NUMBER_FRACTION, /* whole numbers only: a number with a point or an exponent */
};

/* [+-] digits [. digits] [e [+-] digits], with a digit on one side of the point at least; the
 * nearest double. */
enum cs_number cs_number_double(const char *text, double *out);

/* The number with which a longer text begins; NaN when it begins with none. */
double cs_number_prefix(const char *text);

/* [+-] digits; nan and inf are CS_NUMBER_NAN and CS_NUMBER_INFINITE here too, without *out. */
enum cs_number cs_number_int(const char *text, int *out);
enum cs_number cs_number_int64(const char *text, int64_t *out);
enum cs_number cs_number_uint64(const char *text, uint64_t *out);

/* The required range of a real number. */
enum cs_number_want {
    CS_NUMBER_FINITE,          /* any but infinities and NaN */
    CS_NUMBER_POSITIVE,        /* finite and > 0 */
    CS_NUMBER_NOT_NEGATIVE,    /* finite and >= 0 */
    CS_NUMBER_POSITIVE_OR_INF, /* > 0, also +inf */
};

bool cs_number_meets(double value, enum cs_number_want want);
const char *cs_number_wanted(enum cs_number_want want); /* "a positive number", ... */

#endif
