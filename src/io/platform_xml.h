/* platform_xml.h - the clusters of a SimGrid platform. */
#ifndef CS_IO_PLATFORM_XML_H
#define CS_IO_PLATFORM_XML_H

#include "model/platform.h"

#include <stddef.h>

/* Every <cluster>, in any zone: as many processors as its radical names, a processor being a node
 * of speed times cores. The links on the routes between zones make the backbone (its bandwidth is
 * that of the narrowest, its latency the longest) unless all of them are FATPIPE, which is one
 * switch; without routes it is the default one. Other elements of the file (single hosts, traces,
 * the network inside a cluster) are ignored. */
struct cs_platform *cs_platform_xml_read(const char *file, const char *bytes, size_t size,
                                         struct cs_error *err);

/* cs_platform_read for bytes; `name` is for messages. */
struct cs_platform *cs_platform_read_memory(const char *name, const void *bytes, size_t size,
                                            struct cs_error *err);

#endif
