/* launch_show.h - what plans of pack and moldable say of the counts that tasks are launched on. */
#ifndef CS_API_LAUNCH_SHOW_H
#define CS_API_LAUNCH_SHOW_H

#include "base/strbuf.h"
#include "problem/launch.h"

/* How far repeated measurements lie apart ("": nothing), and what the mark ~ of so many times says.
 */
void cs_view_put_origins(struct cs_strbuf *out, const char *runs, int marked);

/* The options as they were given, each with a blank in front. */
void cs_view_put_launch(struct cs_strbuf *out, const struct cs_launch_options *options);

/* The same of what a processor is called. */
void cs_view_put_unit(struct cs_strbuf *out, const char *unit);

#endif
