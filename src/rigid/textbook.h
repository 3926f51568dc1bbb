/* textbook.h - what the forms of conservative backfilling share. */
#ifndef CS_RIGID_TEXTBOOK_H
#define CS_RIGID_TEXTBOOK_H

#include "rigid/policy.h"

#include <math.h>

#define CS_RIGID_COMPRESS_CHOICES "full|now|none"

/* How many of the first reservations in the order of the queue are moved to the earliest, and
 * whether the others are moved to now: what the parameter says. */
static inline double cs_rigid_compress_moved(double compress)
{
    return compress == -1 ? INFINITY : compress < 0 ? 0 : compress;
}

static inline bool cs_rigid_compress_others(double compress)
{
    return compress != -3;
}

/* Reservations that begin after this are reasons to be asked.  One that begins when an attempt ends
 * which may end at any moment (desk.h) is none: that end is. */
static inline double cs_rigid_textbook_moment(const struct cs_rigid_view *view)
{
    double moment = nextafter(view->now, INFINITY);

    return cs_rigid_running_count(view->running) &&
                   cs_rigid_running_first(view->running)->end <= moment
               ? moment
               : view->now;
}

#endif
