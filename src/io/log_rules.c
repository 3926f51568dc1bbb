/* log_rules.c - how the rules of logs are called. */
#include "io/log.h"

#include "base/bug.h"
#include "base/strbuf.h"

static const char *const key[CS_LOG_RULES] = {
    [CS_LOG_MALFORMED] = "malformed",
    [CS_LOG_STEPS] = "steps",
    [CS_LOG_ARRAY_REMAINDERS] = "array_remainders",
    [CS_LOG_WHOLE_ARRAYS] = "whole_arrays",
    [CS_LOG_NOT_ENDED] = "not_ended",
    [CS_LOG_INTERRUPTED] = "interrupted",
    [CS_LOG_PARTIAL] = "partial",
    [CS_LOG_NEVER_STARTED] = "never_started",
    [CS_LOG_NO_TIME] = "no_time",
    [CS_LOG_NO_WIDTH] = "no_width",
    [CS_LOG_EXTPOL] = "outside",
    [CS_LOG_NO_PARTITION] = "no_partition",
    [CS_LOG_TOO_WIDE] = "too_wide",
    [CS_LOG_DUPLICATES] = "duplicates",
    [CS_LOG_NO_REQUEST] = "no_request",
    [CS_LOG_NO_LIMIT] = "no_limit",
    [CS_LOG_REQUEST_BELOW_RUN] = "request_below_run",
    [CS_LOG_ARRAY_TASKS] = "array_tasks",
    [CS_LOG_HET_PARTS] = "het_parts",
    [CS_LOG_NEGATIVE_SUBMIT] = "negative_submit",
    [CS_LOG_REPEATED_IDS] = "repeated_ids",
    [CS_LOG_OTHER_PARTITION] = "other_partition",
};

/* Of many lines, and of one where that is another. */
static const struct {
    const char *many, *one;
} name[CS_LOG_RULES] = {
    [CS_LOG_MALFORMED] = {"malformed", NULL},
    [CS_LOG_STEPS] = {"steps of jobs", "step of a job"},
    [CS_LOG_ARRAY_REMAINDERS] = {"rests of arrays that never started",
                                 "rest of an array that never started"},
    [CS_LOG_WHOLE_ARRAYS] = {"arrays as a whole", "array as a whole"},
    [CS_LOG_NOT_ENDED] = {"had not ended", NULL},
    [CS_LOG_INTERRUPTED] = {"rerun, aborted or deleted (R, A, D)", NULL},
    [CS_LOG_PARTIAL] = {"partial execution lines", "partial execution line"},
    [CS_LOG_NEVER_STARTED] = {"never started", NULL},
    [CS_LOG_NO_TIME] = {"runtime missing or <= 0", NULL},
    [CS_LOG_NO_WIDTH] = {"width missing or <= 0", NULL},
    [CS_LOG_EXTPOL] = {"outside the dates", NULL},
    [CS_LOG_NO_PARTITION] = {"in a partition that the machine lacks", NULL},
    [CS_LOG_TOO_WIDE] = {"wider than the machine", NULL},
    [CS_LOG_DUPLICATES] = {"the same job again", NULL},
    [CS_LOG_NO_REQUEST] = {"without a requested time", NULL},
    [CS_LOG_NO_LIMIT] = {"without a time limit", NULL},
    [CS_LOG_REQUEST_BELOW_RUN] = {"ran longer than requested", NULL},
    [CS_LOG_ARRAY_TASKS] = {"tasks of arrays", "task of an array"},
    [CS_LOG_HET_PARTS] = {"parts of heterogeneous jobs", "part of a heterogeneous job"},
    [CS_LOG_NEGATIVE_SUBMIT] = {"submitted before time 0", NULL},
    [CS_LOG_REPEATED_IDS] = {"with the number of an earlier job", NULL},
    [CS_LOG_OTHER_PARTITION] = {"in a partition that the machine lacks, sent to its default", NULL},
};

const char *cs_log_rule_key(enum cs_log_rule rule)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return key[rule];
}

const char *cs_log_rule_name(enum cs_log_rule rule)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return name[rule].many;
}

const char *cs_log_rule_words(enum cs_log_rule rule, int64_t lines)
{
    CS_REQUIRE(rule >= 0 && rule < CS_LOG_RULES);
    return lines == 1 && name[rule].one ? name[rule].one : name[rule].many;
}

const char *cs_log_kind_name(enum cs_log_kind kind)
{
    static const char *const word[] = {
        [CS_LOG_SWF] = "SWF",   [CS_LOG_SACCT] = "sacct",   [CS_LOG_PBS] = "PBS",
        [CS_LOG_ALCF] = "ALCF", [CS_LOG_BATSIM] = "Batsim", [CS_LOG_BATSIM_JSON] = "Batsim JSON",
    };

    CS_REQUIRE(kind >= 0 && kind <= CS_LOG_BATSIM_JSON);
    return word[kind];
}

/* The rule that left out most, the first of equals; CS_LOG_KEPT: none did. */
static enum cs_log_rule most_common(const struct cs_log_counts *counts)
{
    enum cs_log_rule most = CS_LOG_KEPT;

    for (int r = 0; r < CS_LOG_KEPT; r++)
        if (counts->rule[r] > (most == CS_LOG_KEPT ? 0 : counts->rule[most]))
            most = (enum cs_log_rule)r;
    return most;
}

int cs_log_no_job(const char *log, const struct cs_log_counts *counts, struct cs_error *err)
{
    const enum cs_log_rule most = most_common(counts);
    struct cs_strbuf why = CS_STRBUF_INIT;

    cs_strbuf_printf(&why, "%lld line%s", (long long)counts->lines, counts->lines == 1 ? "" : "s");
    for (int k = -1; k < CS_LOG_KEPT && most != CS_LOG_KEPT; k++) {
        const enum cs_log_rule rule = k < 0 ? most : (enum cs_log_rule)k;

        if (k >= 0 && (rule == most || !counts->rule[rule]))
            continue;
        cs_strbuf_printf(&why, "%s%lld %s", k < 0 ? ", of which " : ", ",
                         (long long)counts->rule[rule],
                         cs_log_rule_words(rule, counts->rule[rule]));
        if (k < 0)
            cs_strbuf_printf(&why, " (the first is line %lld)", (long long)counts->first[rule]);
    }
    if (counts->lacking)
        cs_strbuf_printf(&why, "; no node has %s", counts->lacks);
    if (counts->notes)
        cs_strbuf_printf(&why, "; %s", counts->note[0]);
    cs_error_set(err, "%s: no job is left: %s", log, why.text);
    cs_strbuf_release(&why);
    return -1;
}
