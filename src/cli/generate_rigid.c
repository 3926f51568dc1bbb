/* generate_rigid.c - cosched generate rigid: the synthetic sets of Benoit et al. 2021. */
#include "base/arena.h"
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "rigid/random_jobs.h"
#include "study/rows.h"

static void put_jobs(struct cs_strbuf *out, const double *seconds, const int *procs, int count)
{
    cs_strbuf_puts(out, "name,procs,seconds\n");
    for (int j = 0; j < count; j++) {
        cs_strbuf_printf(out, "job%d,%d,", j + 1, procs[j]);
        cs_strbuf_put_double(out, seconds[j]);
        cs_strbuf_putc(out, '\n');
    }
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    int count = (int)cs_arguments_integer(args, "jobs");
    const char *output = cs_arguments_text(args, "output");
    struct cs_arena *arena = cs_arena_create();
    double *seconds = CS_NEW_ARRAY(arena, double, count);
    int *procs = CS_NEW_ARRAY(arena, int, count);
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status = cs_output_check(output, err);

    if (!status) {
        cs_rigid_draw_jobs((uint64_t)cs_arguments_integer(args, "seed"),
                           (uint64_t)cs_arguments_integer(args, "set"), count, seconds, procs);
        put_jobs(&text, seconds, procs, count);
        status = cs_file_write(output ? output : "-", text.text, text.length, err);
    }
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
    return status;
}

static const struct cs_field options[] = {
    CS_FIELD_COUNT_ROW("jobs", "100", 1, 10000000, "how many"),
    CS_FIELD_WHOLE_ROW("set", "K", "0", 0, 1000000000,
                       "number of the set; the paper has 30, here 0 to 29"),
    CS_FIELD_SEED_ROW("of the draws; a job depends on seed, set and its own number only"),
    CS_FIELD_OUTPUT_ROW("FILE.csv"),
    {0},
};

static const struct cs_example examples[] = {
    {"A set of the paper on its machine:",
     "cosched generate rigid --set 3 | cosched simulate rigid - --procs 10000 -q 0.3 --set 3"},
    {0},
};

const struct cs_command cs_command_generate_rigid = {
    .words = "generate rigid",
    .summary = "write a synthetic set of jobs of fixed width",
    .description =
        "Write jobs as CSV with the columns name,procs,seconds: 50 to 2000 processors and 100 to "
        "20000 seconds, both uniform, as in Section 5.1 of Benoit et al., \"Resilient Scheduling "
        "Heuristics for Rigid Parallel Jobs\".",
    .options = options,
    .examples = examples,
    .run = run,
};
