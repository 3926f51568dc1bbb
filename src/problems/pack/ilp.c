/* ilp.c - the policy ilp: the integer program of Theorem 4, as printed, for the record; and the
 * same program as a file in LP format, for any solver.
 *
 * Source: Aupy et al., Theorem 4; docs/spec/pack.md 4.
 *
 *   minimise sum y(b)        packs b = 0 .. n - 1, of which some stay empty
 *   x(i, j, b) = 1 when task i runs on j processors in pack b
 *   every task has one (j, b); a pack has at most K tasks and p processors;
 *   t(i, j) x(i, j, b) <= y(b)
 *
 * Valid but weak: packs can be renumbered at will, and half a task costs half its time.
 * The policy `exact` is the one to use.
 * Invariant: counts below the minimum of a task are fixed to 0.
 * Complexity: n + n^2 p columns; CBC needs seconds at n = 5, p = 6 (docs/spec/pack.md 4).
 *
 * constant  value  unit     found by                      half, double
 * TASKS         5  tasks    CBC at n = 5 takes seconds    not measured
 * COLUMNS     200  columns  x(i, j, b): n = 5, p <= 8      not measured
 * SCALE       100  scaled   absolute tolerances of CBC    not measured
 */
#include "problems/pack/ilp.h"

#include "base/file.h"
#include "config.h"
#include "problems/pack/policy.h"

#include <math.h>

#define TASKS 5
#define COLUMNS 200

/* Where the rows of a program go. */
struct sink {
    void (*row)(void *who, int count, const int *column, const double *value, char sense,
                double rhs);
    void *who;
};

struct ilp {
    const struct cs_pack_instance *in;
    struct sink sink;
    int tasks, procs;
    double scale;
    int *index; /* of one row */
    double *value;
    int count;
};

/* The columns y(0) .. y(n - 1) come first. */
static int x_of(const struct ilp *m, int i, int j, int b)
{
    return m->tasks + (i * m->procs + j - 1) * m->tasks + b;
}

static bool ilp_runs(const struct ilp *m, int i, int j)
{
    return j >= m->in->tasks->min_procs[i];
}

static void ilp_put(struct ilp *m, int column, double value)
{
    m->index[m->count] = column;
    m->value[m->count++] = value;
}

static void end_row(struct ilp *m, char sense, double rhs)
{
    m->sink.row(m->sink.who, m->count, m->index, m->value, sense, rhs);
    m->count = 0;
}

static void add_task_rows(struct ilp *m)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++) {
            for (int b = 0; b < m->tasks; b++)
                ilp_put(m, x_of(m, i, j, b), 1);
        }
        end_row(m, 'E', 1);
        for (int j = 1; j <= m->procs && !ilp_runs(m, i, j); j++) {
            for (int b = 0; b < m->tasks; b++)
                ilp_put(m, x_of(m, i, j, b), 1);
        }
        if (m->count)
            end_row(m, 'E', 0);
    }
}

static void add_pack_rows(struct ilp *m, int b)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++)
            ilp_put(m, x_of(m, i, j, b), 1);
    }
    end_row(m, 'L', m->in->pack_size);
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++)
            ilp_put(m, x_of(m, i, j, b), j);
    }
    end_row(m, 'L', m->procs);
}

static void add_time_rows(struct ilp *m)
{
    for (int i = 0; i < m->tasks; i++) {
        for (int j = 1; j <= m->procs; j++) {
            for (int b = 0; b < m->tasks && ilp_runs(m, i, j); b++) {
                ilp_put(m, x_of(m, i, j, b), cs_pack_time(m->in, i, j) * m->scale);
                ilp_put(m, b, -1);
                end_row(m, 'L', 0);
            }
        }
    }
}

static void add_rows(struct ilp *m)
{
    add_task_rows(m);
    for (int b = 0; b < m->tasks; b++)
        add_pack_rows(m, b);
    add_time_rows(m);
}

static void ilp_init(struct ilp *m, const struct cs_pack_instance *in, double scale,
                     struct cs_arena *arena)
{
    *m = (struct ilp){
        .in = in, .tasks = in->tasks->count, .procs = in->tasks->procs, .scale = scale};
    m->index = CS_NEW_ARRAY(arena, int, m->tasks * m->procs + 1);
    m->value = CS_NEW_ARRAY(arena, double, m->tasks * m->procs + 1);
}

#if CS_HAVE_CBC

#include "problems/pack/cbc.h"
#include "problems/pack/coin.h"

