/* generate_volatile.c - cosched generate volatile: the random scenarios of the paper, and others of
 * their kind. */
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/volatile.h"
#include "study/rows.h"

/* The states of one trial, as traces of the scenario. */
static int draw_traces(struct cs_hosts *s, const struct cs_volatile_instance *instance,
                       int64_t slots, uint64_t seed, struct cs_error *err)
{
    struct cs_host *host = CS_NEW_ARRAY(s->arena, struct cs_host, s->hosts);
    const struct cs_volatile_world world = {
        .rule = s->law == CS_HOSTS_MARKOV ? CS_VOLATILE_RULE_CHAINS : CS_VOLATILE_RULE_SEMI_MARKOV,
        .law = s->law == CS_HOSTS_WEIBULL ? CS_VOLATILE_LAW_WEIBULL : CS_VOLATILE_LAW_LOGNORMAL,
        .parameter = s->shape,
    };
    struct cs_volatile_sky *sky = cs_volatile_sky_create(&world, instance, s->arena, err);
    struct cs_volatile_source *source = sky ? cs_volatile_sky_source(sky, seed, 0) : NULL;

    for (int q = 0; source && q < s->hosts; q++) {
        host[q] = s->host[q];
        host[q].trace = cs_volatile_source_trace(source, q, slots, s->arena);
    }
    s->host = host;
    s->slots = slots;
    cs_volatile_source_destroy(source);
    return source ? 0 : -1;
}

static int read_law(const struct cs_arguments *args, struct cs_hosts *s, struct cs_error *err)
{
    bool given = cs_arguments_given(args, "shape");

    s->law = (enum cs_hosts_law)cs_arguments_choice(args, "law");
    if (given && s->law == CS_HOSTS_MARKOV)
        return cs_error_set(err, "--shape is for --law weibull and --law lognormal");
    if (s->law != CS_HOSTS_MARKOV)
        s->shape = given ? cs_arguments_real(args, "shape") : s->law == CS_HOSTS_WEIBULL ? 0.5 : 1;
    return 0;
}

static int write_scenario(const struct cs_hosts *s, const char *output, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_hosts_put(s, &w);
    cs_jsonw_end(&w);
    return cs_output_save(output, &text, err);
}

static void name_source(struct cs_hosts *s, const struct cs_volatile_recipe *r)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "cosched generate volatile: wmin %d, scenario %llu, seed %llu", r->wmin,
                     (unsigned long long)r->scenario, (unsigned long long)r->seed);
    s->source = cs_arena_strdup(s->arena, text.text);
    cs_strbuf_release(&text);
}

static int generate(const struct cs_arguments *args, const struct cs_volatile_recipe *recipe,
                    struct cs_error *err)
{
    struct cs_volatile_instance *instance = cs_volatile_generate(recipe, err);
    struct cs_hosts *s = instance ? cs_hosts_from_volatile(instance) : NULL;
    int64_t slots = cs_arguments_given(args, "slots") ? cs_arguments_integer(args, "slots") : 0;
    int status = -1;

    if (s) {
        name_source(s, recipe);
        status = read_law(args, s, err);
        if (!status && slots)
            status = draw_traces(s, instance, slots, recipe->seed, err);
        if (!status)
            status = write_scenario(s, cs_arguments_text(args, "output"), err);
    }
    cs_hosts_destroy(s);
    cs_volatile_instance_destroy(instance);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_volatile_recipe recipe = {
        .hosts = (int)cs_arguments_integer(args, "hosts"),
        .tasks = (int)cs_arguments_integer(args, "tasks"),
        .transfers = (int)cs_arguments_integer(args, "transfers"),
        .wmin = (int)cs_arguments_integer(args, "wmin"),
        .iterations = (int)cs_arguments_integer(args, "iterations"),
        .cap = (int)cs_arguments_integer(args, "cap"),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
        .scenario = (uint64_t)cs_arguments_integer(args, "scenario"),
    };

    return cs_output_check(cs_arguments_text(args, "output"), err) ? -1
                                                                   : generate(args, &recipe, err);
}

static const struct cs_field options[] = {
    CS_FIELD_WHOLE_ROW("hosts", "P", "20", 1, 10000, "how many hosts"),
    CS_FIELD_WHOLE_ROW("tasks", "M", "5", 1, 100000,
                       "tasks of an iteration; the paper has 5 and 10"),
    CS_FIELD_WHOLE_ROW("transfers", "N", "5", 1, 10000,
                       "hosts that the master can send to at once; the paper has 5, 10 and 20"),
    CS_FIELD_WHOLE_ROW(
        "wmin", "W", "1", 1, 1000000,
        "how hard: a task takes W to 10 W slots, its data W, the program 5 W; the paper has 1 "
        "to 10"),
    CS_FIELD_WHOLE_ROW("iterations", "N", "10", 1, 1000000, "to do"),
    CS_FIELD_WHOLE_ROW("cap", "SLOTS", "1000000", 1, CS_VOLATILE_CAP_MAX,
                       "after which a run has failed"),
    {.name = "law",
     .kind = CS_FIELD_CHOICE,
     .choices = "markov|weibull|lognormal",
     .fallback = "markov",
     .summary = "of the times in a state; their means are those of the chain"},
    {.name = "shape",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .low = 0.05,
     .high = 100,
     .summary = "of weibull (below 1: the longer a state has lasted, the longer it will; default "
                "0.5), or the deviation of the logarithm of lognormal (default 1)"},
    {.name = "slots",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 10000000,
     .summary = "draw the states too, as traces of so many slots"},
    CS_FIELD_WHOLE_ROW("scenario", "I", "0", 0, 9007199254740992.0,
                       "another number, other hosts of the same kind"),
    CS_FIELD_SEED_ROW("of the hosts"),
    CS_FIELD_OUTPUT_ROW("FILE.json"),
    {0},
};

static const struct cs_example examples[] = {
    {"A scenario of the paper, and its policies in ten trials:",
     "cosched generate volatile --wmin 2 | cosched simulate volatile - --policy ie,y-ie,p-ie "
     "--trials 10"},
    {"Hosts with bursts of failures, which no Markov chain has:",
     "cosched generate volatile --law weibull --shape 0.5 -o bursts.json"},
    {0},
};

const struct cs_command cs_command_generate_volatile = {
    .words = "generate volatile",
    .summary = "write random hosts and an application for the volatile problem",
    .description =
        "Write a scenario as JSON (cosched-volatile-1), drawn as in Section VII of Casanova, "
        "Dufosse, Robert, Vivien, \"Scheduling tightly-coupled applications on heterogeneous "
        "desktop grids\": each host keeps each of its states with a probability drawn from 0.90 to "
        "0.99 and leaves it for the two others alike; a task takes it W to 10 W slots.\n\n"
        "With --law weibull or lognormal the times in a state have the same means but another law: "
        "what policies believe, the chain, is then wrong.",
    .options = options,
    .examples = examples,
    .run = run,
};
