/* human.h - numbers as people read them. */
#ifndef CS_REPORT_HUMAN_H
#define CS_REPORT_HUMAN_H

#include "base/strbuf.h"

/* "0 s", "850 ns", "12.5 µs", "340 ms", "35.2 s", "4 min 05 s", "1 h 12 min", "3 d 4 h":
 * about three significant digits.  Not finite: "never" for +inf, "?" for the others. */
void cs_human_duration(struct cs_strbuf *out, double seconds);

/* "5,000,000"; the sign is kept. */
void cs_human_count(struct cs_strbuf *out, long long count);

/* "1 node", "24 nodes", "2,000 nodes": the count and the unit, with an s unless it is one. */
void cs_human_units(struct cs_strbuf *out, long long count, const char *unit);

/* A fraction as "23.4 %" with so many digits (0 .. 9) after the point; "?" when not finite. */
void cs_human_percent(struct cs_strbuf *out, double fraction, int digits);

/* Exactly so many digits (0 .. 9) after the point, thousands separated: "12,345.60".
 * From 1e15 on "1.234e+15".  Not finite: "inf", "-inf", "nan". */
void cs_human_fixed(struct cs_strbuf *out, double value, int digits);

/* So many significant digits (1 .. 9), no needless zeros: "1,234", "0.0123", "1.5e-7". */
void cs_human_digits(struct cs_strbuf *out, double value, int digits);

/* The same as "1.5e-7" for any size. The value is finite. */
void cs_human_power(struct cs_strbuf *out, double value, int digits);

#endif
