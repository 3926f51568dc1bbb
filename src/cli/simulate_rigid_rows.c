/* simulate_rigid_rows.c - what many scenarios of rigid jobs came to, a row for each way and set. */
#include "cli/simulate_rigid_rows.h"

#include "report/sample_rows.h"

/* set < 0: all of them. */
static void fill_row(const struct cs_simulate_rigid *job, const struct cs_simulate_rigid_view *view,
                     int way, int set, struct cs_simulate_rigid_row *row)
{
    size_t first = ((size_t)way * (size_t)job->input->sets + (size_t)(set < 0 ? 0 : set)) *
                   (size_t)job->scenarios;
    struct cs_arena_mark mark;
    double *value;

    *row = (struct cs_simulate_rigid_row){
        .way = &job->way[way],
        .set = set < 0 ? "" : job->input->set[set].name,
        .jobs = set < 0 ? job->input->jobs : job->input->set[set].jobs.count,
        .runs = (long)job->scenarios * (set < 0 ? job->input->sets : 1),
        .sample = CS_NEW_ARRAY(job->arena, struct cs_sample, view->measures),
    };
    mark = cs_arena_mark(job->arena);
    value = CS_NEW_ARRAY(job->arena, double, row->runs);
    for (int m = 0; m < view->measures; m++) {
        for (long i = 0; i < row->runs; i++)
            value[i] = view->value(job, first + (size_t)i, m);
        row->sample[m] = cs_sample_make(value, (int)row->runs);
    }
    cs_arena_rewind(job->arena, mark);
}

int cs_simulate_rigid_rows(const struct cs_simulate_rigid *job,
                           const struct cs_simulate_rigid_view *view,
                           struct cs_simulate_rigid_row **rows)
{
    int sets = job->input->sets, count = 0;

    *rows = CS_NEW_ARRAY(job->arena, struct cs_simulate_rigid_row, job->ways * (sets + 1));
    for (int w = 0; w < job->ways; w++) {
        for (int s = 0; sets > 1 && s < sets; s++)
            fill_row(job, view, w, s, &(*rows)[count++]);
        fill_row(job, view, w, -1, &(*rows)[count++]);
    }
    return count;
}

static struct cs_sample_rows lead(const struct cs_simulate_rigid *job,
                                  const struct cs_simulate_rigid_view *view,
                                  const struct cs_simulate_rigid_row *row, int count)
{
    static const struct cs_sample_lead leads[] = {
        {"policy", CS_COLUMN_WORD, false},     {"priority", CS_COLUMN_WORD, false},
        {"set", CS_COLUMN_WORD, false},        {"jobs", CS_COLUMN_COUNT, false},
        {"scenarios", CS_COLUMN_COUNT, false},
    };
    struct cs_sample_row *made = CS_NEW_ARRAY(job->arena, struct cs_sample_row, count);

    for (int r = 0; r < count; r++)
        made[r] = (struct cs_sample_row){
            .lead = {{.word = row[r].way->policy},
                     {.word = row[r].way->priority_name},
                     {.word = row[r].set},
                     {.number = row[r].jobs},
                     {.number = (double)row[r].runs}},
            .sample = row[r].sample,
        };
    return (struct cs_sample_rows){leads, view->measure, made, 5, view->measures, count};
}

void cs_simulate_rigid_rows_csv(const struct cs_simulate_rigid *job,
                                const struct cs_simulate_rigid_view *view,
                                const struct cs_simulate_rigid_row *row, int count,
                                struct cs_strbuf *out)
{
    struct cs_sample_rows rows = lead(job, view, row, count);

    cs_sample_rows_csv(&rows, out);
}

void cs_simulate_rigid_rows_json(const struct cs_simulate_rigid *job,
                                 const struct cs_simulate_rigid_view *view,
                                 const struct cs_simulate_rigid_row *row, int count,
                                 struct cs_jsonw *w)
{
    struct cs_sample_rows rows = lead(job, view, row, count);

    cs_sample_rows_json(&rows, w);
}
