/* moldable_sizes.h - the view of moldable: several sizes of the machine, and the closing line. */
#ifndef CS_API_VIEWS_MOLDABLE_SIZES_H
#define CS_API_VIEWS_MOLDABLE_SIZES_H

#include "api/view.h"
#include "problems/moldable/problem.h"

/* Append the closing line of a plan (spec/bag.md 7.7), and the object of the key `advice`. */
void cs_moldable_put_advice(const struct cs_moldable_case *c, struct cs_strbuf *out);
void cs_moldable_json_advice(const struct cs_moldable_case *c, struct cs_jsonw *w);

/* Append the results of several sizes: table and answers, CSV, cosched-frontier-1. */
void cs_moldable_show_sizes(const struct cs_moldable_case *c, const struct cs_show *how,
                            struct cs_strbuf *out);

/* Append the makespan over the hours charged as SVG. -1 with err. */
int cs_moldable_draw_sizes(const struct cs_moldable_case *c, struct cs_strbuf *svg,
                           struct cs_error *err);

#endif
