/* generate_ptg.c - cosched generate ptg: the applications of N'takpe and Suter. */
#include "base/arena.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "io/graph_list.h"
#include "study/rows.h"

#include <cosched/ptg.h>
#include <string.h>

static const char *const random_options[] = {"tasks", "width", "regular", "density", "jump"};
static const char *const fft_options[] = {"points"};

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *first_given(const struct cs_arguments *args, const char *const *name, int count)
{
    for (int i = 0; i < count; i++)
        if (cs_arguments_given(args, name[i]))
            return name[i];
    return NULL;
}

static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    int family = cs_arguments_choice(args, "family");
    const char *random = first_given(args, random_options, COUNT(random_options));
    const char *fft = first_given(args, fft_options, COUNT(fft_options));

    if (random && family != CS_PTG_RANDOM)
        return cs_error_set(err, "--%s is for --family random", random);
    if (fft && family != CS_PTG_FFT)
        return cs_error_set(err, "--%s is for --family fft", fft);
    if (cs_arguments_given(args, "combination") &&
        (random || fft || cs_arguments_given(args, "cost")))
        return cs_error_set(err, "--combination draws shapes and costs: leave --%s out",
                            random ? random
                            : fft  ? fft
                                   : "cost");
    return 0;
}

static bool has_shape(const struct cs_arguments *args)
{
    return first_given(args, random_options, COUNT(random_options)) ||
           first_given(args, fft_options, COUNT(fft_options)) || cs_arguments_given(args, "cost");
}

static struct cs_ptg_recipe recipe_of(const struct cs_arguments *args)
{
    return (struct cs_ptg_recipe){
        .family = (enum cs_ptg_family)cs_arguments_choice(args, "family"),
        .cost = (enum cs_ptg_cost)cs_arguments_choice(args, "cost"),
        .tasks = (int)cs_arguments_integer(args, "tasks"),
        .width = cs_arguments_real(args, "width"),
        .regular = cs_arguments_real(args, "regular"),
        .density = cs_arguments_real(args, "density"),
        .jump = (int)cs_arguments_integer(args, "jump"),
        .points = (int)cs_arguments_integer(args, "points"),
        .seed = (uint64_t)cs_arguments_integer(args, "seed"),
    };
}

static int make(const struct cs_arguments *args, int count, struct cs_graph **graph,
                struct cs_error *err)
{
    struct cs_ptg_recipe recipe = recipe_of(args);
    struct cs_strbuf name = CS_STRBUF_INIT;
    int status = 0;

    if (!has_shape(args)) {
        cs_ptg_generate_run(recipe.seed, recipe.family, count,
                            (int)cs_arguments_integer(args, "combination"), graph);
        return 0;
    }
    for (int g = 0; g < count && !status; g++, recipe.seed++) {
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%s%d", cs_ptg_family_name((int)recipe.family), g);
        graph[g] = cs_ptg_generate(name.text, &recipe, err);
        status = graph[g] ? 0 : -1;
    }
    cs_strbuf_release(&name);
    return status;
}

static bool is_dot(const char *path)
{
    size_t length = strlen(path);

    return length > 4 && !strcmp(path + length - 4, ".dot");
}

/* "graphs.dot" becomes "graphs0.dot", "graphs1.dot", ... */
static int write_dots(struct cs_graph **graph, int count, const char *path, struct cs_error *err)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    int stem = (int)strlen(path) - 4, status = 0;

    for (int g = 0; g < count && !status; g++) {
        cs_strbuf_clear(&name);
        cs_strbuf_printf(&name, "%.*s%d.dot", stem, path, g);
        status = cs_graph_write(graph[g], name.text, err);
    }
    cs_strbuf_release(&name);
    return status;
}

static int write_list(struct cs_graph **graph, int count, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_graph_list_json_put(&w, count, (const struct cs_graph *const *)graph);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    int count = (int)cs_arguments_integer(args, "count"), status;
    struct cs_arena *arena;
    struct cs_graph **graph;

    if (check_line(args, err))
        return CS_EXIT_USAGE;
    if (cs_output_check(output, err))
        return -1;
    output = output ? output : "-";
    arena = cs_arena_create();
    graph = CS_NEW_ARRAY(arena, struct cs_graph *, count);
    status = make(args, count, graph, err);
    if (!status && count == 1)
        status = cs_graph_write(graph[0], output, err);
    else if (!status)
        status = is_dot(output) ? write_dots(graph, count, output, err)
                                : write_list(graph, count, output, err);
    for (int g = 0; g < count; g++)
        cs_graph_destroy(graph[g]);
    cs_arena_destroy(arena);
    return status;
}

static const struct cs_field options[] = {
    {.name = "family",
     .kind = CS_FIELD_CHOICE,
     .choices = "random|fft|strassen",
     .fallback = "random",
     .group = "Which graphs",
     .summary = "layered random graphs, fast Fourier transforms, Strassen's matrix product"},
    CS_FIELD_COUNT_ROW("count", "1", 1, 100000, "how many"),
    CS_FIELD_WHOLE_ROW(
        "combination", "C", "0", 0, 1000000000,
        "another number, other shapes and costs drawn; the paper has 25 of each count"),
    CS_FIELD_SEED_ROW("of everything that is drawn"),
    {.name = "cost",
     .kind = CS_FIELD_CHOICE,
     .choices = "mixed|linear|sort|matrix",
     .fallback = "mixed",
     .group = "Shape and cost (with none of them both are drawn, as in the paper)",
     .summary = "flop of a task with d data items: a d, a d log2 d, d^1.5, or any of them"},
    CS_FIELD_WHOLE_ROW("tasks", "V", "20", 1, 10000000, "random: how many"),
    CS_FIELD_REAL_ROW("width", "W", "0.5", 0, 1,
                      "random: a level has about V^W tasks; 0 is a chain"),
    CS_FIELD_REAL_ROW("regular", "R", "0.8", 0, 1, "random: how alike in size levels are"),
    CS_FIELD_REAL_ROW("density", "D", "0.2", 0, 1,
                      "random: a task has up to this part of the level before as parents"),
    CS_FIELD_WHOLE_ROW("jump", "J", "1", 1, 1000000, "random: the most levels that an arc spans"),
    CS_FIELD_WHOLE_ROW("points", "K", "8", 2, 1048576, "fft: a power of two"),
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "FILE.json|FILE.dot",
     .group = "What comes out",
     .summary = "where to; default: standard output, as JSON; several graphs become one file of "
                "JSON, or FILE0.dot, FILE1.dot, ..."},
    {0},
};

static const struct cs_example examples[] = {
    {"Ten graphs as in the paper, and every strategy on them:",
     "cosched generate ptg --count 10 | cosched plan ptg - --platform grid5000-rennes --strategy "
     "all"},
    {"A wide graph of 100 tasks for another program:",
     "cosched generate ptg --tasks 100 --width 0.8 -o wide.dot"},
    {0},
};

const struct cs_command cs_command_generate_ptg = {
    .words = "generate ptg",
    .summary = "write graphs of parallel tasks",
    .description =
        "Write task graphs as JSON (cosched-graph-1; several: cosched-graphs-1) or as DOT in the "
        "manner of daggen: tasks with their work in flop and the part alpha of it that does not "
        "parallelise, arcs with bytes.\n\n"
        "They are the applications of Section 2 of N'takpe, Suter, \"Concurrent scheduling of "
        "parallel task graphs on multi-clusters using constrained resource allocations\" (INRIA "
        "RR-6774). Without an option that says a shape or a cost, each graph draws its own among "
        "those of the paper.",
    .options = options,
    .examples = examples,
    .run = run,
};
