/* A sweep as jobs for Slurm: the scripts, and what is left while shards come in.  Public headers
 * only. */
#include "kit.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char sweep[] =
    "{\"problem\": \"rigid\", \"replicates\": 2, \"set\": {\"jobs\": 3, \"procs\": 9000,"
    " \"scenarios\": 1}, \"vary\": {\"policy\": [\"easy\", \"greedy\", \"list\"]},"
    " \"metrics\": [\"makespan\"]}";

static const char *const files[] = {"trial.json", "shard-1-of-3.db", "shard-2-of-3.db",
                                    "shard-3-of-3.db", "all.db"};
#define FILES (sizeof files / sizeof *files)

static char folder[64], path[FILES][128];

static int make_folder(void **state)
{
    FILE *file;

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/campaign-slurm-XXXXXX");
    assert_non_null(mkdtemp(folder));
    for (size_t f = 0; f < FILES; f++)
        snprintf(path[f], sizeof path[f], "%s/%s", folder, files[f]);
    file = fopen(path[0], "w");
    assert_non_null(file);
    fputs(sweep, file);
    return fclose(file);
}

static int drop_folder(void **state)
{
    (void)state;
    for (size_t f = 0; f < FILES; f++)
        unlink(path[f]);
    return rmdir(folder);
}

static struct cs_campaign_slurm_options plain(void)
{
    return (struct cs_campaign_slurm_options){.size = sizeof(struct cs_campaign_slurm_options),
                                              .folder = folder,
                                              .store = path[4],
                                              .tasks = 3};
}

static void assert_reported(const char *says)
{
    const struct cs_campaign_slurm_options options = plain();
    struct cs_error err = {0};
    char *text = cs_campaign_slurm(path[0], &options, &err);

    assert_string_equal(err.text, "");
    assert_non_null(text);
    if (!strstr(text, says))
        fail_msg("%s\nis not in\n%s", says, text);
    cs_free(text);
}

static void run_shard(int shard, const char *store)
{
    const struct cs_campaign_run_options options = {
        .size = sizeof options, .shard = shard, .shards = shard ? 3 : 0, .threads = 1};
    struct cs_error err = {0};

    cs_free(cs_campaign_run(path[0], store, &options, NULL, NULL, &err));
    assert_string_equal(err.text, "");
}

static void scripts_are_reported(void **state)
{
    const char *const words[] = {"--partition=long queue"};
    struct cs_campaign_slurm_options options = plain();
    struct cs_error err = {0};
    char *text;

    (void)state;
    options.tool = "/opt/a tool";
    options.sbatch = words;
    options.words = 1;
    text = cs_campaign_slurm(path[0], &options, &err);
    assert_string_equal(err.text, "");
    assert_non_null(strstr(text, "\"name\": \"trial\""));
    assert_non_null(strstr(text, "\"array\": \"#!/bin/bash\\n"));
    assert_non_null(strstr(text, "\\n#SBATCH --array=1-3\\n"));
    assert_non_null(strstr(text, "\"merge\": \"#!/bin/bash\\n"));
    assert_non_null(strstr(text, "cosched='/opt/a tool'\\n"));
    assert_non_null(strstr(text, "--partition=long queue"));
    cs_free(text);
    assert_int_equal(access(path[1], F_OK), -1);
}

static void names_come_from_the_sweep(void **state)
{
    const struct cs_campaign_slurm_options six = {.size = sizeof six, .tasks = 6};
    struct cs_error err = {0};
    char *text;

    (void)state;
    assert_null(cs_campaign_slurm(path[0], NULL, &err));
    assert_non_null(strstr(err.text, "--tasks 8: trial has only 6 runs; ask for at most as many"));
    text = cs_campaign_slurm(path[0], &six, &err);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"folder\": \"/"));
    assert_non_null(strstr(text, "/trial-slurm\",\n  \"store\": \"/"));
    assert_non_null(strstr(text, "/trial.db\","));
    cs_free(text);
}

static void what_is_unfinished_becomes_less(void **state)
{
    const struct cs_campaign_merge_options partial = {.size = sizeof partial, .partial = true};
    const char *const shards[] = {path[1], path[2], path[3]};
    struct cs_error err = {0};

    (void)state;
    assert_reported("\"tasks\": 3,\n  \"runs\": 6,\n  \"lacking\": 6,\n  \"elements\": 3,\n"
                    "  \"unfinished\": \"1-3\"");
    run_shard(2, path[2]);
    assert_reported("\"lacking\": 6,\n  \"elements\": 2,\n  \"unfinished\": \"1,3\"");
    assert_int_equal(cs_campaign_merge(shards, 3, path[4], &partial, NULL, NULL, &err), 0);
    assert_reported("\"lacking\": 4,\n");
    run_shard(1, path[1]);
    run_shard(3, path[3]);
    assert_reported("\"elements\": 0,\n  \"unfinished\": null");
    assert_int_equal(cs_campaign_merge(shards, 3, path[4], NULL, NULL, NULL, &err), 0);
    assert_reported("\"lacking\": 0,\n");
}

static void what_is_wrong_is_reported(void **state)
{
    static const char *const none[] = {NULL};
    const size_t size = sizeof(struct cs_campaign_slurm_options);
    const struct {
        struct cs_campaign_slurm_options options;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = size, .words = 1}, "none of them NULL"},
        {{.size = size, .sbatch = none, .words = 1}, "none of them NULL"},
        {{.size = size, .words = -1}, "no negative number"},
        {{.size = size, .tasks = -1}, "an array of -1 jobs"},
        {{.size = size, .tasks = 1000001}, "expected 1 to 1000000"},
        {{.size = size, .tasks = 2, .folder = folder}, "has shards of 3 tasks"},
        {{.size = size, .tasks = 2, .folder = path[0]}, "Not a directory"},
    };
    struct cs_error err = {0};

    (void)state;
    run_shard(1, path[1]);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err.text[0] = 0;
        assert_null(cs_campaign_slurm(path[0], &wrong[i].options, &err));
        assert_non_null(strstr(err.text, wrong[i].says));
    }
    err.text[0] = 0;
    assert_null(cs_campaign_slurm("/nosuch.json", NULL, &err));
    assert_non_null(strstr(err.text, "/nosuch.json"));
    assert_null(cs_campaign_slurm(NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(scripts_are_reported, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(names_come_from_the_sweep, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(what_is_unfinished_becomes_less, make_folder, drop_folder),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_reported, make_folder, drop_folder),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
