/* engines.c - by name. */
#include "run/engine.h"

#include <string.h>

const struct cs_run_engine *cs_run_engine_find(const char *name)
{
    if (!strcmp(name, "local") || !strcmp(name, "dry"))
        return &cs_run_engine_local;
    return strcmp(name, "slurm") ? NULL : &cs_run_engine_slurm;
}
