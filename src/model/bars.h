/* bars.h - bars of a schedule in an order of their own, for readers of schedules. */
#ifndef CS_MODEL_BARS_H
#define CS_MODEL_BARS_H

/* For qsort of pointers to bars: by task, then start, then place in the schedule. */
int cs_bars_by_task(const void *a, const void *b);

#endif
