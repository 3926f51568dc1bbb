/* site_build.h - for the readers of machines only. */
#ifndef CS_IO_SITE_BUILD_H
#define CS_IO_SITE_BUILD_H

#include "base/lines.h"
#include "io/site_file.h"

#define CS_SITE_NODES_MOST 10000000
#define CS_SITE_LARGEST INT64_C(1000000000000)

/* "node", "pooled", "packed".  -1 with err. */
int cs_site_kind_parse(const char *word, enum cs_site_kind *kind, struct cs_error *err);

int cs_site_conf_read(struct cs_lines *lines, const struct cs_site_reading *how,
                      struct cs_site_file *out, struct cs_arena *arena, struct cs_error *err);

/* Node names such as n[001-003,007],gpu1; each goes to `take`.  -1 with err. */
int cs_site_names_expand(const char *list, int (*take)(void *who, const char *name), void *who,
                         struct cs_error *err);

#endif
