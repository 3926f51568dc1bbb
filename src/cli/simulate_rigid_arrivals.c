/* simulate_rigid_arrivals.c - --arrivals: a log, or its sets, replayed with the submit times. */
#include "cli/base/output.h"
#include "cli/simulate_rigid.h"

#include <math.h>

struct cs_rigid_replay_outcome *cs_simulate_rigid_replayed(const struct cs_simulate_rigid *job,
                                                           int way, int set)
{
    size_t place = (size_t)way * (size_t)job->input->sets + (size_t)set;

    return job->replayed + place * (size_t)job->scenarios;
}

/* The jobs of each set, in the order of the input's set. */
static void make_sets(struct cs_simulate_rigid *job)
{
    const struct cs_arguments *args = job->args;
    const struct cs_joblog *log = job->input->log;
    bool run_times = cs_arguments_choice(args, "estimates") == 1;
    int sets, by_count = cs_arguments_given(args, "by-count")
                             ? (int)cs_arguments_integer(args, "by-count")
                             : 0;
    const struct cs_rigid_set *set = cs_arguments_given(args, "by-day")
                                         ? cs_rigid_sets_by_day(log, 0, &sets, job->arena)
                                         : cs_rigid_sets_by_count(log, by_count, &sets, job->arena);

    job->arriving = CS_NEW_ARRAY(job->arena, struct cs_rigid_replay_jobs, job->input->sets);
    for (int s = 0; s < job->input->sets; s++) {
        static const struct cs_rigid_set none = {.count = 0};

        job->arriving[s] = (struct cs_rigid_replay_jobs){
            cs_rigid_arrivals_of_set(log, s < sets ? &set[s] : &none, run_times, job->arena),
            job->drawn[s]};
    }
}

static void show_progress(void *who, long done)
{
    struct cs_simulate_rigid *job = who;

    cs_progress_show(&job->bar, (double)done);
}

static int run(struct cs_simulate_rigid *job, struct cs_error *err)
{
    struct cs_rigid_replay *way = CS_NEW_ARRAY(job->arena, struct cs_rigid_replay, job->ways);
    const struct cs_rigid_replay_study study = {
        .machine = job->input->machine,
        .verification = job->input->set[0].jobs.verification,
        .sets = job->input->sets,
        .ways = job->ways,
        .scenarios = job->scenarios,
        .set = job->arriving,
        .way = way,
        .threads = job->threads,
        .progress = show_progress,
        .who = job,
    };
    size_t runs = (size_t)job->ways * (size_t)job->input->sets * (size_t)job->scenarios;
    int status;

    for (int w = 0; w < job->ways; w++)
        way[w] = job->way[w].replay;
    job->replayed = CS_NEW_ARRAY(job->arena, struct cs_rigid_replay_outcome, runs);
    job->bar = cs_progress_begin((double)runs);
    status = cs_rigid_replay_study_run(&study, job->replayed, err);
    cs_progress_end(&job->bar);
    return status;
}

/* The strong bound knows no submit times, but holds with them: the larger of the two counts. */
static int raise_bounds(struct cs_simulate_rigid *job, struct cs_error *err)
{
    double *bound = CS_NEW_ARRAY(job->arena, double, job->scenarios);

    for (int s = 0; s < job->input->sets; s++) {
        if (cs_rigid_study_bounds(job->drawn[s], job->threads, bound, err))
            return -1;
        for (int w = 0; w < job->ways; w++) {
            struct cs_rigid_replay_outcome *outcome = cs_simulate_rigid_replayed(job, w, s);

            for (int i = 0; i < job->scenarios; i++) {
                outcome[i].bound = fmax(outcome[i].bound, bound[i]);
                outcome[i].ratio =
                    outcome[i].bound > 0 ? outcome[i].result.makespan / outcome[i].bound : 1;
            }
        }
    }
    return 0;
}

int cs_simulate_rigid_arrivals(struct cs_simulate_rigid *job, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(job->args, "format");
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!job->input->log)
        return cs_error_set(err,
                            "--arrivals is for a job log, which knows when jobs were submitted: %s "
                            "is a list of jobs",
                            job->path);
    make_sets(job);
    if (run(job, err) || (cs_arguments_choice(job->args, "bound") == 1 && raise_bounds(job, err)) ||
        cs_simulate_rigid_arrivals_files(job, err))
        return -1;
    cs_simulate_rigid_arrivals_show(job, format, &text);
    cs_output_put(&text);
    cs_strbuf_release(&text);
    return 0;
}