#define SCALE 100.0 /* the longest time becomes this, for CBC's absolute tolerances */

static void add_columns(const struct ilp *m, struct cs_pack_cbc *program)
{
    int count = m->tasks * m->procs * m->tasks;

    for (int b = 0; b < m->tasks; b++)
        cs_pack_cbc_column(program, 1, false);
    for (int a = 0; a < count; a++)
        cs_pack_cbc_column(program, 0, true);
}

static void put_row(void *who, int count, const int *column, const double *value, char sense,
                    double rhs)
{
    cs_pack_cbc_row(who, count, column, value, sense, rhs);
}

static bool is_in(const struct ilp *m, const double *solution, int i, int b)
{
    for (int j = 1; j <= m->procs; j++) {
        if (solution[x_of(m, i, j, b)] > 0.5)
            return true;
    }
    return false;
}

static void read_plan(const struct ilp *m, const double *solution, struct cs_pack_plan *plan)
{
    for (int b = 0; b < m->tasks; b++) {
        int before = plan->tasks;

        for (int i = 0; i < m->tasks; i++) {
            if (is_in(m, solution, i, b))
                cs_pack_plan_add(plan, i, m->in->tasks->min_procs[i]);
        }
        if (plan->tasks > before)
            cs_pack_plan_close(plan, 0);
    }
}

/* The fallback when patience ends first: each task alone in a pack. */
static void run_alone(const struct ilp *m, struct cs_pack_plan *plan)
{
    for (int i = 0; i < m->tasks; i++) {
        cs_pack_plan_add(plan, i, m->in->tasks->min_procs[i]);
        cs_pack_plan_close(plan, 0);
    }
}

static double ilp_longest(const struct cs_pack_instance *in)
{
    double most = 0;

    for (int i = 0; i < in->tasks->count; i++)
        most = fmax(most, cs_pack_time(in, i, in->tasks->min_procs[i]));
    return most;
}

static int ilp_solve(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                     struct cs_pack_plan *plan)
{
    struct cs_pack_cbc *program;
    struct ilp m;
    double *solution;

    if (cs_pack_coin_load(context->err))
        return -1;
    ilp_init(&m, in, SCALE / ilp_longest(in), context->scratch);
    solution = CS_NEW_ARRAY(context->scratch, double, m.tasks + m.tasks * m.procs * m.tasks);
    program = cs_pack_cbc_create();
    m.sink = (struct sink){put_row, program};
    add_columns(&m, program);
    add_rows(&m);
    plan->optimal = cs_pack_cbc_solve(program, 0, context, solution) == CS_PACK_CBC_SOLVED;
    cs_pack_cbc_destroy(program);
    if (plan->optimal)
        read_plan(&m, solution, plan);
    else
        run_alone(&m, plan);
    cs_pack_plan_share(in, plan, context->scratch);
    plan->bound = plan->optimal ? plan->total : 0;
    return 0;
}

#define MISSING NULL

#else

#define MISSING "install CLP and CBC (coinor-libclp-dev, coinor-libcbc-dev) and build again"

static int ilp_solve(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                     struct cs_pack_plan *plan)
{
    (void)in;
    (void)context;
    (void)plan;
    return 0;
}

#endif

static int plan_ilp(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                    struct cs_pack_plan *plan)
{
    int tasks = in->tasks->count, procs = in->tasks->procs;

    if (tasks > TASKS || procs > COLUMNS / (tasks * tasks))
        return cs_error_set(context->err,
                            "ilp: %d tasks on %d processors are too many for this program: it "
                            "takes at most %d tasks, and tasks x tasks x procs up to %d; exact "
                            "plans far more",
                            tasks, procs, TASKS, COLUMNS);
    return ilp_solve(in, context, plan);
}

const struct cs_pack_policy cs_pack_policy_ilp = {
    .info =
        {
            .name = "ilp",
            .problem = "pack",
            .summary = "the integer program of the paper; up to 5 tasks, for the record",
            .source = "Aupy et al., Theorem 4",
            .missing = MISSING,
            .exact = true,
        },
    .plan = plan_ilp,
};

/* ---- LP format ---- */

#define LARGEST 20000000 /* terms: about 400 MB of text */
#define TERMS 8          /* in a line; solvers read at least 255 characters */
#define CHUNK 65536

struct lp_text {
    struct ilp m;
    const char *const *name; /* of each task */
    struct cs_strbuf out;
    int fd, rows;
    bool failed; /* errno has the reason */
};

