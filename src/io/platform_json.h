/* platform_json.h - a platform as JSON: {"name", "unit", "shared_switch", "backbone": {"bandwidth",
 * "latency"}, "clusters": [{"name", "procs", "speed", "bandwidth", "latency"}]}.
 */
#ifndef CS_IO_PLATFORM_JSON_H
#define CS_IO_PLATFORM_JSON_H

#include "base/json.h"
#include "base/jsonw.h"
#include "model/platform.h"

/* NULL with err, which names the place in the file.  Where no cluster has a bandwidth the network
 * is unknown; where some do, the others get the links of platform.h. */
struct cs_platform *cs_platform_json_read(const struct cs_json_at *at, struct cs_error *err);

void cs_platform_json_put(struct cs_jsonw *w, const struct cs_platform *platform);

#endif
