/* status.c - the status of a run as JSON. */
#include "base/guard.h"
#include "base/jsonw.h"
#include "model/procset.h"
#include "run/executor.h"
#include "run/history.h"
#include "run/template.h"

#include <cosched/run.h>
#include <math.h>
#include <time.h>

static bool shows_progress(const struct cs_run_history *history, int task)
{
    const struct cs_run_checkpoint *c = history->setup.task[task].settings->checkpoint;

    return c && c->progress;
}

/* The last attempt of each task; NULL for those that have none. */
static const struct cs_run_attempt_history **last_attempts(const struct cs_run_history *history)
{
    const struct cs_run_attempt_history **last =
        CS_NEW_ARRAY(history->arena, const struct cs_run_attempt_history *, history->setup.tasks);

    for (int64_t a = 0; a < history->attempts; a++)
        if (history->attempt[a].outcome != CS_RUN_VOID)
            last[history->attempt[a].task] = &history->attempt[a];
    return last;
}

const char *cs_run_history_state(const struct cs_run_history *history)
{
    const int *count = history->run.in_state;

    if (count[CS_RUN_DONE] == history->setup.tasks)
        return "done";
    if (cs_run_is_over(&history->run))
        return "failed";
    if (history->alive)
        return history->run.stopping ? "stopping" : "running";
    return history->run.stopping ? "stopped" : "no executor";
}

static void put_output(const struct cs_run_history *history,
                       const struct cs_run_attempt_history *attempt, struct cs_strbuf *out)
{
    if (!history->setup.task[attempt->task].settings->out)
        cs_run_attempt_path(history->folder, attempt->number, "out", out);
}

static void status_put_time(struct cs_jsonw *w, const char *key, double seconds)
{
    time_t whole = (time_t)seconds;
    char text[40] = "";
    struct tm parts;

    if (gmtime_r(&whole, &parts))
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    cs_jsonw_put_string(w, key, text);
}

static void put_task(struct cs_jsonw *w, const struct cs_run_history *history, int task,
                     const struct cs_run_attempt_history *attempt)
{
    const struct cs_run_usage *usage = &history->run.usage[task];
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_string(w, "task", history->setup.task[task].name);
    cs_jsonw_put_string(w, "state", cs_run_task_state_name((enum cs_run_task_state)usage->state));
    cs_jsonw_put_int(w, "tries", usage->tries);
    if (attempt) {
        cs_procset_print(&text, attempt->slots, attempt->intervals);
        cs_jsonw_put_int(w, "attempt", attempt->number);
        cs_jsonw_put_string(w, "slots", text.text);
        cs_jsonw_put_double(w, "start", isfinite(attempt->began) ? attempt->began : attempt->start);
        cs_jsonw_put_double(w, "end", attempt->outcome ? attempt->ended : NAN);
        cs_jsonw_put_double(w, "expected_end", attempt->start + attempt->expected);
        cs_jsonw_put_string(w, "outcome",
                            attempt->outcome ? cs_run_outcome_name(attempt->outcome) : NULL);
        cs_strbuf_clear(&text);
        put_output(history, attempt, &text);
        cs_jsonw_put_string(w, "output", text.length ? text.text : NULL);
    }
    if (shows_progress(history, task))
        cs_jsonw_put_double(w, "progress", usage->progress);
    cs_jsonw_close(w);
    cs_strbuf_release(&text);
}

static void put_slots(struct cs_jsonw *w, const struct cs_run_history *history)
{
    const char **holder = CS_NEW_ARRAY(history->arena, const char *, history->slots);

    for (int a = 0; a < history->run.count; a++)
        for (int k = 0; k < history->run.running[a]->count; k++)
            holder[history->run.running[a]->slot[k]] =
                history->setup.task[history->run.running[a]->task].name;
    cs_jsonw_key(w, "slots");
    cs_jsonw_open(w, '[');
    for (int s = 0; s < history->slots; s++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_int(w, "slot", s);
        cs_jsonw_put_string(w, "host", history->host[s]);
        cs_jsonw_put_bool(w, "up", !history->run.slots.down[s]);
        cs_jsonw_put_string(w, "task", holder[s]);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void status_put_json(const struct cs_run_history *history, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    const struct cs_run_attempt_history **last = last_attempts(history);

    cs_jsonw_open(&w, '{');
    cs_jsonw_put_string(&w, "format", "cosched-run-status-1");
    cs_jsonw_put_string(&w, "run", history->id);
    cs_jsonw_put_string(&w, "folder", history->folder);
    cs_jsonw_put_string(&w, "state", cs_run_history_state(history));
    cs_jsonw_put_string(&w, "engine", history->engine);
    cs_jsonw_put_string(&w, "input", history->input);
    status_put_time(&w, "began", history->began);
    cs_jsonw_put_string(&w, "executor", history->alive ? history->worker : NULL);
    for (int s = 0; s <= CS_RUN_TASK_STATE_LAST; s++)
        cs_jsonw_put_int(&w, cs_run_task_state_name((enum cs_run_task_state)s),
                         history->run.in_state[s]);
    cs_jsonw_key(&w, "tasks");
    cs_jsonw_open(&w, '[');
    for (int t = 0; t < history->setup.tasks; t++)
        put_task(&w, history, t, last[t]);
    cs_jsonw_close(&w);
    put_slots(&w, history);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

char *cs_run_status(const char *folder, struct cs_error *err)
{
    CS_ASK(folder, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_run_history *history = cs_run_history_read(folder, err);
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!history)
        return NULL;
    status_put_json(history, &text);
    cs_run_history_destroy(history);
    return cs_strbuf_take(&text);
}
