/* availability_build.h - for the readers of availability only: stretches of hosts, in seconds. */
#ifndef CS_IO_AVAILABILITY_BUILD_H
#define CS_IO_AVAILABILITY_BUILD_H

#include "base/lines.h"
#include "io/availability.h"
#include "io/names.h"

struct cs_stretch {
    int host;
    char state; /* u, r, d */
    double from, to;
};

/* One file, under way. */
struct cs_availability_draft {
    struct cs_arena *arena;
    struct cs_names *names; /* of the hosts */
    const char *kind;
    double gap; /* seconds of a slot, by the file; 0 when it does not say */
    struct cs_stretch *stretch;
    size_t count, room;
};

#define CS_AVAILABILITY_HOSTS_MOST 100000

/* From and to are finite; a stretch that ends before it begins is a bug. */
void cs_availability_add(struct cs_availability_draft *draft, int host, char state, double from,
                         double to);

/* The number of a host of a count, which is called "I" or "NAME I". */
int cs_availability_host(struct cs_availability_draft *draft, int number);

/* The readers; -1 with err. */
int cs_availability_read_json(struct cs_availability_draft *draft, const char *name,
                              const void *bytes, size_t size, struct cs_error *err);
int cs_availability_read_table(struct cs_availability_draft *draft, struct cs_lines *lines,
                               char *line, struct cs_error *err);
int cs_availability_read_spot(struct cs_availability_draft *draft, struct cs_lines *lines,
                              char *line, struct cs_error *err);

#endif
