/* bolt.h - the mark of a failure in pictures. */
#ifndef CS_REPORT_BOLT_H
#define CS_REPORT_BOLT_H

#include "base/strbuf.h"
#include "report/palette.h"

#include <stdbool.h>

struct cs_bolt_fault {
    double time;       /* seconds */
    int processor;     /* one that the schedule does not have is marked nowhere */
    bool failures_hit; /* it threw work back; else it did no harm */
};

/* The red of failures. */
const char *cs_bolt_color(const struct cs_theme *theme);

/* How large bolts are in a picture with so many. */
double cs_bolt_size(int faults);

/* A bolt around a point, `size` pixels high: red, or white when it did no harm. */
void cs_bolt_draw(struct cs_strbuf *out, const struct cs_theme *theme, double x, double y,
                  double size, bool failures_hit);

#endif
