/* finding.h - the results of the checker, as JSON. */
#ifndef CS_API_FINDING_H
#define CS_API_FINDING_H

#include "base/jsonw.h"
#include "check/check.h"

#define CS_FINDING_SHOWN 1000 /* most violations listed */

/* Append the name of task number `task` in a report. */
typedef void cs_finding_name_f(const void *who, int task, struct cs_strbuf *out);

/* The members "verdict", "total", "missing", "note" and "violations" of an object. */
void cs_finding_put(struct cs_jsonw *w, const struct cs_check_report *report,
                    cs_finding_name_f *name, const void *who);

#endif
