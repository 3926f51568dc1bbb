/* paper_kit.h - small papers as text, and their results. */
#ifndef CS_TESTS_UNIT_PAPER_KIT_H
#define CS_TESTS_UNIT_PAPER_KIT_H

#include "kit.h"

#include "campaign_kit.h"

#define HEAD "{'title': 'T', 'place': 'Figure 9', 'citation': 'C', 'problem': 'kit', "
#define X "'x': {'parameter': 'a', 'title': 'tens', 'values': [1, 2, 3]}, "
#define PANELS "'panels': {'p': {'title': 'P'}, 'q': {'set': {'word': 'large'}, 'x': [1, 2]}}, "
#define SERIES                                                                                     \
    "'series': {'one': {'set': {'b': 1}}, 'two': {'label': 'Two', 'set': {'b': 2}, "               \
    "'panels': ['p']}, 'dice': {'set': {'b': 3}, 'replicates': 4}}, "
#define METRICS "'metrics': {'number': {'title': 'a number', 'digits': 3}}"

static inline struct cs_experiment *read_text(const char *text, bool quick, struct cs_error *err)
{
    const struct cs_experiment_how how = {.name = "f", .quick = quick, .problem = &kit_problem};
    char path[128];

    kit_write_json("f.json", text);
    snprintf(path, sizeof path, "%s/f.json", kit_folder());
    return cs_experiment_read(path, &how, err);
}

static inline struct cs_experiment *read_good(const char *text, bool quick)
{
    struct cs_error err = {0};
    struct cs_experiment *paper = read_text(text, quick, &err);

    assert_string_equal(err.text, "");
    assert_non_null(paper);
    return paper;
}

static inline struct cs_results *run(const struct cs_experiment *paper)
{
    struct cs_grid_options options = {.threads = 2};
    struct cs_results *results = cs_results_create(paper);
    struct cs_error err = {0};

    cs_results_run(results, NULL, &options, &err);
    assert_string_equal(err.text, "");
    return results;
}

/* The combination of a panel, a series and a value on the axis. */
static inline int combination_at(const struct cs_experiment *paper, int panel, int series, int x)
{
    for (int c = 0; c < paper->combinations; c++) {
        const int *at = paper->combination[c].at;

        if (at[0] == panel && at[1] == series && at[2] == x)
            return c;
    }
    return -1;
}

static inline const json_t *parameters_at(const struct cs_experiment *paper, int panel, int series,
                                          int x)
{
    int c = combination_at(paper, panel, series, x);

    assert_true(c >= 0);
    return paper->cell[paper->combination[c].first].parameters;
}

static inline int remove_folder(void **state)
{
    (void)state;
    kit_remove("f.json");
    return rmdir(kit_folder());
}

#endif
