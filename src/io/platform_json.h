/* platform_json.h - a platform as JSON: {"unit", "clusters": [{"name", "procs", "speed"}]}. */
#ifndef CS_IO_PLATFORM_JSON_H
#define CS_IO_PLATFORM_JSON_H

#include "base/json.h"
#include "base/jsonw.h"

#include <cosched/platform.h>

/* NULL with err, which names the place in the file. */
struct cs_platform *cs_platform_json_read(const struct cs_json_at *at, struct cs_error *err);

void cs_platform_json_put(struct cs_jsonw *w, const struct cs_platform *platform);

#endif
