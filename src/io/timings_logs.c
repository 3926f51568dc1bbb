/* timings_logs.c - timings in the logs of LAMMPS and GROMACS (docs/spec/run2.md, F2). */
#include "io/timings.h"

#include "base/number.h"

#include <string.h>

/* The text behind the words, if the line holds them. */
static const char *line_after(const char *line, const char *words)
{
    const char *found = strstr(line, words);

    return found ? found + strlen(words) : NULL;
}

/* The whole number with which a text begins; 0: none. */
static int64_t leading_count(const char *text)
{
    const double number = text ? cs_number_prefix(text + strspn(text, " \t")) : 0;

    return number >= 1 && number < 1e9 && number == (double)(int64_t)number ? (int64_t)number : 0;
}

/* ---- LAMMPS ---- */

#define WHOLE_SECONDS 100 /* below it the total, which has whole seconds only, is too coarse */

bool cs_timings_lammps_detect(const struct cs_timings_source *s)
{
    return !strncmp(s->line[s->first], "LAMMPS (", 8);
}

int cs_timings_lammps_read(struct cs_timings_source *s)
{
    double loops = 0, wall = 0;
    int64_t procs = 0;
    long last = 0;

    for (long l = 0; l < s->lines; l++) {
        const char *loop = line_after(s->line[l], "Loop time of ");
        const char *total = line_after(s->line[l], "Total wall time: ");

        if (loop && line_after(loop, " on ")) {
            loops += cs_number_prefix(loop);
            procs = leading_count(line_after(loop, " on "));
            last = l + 1;
        }
        if (total && !cs_timings_time(total, &wall) && strspn(total, "0:") != strlen(total))
            return cs_timings_error(s, l + 1, "Total wall time: found \"%s\", expected a time",
                                    total);
        if (total && !(wall > 0))
            wall = 1e-9;
    }
    if (!procs)
        return cs_timings_error(s, 0,
                                "a log of LAMMPS without \"Loop time of\": it did not finish");
    if (!(wall > 0))
        return cs_timings_error(s, 0,
                                "a log of LAMMPS without \"Total wall time\": it did not finish");
    if (wall < WHOLE_SECONDS && loops > wall)
        wall = loops;
    cs_timings_add(s, cs_timings_file_app(s, &procs, 1, "log|lammps"), procs,
                   s->options->unit && !strcmp(s->options->unit, "node"), wall, last);
    return 0;
}

/* ---- GROMACS ---- */

static bool is_time_head(const char *line)
{
    return strstr(line, "Core t (s)") && strstr(line, "Wall t (s)");
}

bool cs_timings_gromacs_detect(const struct cs_timings_source *s)
{
    for (long l = 0; l < s->lines; l++)
        if (!strncmp(s->line[l] + strspn(s->line[l], " \t"), "GROMACS version:", 16) ||
            strstr(s->line[l], ":-) GROMACS") || is_time_head(s->line[l]))
            return true;
    return false;
}

struct gromacs {
    int64_t nodes, ranks, threads;
    double wall;
    long line;
};

static void gromacs_line(struct gromacs *g, const char *line, long number)
{
    const char *nodes = line_after(line, "Running on "), *uses = line_after(line, "Using ");
    const char *time = line + strspn(line, " \t");

    if (nodes && strstr(nodes, " node"))
        g->nodes = leading_count(nodes);
    if (uses && strstr(uses, " OpenMP thread"))
        g->threads = leading_count(uses);
    else if (uses && (strstr(uses, " MPI process") || strstr(uses, " MPI thread")))
        g->ranks = leading_count(uses);
    if (!strncmp(time, "Time:", 5)) {
        time += 5 + strspn(time + 5, " \t");
        time += strcspn(time, " \t"); /* the core time */
        g->wall = cs_number_prefix(time + strspn(time, " \t"));
        g->line = number;
    }
}

int cs_timings_gromacs_read(struct cs_timings_source *s)
{
    const char *unit = s->options->unit;
    struct gromacs g = {.ranks = 1, .threads = 1};
    int64_t count[3];
    bool node;

    for (long l = 0; l < s->lines; l++)
        gromacs_line(&g, s->line[l], l + 1);
    if (!(g.wall > 0))
        return cs_timings_error(s, 0,
                                "a log of GROMACS without its \"Time:\" line: it did not finish");
    g.ranks = g.ranks ? g.ranks : 1;
    g.threads = g.threads ? g.threads : 1;
    count[0] = g.nodes;
    count[1] = g.ranks;
    count[2] = g.ranks * g.threads;
    node = unit ? !strcmp(unit, "node") && g.nodes : g.nodes > 1;
    cs_timings_add(s, cs_timings_file_app(s, count, 3, "md|bench|prod"), node ? g.nodes : count[2],
                   node, g.wall, g.line);
    return 0;
}
