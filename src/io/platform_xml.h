/* platform_xml.h - what a SimGrid platform says of clusters. */
#ifndef CS_IO_PLATFORM_XML_H
#define CS_IO_PLATFORM_XML_H

#include "model/platform.h"

#include <stddef.h>

/* Every <cluster>, in any zone: as many processors as its radical names, a processor being a node
 * of speed times cores.  The links on the routes between zones make the backbone (its bandwidth is
 * that of the narrowest, its latency the longest) unless all of them are FATPIPE, which is one
 * switch; without routes it is the default one.  What else the file says (hosts of their own,
 * traces, the inside of a cluster's network) is not looked at. */
struct cs_platform *cs_platform_xml_read(const char *file, const char *bytes, size_t size,
                                         struct cs_error *err);

/* cs_platform_read for bytes; `name` is for messages. */
struct cs_platform *cs_platform_read_memory(const char *name, const void *bytes, size_t size,
                                            struct cs_error *err);

#endif
