/* site_keys.c - keys of a slurm.conf that change scheduling and are not modelled. */
#include "base/plain.h"
#include "base/strbuf.h"
#include "io/site_conf.h"

#include <string.h>

/* Values with bars between them that change nothing; NULL: every one does.  A value of Slurm that
 * is not set is "" or (null). */
static const struct row {
    enum cs_conf_scope scope;
    const char *key, *harmless;
} table[] = {
    {CS_CONF_SITE, "SchedulerType", "sched/backfill"},
    {CS_CONF_SITE, "SelectType", "select/linear|select/cons_tres|select/cons_res"},
    {CS_CONF_SITE, "PriorityType", "priority/basic|priority/multifactor"},
    {CS_CONF_SITE, "TopologyPlugin", "topology/none|topology/default|topology/flat"},
    {CS_CONF_SITE, "Licenses", ""},
    {CS_CONF_SITE, "BurstBufferType", "burst_buffer/none"},
    {CS_CONF_SITE, "PriorityWeightTRES", "0"},
    {CS_CONF_SITE, "PriorityWeightAssoc", "0"},
    {CS_CONF_SITE, "PrioritySiteFactorPlugin", "site_factor/none|none"},
    {CS_CONF_SITE, "PrioritySiteFactorParameters", ""},
    {CS_CONF_SITE, "PriorityUsageResetPeriod", "NONE"},
    {CS_CONF_SITE, "FairShareDampeningFactor", "1"},
    {CS_CONF_SITE, "PreemptType", "preempt/none"},
    {CS_CONF_SITE, "PreemptMode", "OFF"},
    {CS_CONF_SITE, "PreemptParameters", ""},
    {CS_CONF_SITE, "PreemptExemptTime", "NONE|0|-1|00:00:00"},
    {CS_CONF_SITE, "JobSubmitPlugins", ""},
    {CS_CONF_SITE, "Epilog", ""},
    {CS_CONF_SITE, "Prolog", ""},
    {CS_CONF_SITE, "EpilogSlurmctld", ""},
    {CS_CONF_SITE, "PrologSlurmctld", ""},
    {CS_CONF_SITE, "CompleteWait", "0|0 sec"},
    {CS_CONF_SITE, "KillWait", "30|30 sec"},
    {CS_CONF_SITE, "SuspendProgram", ""},
    {CS_CONF_SITE, "PowerParameters", ""},
    {CS_CONF_SITE, "PowerPlugin", "power/none"},
    {CS_CONF_SITE, "ReconfigFlags", "none"},
    {CS_CONF_SITE, "MaxMemPerNode", "UNLIMITED|0"},
    {CS_CONF_SITE, "MaxMemPerCPU", "UNLIMITED|0"},

    {CS_CONF_SCHEDULER, "sched_interval", "60"},
    {CS_CONF_SCHEDULER, "batch_sched_delay", "3"},
    {CS_CONF_SCHEDULER, "partition_job_depth", "0"},
    {CS_CONF_SCHEDULER, "defer", NULL},
    {CS_CONF_SCHEDULER, "defer_batch", NULL},
    {CS_CONF_SCHEDULER, "bf_max_job_part", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_user_part", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_assoc", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_start", "0"},
    {CS_CONF_SCHEDULER, "bf_max_job_array_resv", "20"},
    {CS_CONF_SCHEDULER, "bf_min_age_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_min_prio_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_job_part_count_reserve", "0"},
    {CS_CONF_SCHEDULER, "bf_node_space_size", NULL},
    {CS_CONF_SCHEDULER, "bf_window_linear", "0"},
    {CS_CONF_SCHEDULER, "requeue_delay", NULL},
    {CS_CONF_SCHEDULER, "bf_busy_nodes", NULL},
    {CS_CONF_SCHEDULER, "bf_hetjob_prio", NULL},
    {CS_CONF_SCHEDULER, "bf_hetjob_immediate", NULL},
    {CS_CONF_SCHEDULER, "bf_licenses", NULL},
    {CS_CONF_SCHEDULER, "bf_max_time", NULL},
    {CS_CONF_SCHEDULER, "bf_yield_interval", NULL},
    {CS_CONF_SCHEDULER, "bf_yield_sleep", NULL},
    {CS_CONF_SCHEDULER, "bf_one_resv_per_job", NULL},
    {CS_CONF_SCHEDULER, "bf_running_job_reserve", NULL},
    {CS_CONF_SCHEDULER, "bf_topopt_enable", NULL},
    {CS_CONF_SCHEDULER, "bf_allow_magnetic_slots", NULL},
    {CS_CONF_SCHEDULER, "assoc_limit_stop", NULL},
    {CS_CONF_SCHEDULER, "max_rpc_cnt", "0"},
    {CS_CONF_SCHEDULER, "max_sched_time", NULL},
    {CS_CONF_SCHEDULER, "nohold_on_prolog_fail", NULL},
    {CS_CONF_SCHEDULER, "pack_serial_at_end", NULL},
    {CS_CONF_SCHEDULER, "preempt_send_user_signal", NULL},
    {CS_CONF_SCHEDULER, "preempt_strict_order", NULL},
    {CS_CONF_SCHEDULER, "preempt_youngest_first", NULL},
    {CS_CONF_SCHEDULER, "preempt_reorder_count", "1"},
    {CS_CONF_SCHEDULER, "reduce_completing_frag", NULL},
    {CS_CONF_SCHEDULER, "salloc_wait_nodes", NULL},
    {CS_CONF_SCHEDULER, "sched_max_job_start", "0"},
    {CS_CONF_SCHEDULER, "time_min_as_soft_limit", NULL},

    {CS_CONF_PARTITION, "AllowQos", "ALL"},
    {CS_CONF_PARTITION, "DenyQos", "none"},
    {CS_CONF_PARTITION, "AllowAccounts", "ALL"},
    {CS_CONF_PARTITION, "DenyAccounts", "none"},
    {CS_CONF_PARTITION, "QOS", "N/A"},
    {CS_CONF_PARTITION, "ExclusiveUser", "NO"},
    {CS_CONF_PARTITION, "ExclusiveTopo", "NO"},
    {CS_CONF_PARTITION, "LLN", "NO"},
    {CS_CONF_PARTITION, "ReqResv", "NO"},
    {CS_CONF_PARTITION, "GraceTime", "0"},
    {CS_CONF_PARTITION, "PreemptMode", "OFF"},
    {CS_CONF_PARTITION, "State", "UP|DRAIN"},
    {CS_CONF_PARTITION, "MaxCPUsPerNode", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxCPUsPerSocket", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxMemPerNode", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "MaxMemPerCPU", "UNLIMITED|0"},
    {CS_CONF_PARTITION, "OverTimeLimit", "NONE"},
    {CS_CONF_PARTITION, "TRESBillingWeights", ""},
};

#define ROWS ((int)(sizeof table / sizeof *table))

bool cs_conf_key_row(int n, enum cs_conf_scope *scope, const char **key, const char **harmless)
{
    if (n < 0 || n >= ROWS)
        return false;
    *scope = table[n].scope;
    *key = table[n].key;
    *harmless = table[n].harmless;
    return true;
}

/* Is the value one of a list with bars between them, or not set? */
static bool is_harmless(const char *value, const char *list)
{
    const size_t length = strlen(value);

    if (!list)
        return false;
    if (!length || !cs_plain_compare(value, "(null)"))
        return true;
    for (; *list; list += strcspn(list, "|"), list += *list == '|')
        if (strcspn(list, "|") == length && cs_plain_begins(list, value))
            return true;
    return false;
}

void cs_conf_word_name(struct cs_conf *c, const char *word)
{
    int before, number;

    cs_names_list(c->words, &before);
    number = cs_names_add(c->words, word);
    if (number < before)
        return;
    if (number >= c->word_room) {
        const size_t old = (size_t)c->word_room;

        c->word_room = 2 * number + 16;
        c->word = cs_arena_grow(c->arena, c->word, old, (size_t)c->word_room, sizeof *c->word);
    }
    c->word[number] = (struct cs_conf_place){cs_arena_strdup(c->arena, cs_lines_name(c->lines)),
                                             cs_lines_number(c->lines)};
}

void cs_conf_key_see(struct cs_conf *c, enum cs_conf_scope scope, const char *key,
                     const char *value)
{
    for (int n = 0; n < ROWS; n++)
        if (table[n].scope == scope && !cs_plain_compare(key, table[n].key)) {
            if (!is_harmless(value, table[n].harmless))
                cs_conf_word_name(c, table[n].key);
            return;
        }
}

void cs_conf_words_give(struct cs_conf *c)
{
    struct cs_site_file *out = c->out;
    long *line;
    const char **file;

    out->word = cs_names_list(c->words, &out->unmodelled);
    out->word_line = line = CS_NEW_ARRAY(c->arena, long, out->unmodelled);
    out->word_file = file = CS_NEW_ARRAY(c->arena, const char *, out->unmodelled);
    for (int i = 0; i < out->unmodelled; i++) {
        line[i] = c->word[i].line;
        file[i] = c->word[i].file;
    }
}
