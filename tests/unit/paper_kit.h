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

static inline struct cs_paper *read_text(const char *text, bool quick, struct cs_error *err)
{
    kit_write_json("f.json", text);
    return cs_paper_read(kit_folder(), "f", quick, &kit_runner, err);
}

static inline struct cs_paper *read_good(const char *text, bool quick)
{
    struct cs_error err = {{0}};
    struct cs_paper *paper = read_text(text, quick, &err);

    assert_string_equal(err.text, "");
    assert_non_null(paper);
    return paper;
}

static inline struct cs_results *run(const struct cs_paper *paper)
{
    struct cs_grid_options options = {.threads = 2};
    struct cs_error err = {{0}};
    struct cs_results *results = cs_results_create(paper, paper->seed, &options, &err);

    assert_string_equal(err.text, "");
    assert_non_null(results);
    return results;
}

static inline int remove_folder(void **state)
{
    (void)state;
    kit_remove("f.json");
    return rmdir(kit_folder());
}

#endif
