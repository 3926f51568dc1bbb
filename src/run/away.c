/* away.c - stop running attempts, and kill them after their grace.
 *
 * The keeper of an attempt signals its program and measures the grace. If the engine forwards
 * signals, because the program runs on another host, the executor does both; the keeper, which
 * outlives it, then waits longer and kills its own child. A launcher of the user is signalled by
 * the keeper, also if it starts remote programs.
 */
#define _GNU_SOURCE
#include "run/executor.h"

#include <math.h>
#include <signal.h>

#define LATER 30.0    /* seconds by which the keeper is more patient than the executor */
#define ENDS_SOON 5.0 /* seconds after which what was killed elsewhere must have ended here */
#define OFTEN 0.5     /* seconds between two looks */

bool cs_run_is_step(const struct cs_run_executor *x, int task)
{
    return x->engine->launch && !x->setup.task[task].settings->launches;
}

void cs_run_ask(struct cs_run_executor *x, struct cs_run_attempt *attempt, int number)
{
    const double grace = x->setup.task[attempt->task].settings->grace;

    attempt->asked = true;
    attempt->sent = 2;
    if (!cs_run_is_step(x, attempt->task) || !attempt->pid) {
        cs_run_signal_keeper(attempt, number);
        return;
    }
    attempt->asked_with = number;
    attempt->kill_at = cs_run_clock(x) + grace;
    cs_run_report_keeper(attempt, 0, grace + LATER);
    attempt->reached = x->engine->signal(x, attempt, number);
}

void cs_run_abandon(struct cs_run_executor *x, struct cs_run_attempt *attempt)
{
    attempt->reached = attempt->gone = true;
    attempt->kill_at = attempt->timeout_at = INFINITY;
    cs_run_ask_nobody(x, attempt);
}

static void watch_one(struct cs_run_executor *x, struct cs_run_attempt *attempt, double now)
{
    if (!attempt->asked && now >= attempt->timeout_at) {
        attempt->timed_out = true;
        cs_run_ask(x, attempt, SIGTERM);
    }
    if (attempt->asked_with && !attempt->reached)
        attempt->reached = x->engine->signal(x, attempt, attempt->asked_with);
    if (now < attempt->kill_at)
        return;
    attempt->kill_at = INFINITY;
    attempt->reached = true;
    x->engine->signal(x, attempt, SIGKILL);
    cs_run_report_keeper(attempt, 0, ENDS_SOON);
}

void cs_run_watch_asked(struct cs_run_executor *x)
{
    const double now = cs_run_clock(x);

    if (!x->engine->signal || now < x->watched + OFTEN)
        return;
    x->watched = now;
    for (int a = 0; a < x->run.count; a++)
        if (x->run.running[a]->pid && cs_run_is_step(x, x->run.running[a]->task))
            watch_one(x, x->run.running[a], now);
}
