/* seconds.h - times as people write them. */
#ifndef CS_BASE_SECONDS_H
#define CS_BASE_SECONDS_H

/* Seconds from 90, 1.5, 1e4, 500ms, 30s, 2m, 1h, 1d, 2w, 10y (years of 365 days), 1:30, 2:00:00 or
 * 1-12:00:00. -1 if it has another form, or is not finite. */
int cs_seconds_parse(const char *text, double *seconds);

#endif
