/* campaign_merge.c - cosched campaign merge: stores of shards made into one. */
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <cosched/campaign.h>

static void campaign_merge_report(const char *target, const struct cs_campaign_merged *merged)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_strbuf_printf(&out, "%s: ", target);
    cs_human_units(&out, merged->runs, "run");
    cs_strbuf_puts(&out, ", ");
    cs_human_count(&out, merged->added);
    cs_strbuf_puts(&out, " of them new\n");
    cs_output_put(&out);
    cs_strbuf_release(&out);
}

static int campaign_merge_run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_campaign_merge_options options = {
        .size = sizeof options,
        .partial = cs_arguments_has(args, "partial"),
        .other_build = cs_arguments_has(args, "allow-other-build"),
        .foreign = cs_arguments_has(args, "allow-other-campaign"),
    };
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    const char *target = cs_arguments_text(args, "output");
    struct cs_campaign_merged merged;

    if (!target)
        return cs_error_set(err, "missing output file; give --output STORE.db"), CS_EXIT_USAGE;
    for (int i = 0; i < args->operands; i++)
        if (cs_output_apart_store(target, args->operand[i], err))
            return -1;
    if (cs_campaign_merge(args->operand, args->operands, target, &options, &watch, &merged, err))
        return -1;
    campaign_merge_report(target, &merged);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "SHARD.db",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "stores of the same sweep or papers, such as those of `campaign run --shard`"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "STORE.db",
     .summary = "where to; made when it is missing, added to when it is there"},
    {.name = "partial",
     .kind = CS_PARAM_FLAG,
     .summary = "merge the finished runs and list the missing ones, instead of an error"},
    {.name = "allow-other-campaign",
     .old = "foreign",
     .kind = CS_PARAM_FLAG,
     .summary = "add to a store that holds another campaign, instead of refusing"},
    {.name = "allow-other-build",
     .old = "other-build",
     .kind = CS_PARAM_FLAG,
     .summary = "take runs of other versions, commits and compilers of cosched than this one, "
                "instead of refusing"},
    {0},
};

static const struct cs_example examples[] = {
    {"Two machines, half of the runs each:",
     "cosched campaign merge half-1.db half-2.db -o trial.db"},
    {"Merge the finished runs:", "cosched campaign merge --partial shard-*.db -o sofar.db"},
    {0},
};

const struct cs_command cs_command_campaign_merge = {
    .words = "campaign merge",
    .summary = "make one store of the stores of several machines",
    .description =
        "All must be of the same campaign and have been run by this build of cosched (version, "
        "commit and compiler; --allow-other-build takes others). A run "
        "that several of them have must have the same values in each (times that were measured "
        "apart), or the merge is refused. Unless --partial is given every run of the campaign has "
        "to be there. A merge that is refused changes nothing; one that is repeated adds nothing.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_merge_run,
};