static void lp_flush(struct lp_text *t)
{
    if (!t->failed && cs_file_put(t->fd, t->out.text, t->out.length))
        t->failed = true;
    cs_strbuf_clear(&t->out);
}

static void lp_put_name(struct lp_text *t, int column)
{
    const struct ilp *m = &t->m;
    const int at = column - m->tasks;

    if (at < 0)
        cs_strbuf_printf(&t->out, "y%d", column);
    else
        cs_strbuf_printf(&t->out, "x%d_%d_%d", at / m->tasks / m->procs,
                         at / m->tasks % m->procs + 1, at % m->tasks);
}

static void lp_put_row(void *who, int count, const int *column, const double *value, char sense,
                       double rhs)
{
    struct lp_text *t = who;

    cs_strbuf_printf(&t->out, " r%d:", ++t->rows);
    for (int a = 0; a < count; a++) {
        cs_strbuf_puts(&t->out, a && a % TERMS == 0 ? "\n  " : " ");
        cs_strbuf_puts(&t->out, value[a] < 0 ? "- " : a ? "+ " : "");
        if (fabs(value[a]) != 1) {
            cs_strbuf_put_double(&t->out, fabs(value[a]));
            cs_strbuf_puts(&t->out, " ");
        }
        lp_put_name(t, column[a]);
    }
    cs_strbuf_puts(&t->out, sense == 'E' ? " = " : " <= ");
    cs_strbuf_put_double(&t->out, rhs);
    cs_strbuf_puts(&t->out, "\n");
    if (t->out.length > CHUNK)
        lp_flush(t);
}

static void lp_put_head(struct lp_text *t)
{
    const struct ilp *m = &t->m;

    cs_strbuf_printf(
        &t->out,
        "\\ Aupy et al., Theorem 4: %d tasks, %d processors, at most %d tasks a pack\n"
        "\\ xI_J_B = 1: task I runs on J processors in pack B; yB: seconds of pack B\n",
        m->tasks, m->procs, m->in->pack_size);
    for (int i = 0; i < m->tasks; i++) {
        cs_strbuf_printf(&t->out, "\\ task %d: ", i);
        cs_strbuf_put_excerpt(&t->out, t->name[i]);
        cs_strbuf_puts(&t->out, "\n");
    }
    cs_strbuf_puts(&t->out, "Minimize\n cost:");
    for (int b = 0; b < m->tasks; b++)
        cs_strbuf_printf(&t->out, "%s%sy%d", b && b % TERMS == 0 ? "\n  " : " ", b ? "+ " : "", b);
    cs_strbuf_puts(&t->out, "\nSubject To\n");
}

static void lp_put_binaries(struct lp_text *t)
{
    const int count = t->m.tasks * t->m.procs * t->m.tasks;

    cs_strbuf_puts(&t->out, "Binary\n");
    for (int a = 0; a < count; a++) {
        cs_strbuf_puts(&t->out, " ");
        lp_put_name(t, t->m.tasks + a);
        if (a % TERMS == TERMS - 1 || a == count - 1)
            cs_strbuf_puts(&t->out, "\n");
        if (t->out.length > CHUNK)
            lp_flush(t);
    }
    cs_strbuf_puts(&t->out, "End\n");
    lp_flush(t);
}

static int lp_fill(void *who, int fd)
{
    struct lp_text *t = who;

    t->fd = fd;
    lp_put_head(t);
    add_rows(&t->m);
    lp_put_binaries(t);
    return t->failed ? -1 : 0;
}

int cs_pack_ilp_write(const struct cs_pack_instance *in, const char *const *name, const char *path,
                      struct cs_error *err)
{
    const double tasks = in->tasks->count, terms = 4 * tasks * tasks * in->tasks->procs;
    struct lp_text t = {.name = name, .out = CS_STRBUF_INIT};
    struct cs_arena *arena;
    int status;

    if (terms > LARGEST)
        return cs_error_set(err,
                            "--write-lp: found %d tasks on %d processors (about %.0f terms), "
                            "expected at most %d terms",
                            in->tasks->count, in->tasks->procs, terms, LARGEST);
    arena = cs_arena_create();
    ilp_init(&t.m, in, 1, arena);
    t.m.sink = (struct sink){lp_put_row, &t};
    status = cs_file_fill(path, lp_fill, &t, err);
    cs_strbuf_release(&t.out);
    cs_arena_destroy(arena);
    return status;
}
