/* launch_show.c - notes below plans, and options repeated in a command. */
#include "api/views/launch_show.h"

#include "report/human.h"

#include <math.h>
#include <string.h>

void cs_view_put_origins(struct cs_strbuf *out, const char *runs, int marked)
{
    if (*runs)
        cs_strbuf_printf(out, "\n%s\n", runs);
    if (marked == 0)
        return;
    cs_strbuf_puts(out, "\n~ ");
    cs_human_units(out, marked, "time");
    cs_strbuf_puts(out, marked == 1 ? " was" : " were");
    cs_strbuf_puts(out, " not measured on that count: between measured counts, or below them\n");
}

static void launch_show_put_text(struct cs_strbuf *out, const char *option, const char *text)
{
    cs_strbuf_printf(out, " --%s ", option);
    cs_strbuf_put_shell(out, text);
}

void cs_view_put_unit(struct cs_strbuf *out, const char *unit)
{
    if (unit && strcmp(unit, "processor") != 0)
        launch_show_put_text(out, "unit", unit);
}

void cs_view_put_launch(struct cs_strbuf *out, const struct cs_launch_options *o)
{
    static const char *const times[] = {"", " --times median", " --times max"};

    cs_strbuf_printf(out, "%s%s%s", o->fill == 1 ? " --interpolate power" : "",
                     o->fewer == 1 ? " --extrapolate scale" : "", times[o->times]);
    if (o->min_procs != CS_PARAM_NONE)
        cs_strbuf_printf(out, " --min-procs %lld", (long long)o->min_procs);
    if (o->max_procs != CS_PARAM_NONE)
        cs_strbuf_printf(out, " --max-procs %lld", (long long)o->max_procs);
    if (o->counts)
        launch_show_put_text(out, "counts", o->counts);
    if (!isnan(o->walltime))
        cs_strbuf_printf(out, " --walltime %.15g", o->walltime);
    if (o->margin > 1)
        cs_strbuf_printf(out, " --margin %.15g", o->margin);
}
