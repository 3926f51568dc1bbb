/* launch_show.h - notes in plans of pack and moldable about the counts on which tasks are launched.
 */
#ifndef CS_API_LAUNCH_SHOW_H
#define CS_API_LAUNCH_SHOW_H

#include "base/strbuf.h"
#include "problem/launch.h"

/* Append the line about the spread of repeated runs ("": no line), and the meaning of the mark ~ of
 * `marked` times. */
void cs_view_put_origins(struct cs_strbuf *out, const char *runs, int marked);

/* Append the options as given, each after a blank. */
void cs_view_put_launch(struct cs_strbuf *out, const struct cs_launch_options *options);

/* The same for the option --unit. */
void cs_view_put_unit(struct cs_strbuf *out, const char *unit);

#endif
