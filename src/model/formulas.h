/* formulas.h - profiles that are formulas, which large instances keep instead of a table. */
#ifndef CS_MODEL_FORMULAS_H
#define CS_MODEL_FORMULAS_H

#include "model/moldable.h"

bool cs_moldable_all_formulas(const struct cs_workload *workload);

/* Fill a cs_moldable without a table. -1 with err for invalid parameters. */
int cs_moldable_keep_formulas(struct cs_moldable *m, const struct cs_workload *workload,
                              struct cs_arena *arena, struct cs_error *err);

#endif
