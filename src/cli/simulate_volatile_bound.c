/* simulate_volatile_bound.c - what makespans are held against: the exact optimum where it can be
 * had, else the clairvoyant bound. */
#include "cli/simulate_volatile.h"
#include "report/human.h"
#include "volatile/optimum.h"

enum { AUTO, CLAIRVOYANT, OPTIMUM };

int cs_simulate_volatile_bound(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const struct cs_volatile_application *app = cs_volatile_instance_application(run->instance);
    int choice = cs_arguments_choice(run->args, "bound");

    if (choice == CLAIRVOYANT)
        return 0;
    run->offline = cs_volatile_offline_name(run->instance);
    run->patience = choice == OPTIMUM ? INT64_MAX : cs_arguments_integer(run->args, "patience");
    if (choice == OPTIMUM && !run->offline)
        return cs_error_set(err,
                            "--bound optimum: the off-line problem knows no transfers, and the "
                            "program takes %d slots, the data %d; leave it at auto",
                            app->program, app->data);
    return 0;
}

static bool is_optimum(const struct cs_simulate_volatile *run, int trial)
{
    return run->offline && run->limit[trial].optimum;
}

const char *cs_simulate_volatile_limit_name(const struct cs_simulate_volatile *run, int trial)
{
    return is_optimum(run, trial) ? run->offline : "clairvoyant";
}

struct cs_simulate_volatile_limits
cs_simulate_volatile_count_limits(const struct cs_simulate_volatile *run)
{
    struct cs_simulate_volatile_limits count = {0};

    for (int t = 0; t < run->trials; t++) {
        count.optima += is_optimum(run, t);
        count.hopeless += run->limit[t].slots < 0;
    }
    return count;
}

void cs_simulate_volatile_put_limits(const struct cs_simulate_volatile *run, struct cs_strbuf *out)
{
    struct cs_simulate_volatile_limits count = cs_simulate_volatile_count_limits(run);

    cs_strbuf_puts(out, "bound: ");
    if (count.optima == 0)
        cs_strbuf_puts(out, "what nobody can beat who knows all states (clairvoyant)");
    else
        cs_strbuf_printf(out, "the optimum of who knows all states (%s)", run->offline);
    if (count.optima > 0 && count.optima < run->trials) {
        cs_strbuf_puts(out, " in ");
        cs_human_units(out, count.optima, "trial");
        cs_strbuf_puts(out, ", a bound on it (clairvoyant) in ");
        cs_human_count(out, run->trials - count.optima);
    }
    if (count.hopeless > 0) {
        cs_strbuf_puts(out, "; in ");
        cs_human_units(out, count.hopeless, "trial");
        cs_strbuf_puts(out, " nobody could have ended in time");
    }
    cs_strbuf_putc(out, '\n');
}
