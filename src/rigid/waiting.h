/* waiting.h - who waits, counted: by width, and by number. */
#ifndef CS_RIGID_WAITING_H
#define CS_RIGID_WAITING_H

#include <stdint.h>

/* How many jobs of each width wait.  Start with { 0 }. */
struct cs_rigid_widths {
    int count, room;
    int64_t *width; /* ascending */
    int64_t *sum;   /* Fenwick's tree over them, from 1 */
};

void cs_rigid_widths_add(struct cs_rigid_widths *widths, int64_t width, int change);
int64_t cs_rigid_widths_at_most(const struct cs_rigid_widths *widths, int64_t width);
void cs_rigid_widths_release(struct cs_rigid_widths *widths);

/* The numbers of jobs that have never started.  Start with { 0 }. */
struct cs_rigid_numbers {
    int64_t room, used, count; /* seats; given out; that are taken */
    int64_t *number;           /* of each seat, ascending */
    int64_t *sum;              /* Fenwick's tree over the seats that are taken, from 1 */
};

void cs_rigid_numbers_add(struct cs_rigid_numbers *numbers, int64_t number); /* ascending */
void cs_rigid_numbers_remove(struct cs_rigid_numbers *numbers, int64_t number);
int64_t cs_rigid_numbers_below(const struct cs_rigid_numbers *numbers, int64_t number);
void cs_rigid_numbers_release(struct cs_rigid_numbers *numbers);

#endif
