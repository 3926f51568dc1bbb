/* run_slurm_output.c - what Slurm 22.05 prints, as it was seen, and what is made of it. */
#include "kit.h"

#include "run/slurm_output.h"

static void processors_are_counted_node_by_node(void **state)
{
    struct cs_error err = {0};
    int cpus[4] = {0};

    (void)state;
    assert_int_equal(cs_run_slurm_cpus("4(x2),1,16", 4, cpus, &err), 0);
    assert_int_equal(cpus[0] + 100 * cpus[1] + 10000 * cpus[2] + 1000000 * cpus[3], 16010404);
    assert_int_equal(cs_run_slurm_cpus("4(x2)", 3, cpus, &err), -1);
    assert_int_equal(cs_run_slurm_cpus("4(x2),1,", 4, cpus, &err), -1);
    assert_int_equal(cs_run_slurm_cpus("", 1, cpus, &err), -1);
    assert_int_equal(cs_run_slurm_cpus("4(x", 1, cpus, &err), -1);
}

static void nodes_are_bad_or_only_do_not_answer(void **state)
{
    static const char *const good[] = {"idle", "mixed", "allocated", "draining", "completing"};
    static const char *const bad[] = {"down",    "down*", "drained",
                                      "failing", "fail",  "powered_down"};

    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++)
        assert_false(cs_run_slurm_is_bad(good[k], true));
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        assert_true(cs_run_slurm_is_bad(bad[k], false));
    assert_true(cs_run_slurm_is_bad("mixed*", true));
    assert_false(cs_run_slurm_is_bad("mixed*", false));
}

static void steps_are_found_by_their_whole_name(void **state)
{
    struct cs_strbuf step = CS_STRBUF_INIT;

    (void)state;
    assert_true(cs_run_slurm_step("7.batch batch\n7.1 cs-a-12\n7.2 cs-a-1\n", "cs-a-1", &step));
    assert_string_equal(step.text, "7.2");
    assert_false(cs_run_slurm_step("7.1 cs-a-12\n", "cs-a-1", &step));
    assert_false(cs_run_slurm_step("", "cs-a-1", &step));
    cs_strbuf_release(&step);
}

static struct cs_run_slurm_reply read(const char *text)
{
    struct cs_run_slurm_reply said;

    cs_run_slurm_read_reply(text, &said);
    return said;
}

static void srun_says_how_it_was(void **state)
{
    struct cs_run_slurm_reply said;

    (void)state;
    said = read("srun: cluster configuration lacks support for cpu binding\n"
                "srun: error: n3: task 1: Exited with exit code 5\n"
                "srun: error: n2: task 0: Exited with exit code 1\n");
    assert_int_equal(said.status, 5);
    assert_false(said.node_failed || said.never_began || said.cancelled);
    assert_string_equal(said.why, "");
    said = read("srun: error: Node failure on n2\n");
    assert_true(said.node_failed);
    assert_string_equal(said.why, "srun: error: Node failure on n2");
    said = read("srun: error: Unable to create step for job 2: Requested node configuration is not "
                "available\n");
    assert_true(said.never_began);
    assert_true(read("srun: error: Slurm job 17 has expired\n").never_began);
    said =
        read("slurmstepd: error: *** STEP 4.0 ON n3 CANCELLED AT 2026-11-22T14:42:26 DUE TO TIME "
             "LIMIT ***");
    assert_true(said.cancelled);
    assert_int_equal(read("").status, -1);
}

static void a_step_is_cancelled_since_it_began(void **state)
{
    const char *text =
        "mine\nslurmstepd-n4: error: *** STEP 1.3 ON n4 CANCELLED AT 2026-11-23T16:19:48 ***\n";
    struct cs_run_slurm_reply said = read("");

    (void)state;
    cs_run_slurm_read_cancelled(text, "2026-11-23T16:19:49", &said);
    cs_run_slurm_read_cancelled("a *** STEP 1.3 ON n4 CANCELLED AT 2026-11-23T16:19:48 ***\n", "",
                                &said);
    assert_false(said.cancelled);
    cs_run_slurm_read_cancelled(text, "2026-11-23T16:19:48", &said);
    assert_true(said.cancelled);
    assert_string_equal(
        said.why, "slurmstepd-n4: error: *** STEP 1.3 ON n4 CANCELLED AT 2026-11-23T16:19:48 ***");
}

/* The words of a command line, as /proc has them. */
#define KEEPS(words) cs_run_slurm_line_keeps(words, sizeof words)

static void salloc_was_reported_to_keep_the_rest(void **state)
{
    (void)state;
    assert_true(KEEPS("salloc\0-N4\0--no-kill\0cosched\0run"));
    assert_true(KEEPS("salloc\0-k"));
    assert_false(KEEPS("salloc\0-N4\0cosched\0run"));
    assert_false(KEEPS("salloc\0-N4\0--\0app\0--no-kill"));
    assert_false(KEEPS("salloc\0--no-kill=off"));
    assert_false(KEEPS("salloc\0--no-kills"));
    assert_false(cs_run_slurm_line_keeps("", 0));
}

static void a_script_may_ask_to_keep_the_rest(void **state)
{
    (void)state;
    assert_true(cs_run_slurm_script_keeps("#!/bin/sh\n#SBATCH -N 4 --no-kill --exclusive\napp\n"));
    assert_true(cs_run_slurm_script_keeps("#!/bin/sh\n\n# why\n#SBATCH -k # so"));
    assert_false(cs_run_slurm_script_keeps("#!/bin/sh\n#SBATCH -N 4 # not --no-kill\n"));
    assert_false(cs_run_slurm_script_keeps("#!/bin/sh\nset -u\n#SBATCH --no-kill\n"));
    assert_false(cs_run_slurm_script_keeps("#!/bin/sh\n#SBATCH -k\n#SBATCH --no-kill=off\n"));
    assert_false(cs_run_slurm_script_keeps(""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processors_are_counted_node_by_node),
        cmocka_unit_test(nodes_are_bad_or_only_do_not_answer),
        cmocka_unit_test(steps_are_found_by_their_whole_name),
        cmocka_unit_test(srun_says_how_it_was),
        cmocka_unit_test(a_step_is_cancelled_since_it_began),
        cmocka_unit_test(salloc_was_reported_to_keep_the_rest),
        cmocka_unit_test(a_script_may_ask_to_keep_the_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
