/* site_conf: what a slurm.conf says, what is named and what is wrong. */
#include "unit/kit.h"

#include "io/site_conf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cs_arena *arena;
static struct cs_error err;

static int make_arena(void **state)
{
    (void)state;
    arena = cs_arena_create();
    err = (struct cs_error){0};
    return 0;
}

static int drop_arena(void **state)
{
    (void)state;
    cs_arena_destroy(arena);
    return 0;
}

static const struct cs_site_file *read_conf(const char *text)
{
    err = (struct cs_error){0};
    return cs_site_file_read_memory("s.conf", text, strlen(text), NULL, arena, &err);
}

/* A machine of two nodes with these keys: of the whole file, of the scheduler, of the partition. */
static const struct cs_site_file *read_with(const char *site, const char *scheduler,
                                            const char *partition)
{
    char text[1024];

    snprintf(text, sizeof text,
             "%s\nSchedulerParameters=%s\nNodeName=n[1-2] CPUs=4\nPartitionName=p Nodes=ALL "
             "Default=YES %s\n",
             site, scheduler, partition);
    return read_conf(text);
}

static const struct cs_site_file *read_key(enum cs_conf_scope scope, const char *key,
                                           const char *value)
{
    char pair[128];

    snprintf(pair, sizeof pair, "%s%s%s", key, *value ? "=" : "", value);
    return read_with(scope == CS_CONF_SITE ? pair : "", scope == CS_CONF_SCHEDULER ? pair : "",
                     scope == CS_CONF_PARTITION ? pair : "");
}

static bool is_named(const struct cs_site_file *file, const char *word)
{
    for (int i = 0; i < file->unmodelled; i++)
        if (!strcmp(file->word[i], word))
            return true;
    return false;
}

/* The list of spec/site.md 1.9, by hand: a row that is lost from the table is noticed. */
static void every_key_is_named(void **state)
{
    static const char *const keys[] = {"SchedulerType",
                                       "TopologyPlugin",
                                       "Licenses",
                                       "BurstBufferType",
                                       "PriorityWeightTRES",
                                       "PriorityWeightAssoc",
                                       "PrioritySiteFactorPlugin",
                                       "PriorityUsageResetPeriod",
                                       "PreemptMode",
                                       "PreemptExemptTime",
                                       "PreemptType",
                                       "CompleteWait",
                                       "KillWait",
                                       "JobSubmitPlugins",
                                       "Epilog",
                                       "Prolog",
                                       "SuspendProgram",
                                       "ReconfigFlags",
                                       "MaxMemPerNode",
                                       "MaxMemPerCPU",
                                       "AllowQos",
                                       "DenyQos",
                                       "AllowAccounts",
                                       "DenyAccounts",
                                       "ExclusiveUser",
                                       "LLN",
                                       "ReqResv",
                                       "GraceTime",
                                       "MaxCPUsPerNode",
                                       "QOS",
                                       "State",
                                       "bf_busy_nodes",
                                       "bf_hetjob_prio",
                                       "bf_licenses",
                                       "bf_max_time",
                                       "bf_yield_interval",
                                       "bf_yield_sleep",
                                       "bf_one_resv_per_job",
                                       "bf_running_job_reserve",
                                       "bf_topopt_enable",
                                       "bf_allow_magnetic_slots",
                                       "assoc_limit_stop",
                                       "max_rpc_cnt",
                                       "max_sched_time",
                                       "nohold_on_prolog_fail",
                                       "pack_serial_at_end",
                                       "preempt_send_user_signal",
                                       "preempt_strict_order",
                                       "preempt_youngest_first",
                                       "preempt_reorder_count",
                                       "reduce_completing_frag",
                                       "salloc_wait_nodes",
                                       "sched_max_job_start",
                                       "time_min_as_soft_limit",
                                       "sched_interval",
                                       "batch_sched_delay",
                                       "partition_job_depth",
                                       "defer",
                                       "bf_max_job_part",
                                       "bf_max_job_user_part",
                                       "bf_max_job_assoc",
                                       "bf_max_job_start",
                                       "bf_max_job_array_resv",
                                       "bf_min_age_reserve",
                                       "bf_min_prio_reserve",
                                       "bf_job_part_count_reserve",
                                       "bf_window_linear"};
    enum cs_conf_scope scope;
    const char *key, *harmless;

    (void)state;
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        int n = 0;

        while (cs_conf_key_row(n, &scope, &key, &harmless) && strcmp(key, keys[k]))
            n++;
        if (!cs_conf_key_row(n, &scope, &key, &harmless))
            fail_msg("%s is in no row", keys[k]);
    }
    for (int n = 0; cs_conf_key_row(n, &scope, &key, &harmless); n++) {
        const struct cs_site_file *file = read_key(scope, key, "17");

        if (!file || file->unmodelled != 1 || !is_named(file, key) ||
            file->word_line[0] != (scope == CS_CONF_SITE        ? 1
                                   : scope == CS_CONF_SCHEDULER ? 2
                                                                : 4))
            fail_msg("%s=17: %s", key, file ? "it is not named, or not with its line" : err.text);
    }
}

static void harmless_values_are_not_named(void **state)
{
    enum cs_conf_scope scope;
    const char *key, *harmless;

    (void)state;
    for (int n = 0; cs_conf_key_row(n, &scope, &key, &harmless); n++) {
        char value[64];
        const char *at = harmless;

        for (; at && *at; at += strcspn(at, "|"), at += *at == '|') {
            const struct cs_site_file *file;

            snprintf(value, sizeof value, "%.*s", (int)strcspn(at, "|"), at);
            if (strchr(value, ' '))
                continue;
            file = read_key(scope, key, value);
            if (!file || file->unmodelled)
                fail_msg("%s=%s: %s", key, value, file ? file->word[0] : err.text);
        }
    }
    assert_int_equal(read_with("Frobnicate=7\nPriorityFlags=NO_FAIR_TREE", "bf_continue,frob=3",
                               "OverSubscribe=YES:4 Frob=1")
                         ->unmodelled,
                     0);
}

static void values_that_are_modelled_elsewhere_are_named_by_value(void **state)
{
    (void)state;
    assert_true(is_named(read_with("PriorityFlags=MAX_TRES", "", ""), "PriorityFlags=MAX_TRES"));
    assert_true(is_named(read_with("", "", "OverSubscribe=FORCE:4"), "OverSubscribe=FORCE"));
    assert_false(is_named(read_with("", "", "OverSubscribe=FORCE:1"), "OverSubscribe=FORCE"));
    assert_true(is_named(read_with("AccountingStorageEnforce=associations,safe", "", ""),
                         "AccountingStorageEnforce"));
    assert_true(is_named(read_with("SelectTypeParameters=CR_Core,CR_LLN", "", ""),
                         "SelectTypeParameters=CR_LLN"));
    assert_true(is_named(read_with("SelectTypeParameters=CR_Socket_Memory", "", ""),
                         "SelectTypeParameters=CR_Socket"));
    assert_true(is_named(read_conf("NodeName=n1 CPUs=2\nPartitionName=a Nodes=n1\n"
                                   "PartitionName=b Nodes=n1 OverSubscribe=EXCLUSIVE\n"),
                         "OverSubscribe=EXCLUSIVE"));
}

static void the_scheduler_keeps_its_old_names(void **state)
{
    const struct cs_site_file *file =
        read_with("", "max_job_bf=10,bf_max_job_user=3,default_queue_depth=7", "");

    (void)state;
    assert_true(file->backfill.depth == 10 && file->backfill.queue == 7);
}

/* ---- nodes ---- */

static void nodes_out_of_service_are_not_there(void **state)
{
    static const char text[] = "NodeName=DEFAULT CPUs=4\nNodeName=n[1-4]\n"
                               "NodeName=n[5-6] State=DOWN*\nNodeName=n7 State=FUTURE\n"
                               "NodeName=n8 State=IDLE+DRAIN\nNodeName=n9 State=CLOUD\n"
                               "DownNodes=n[1-2] State=DRAIN Reason=\"a b\"\nDownNodes=n3\n"
                               "PartitionName=p Nodes=ALL\nPartitionName=q Nodes=n[5-6]\n";
    const struct cs_site_reading how = {.assume_up = true};
    const struct cs_site_file *file = read_conf(text);

    (void)state;
    assert_non_null(file);
    assert_int_equal(file->site->procs, 8);
    assert_int_equal(file->down, 3);
    assert_int_equal(file->drained, 3);
    assert_int_equal(file->future, 1);
    assert_int_equal(file->out_procs, 28);
    assert_true(file->site->partition[1].out && file->site->partition[1].pools == 0);
    file = cs_site_file_read_memory("s.conf", text, strlen(text), &how, arena, &err);
    assert_int_equal(file->site->procs, 36);
    assert_null(read_conf("NodeName=n1 State=DOWN\nPartitionName=p Nodes=n1\n"));
    assert_string_equal(err.text, "s.conf: none of the 1 nodes is in service (State, DownNodes): "
                                  "--assume-up counts all of them");
    assert_null(read_conf("NodeName=n1\nDownNodes=n2\nPartitionName=p Nodes=n1\n"));
    assert_string_equal(err.text, "s.conf:2: DownNodes \"n2\" has \"n2\", which is no NodeName");
}

static void sets_of_nodes(void **state)
{
    const struct cs_site_file *file =
        read_conf("NodeName=n[1-4] CPUs=1 Features=old,slow\nNodeName=m[1-3] CPUs=1 Feature=new\n"
                  "NodeSet=big Nodes=n[1-3]\nNodeSet=fresh Feature=new\n"
                  "PartitionName=a Nodes=big\nPartitionName=b Nodes=big,fresh,n4\n"
                  "PartitionName=c Nodes=m1,fresh\nPartitionName=d Nodes=n4,ALL\n");
    const int want[] = {3, 7, 3, 7};

    (void)state;
    assert_non_null(file);
    for (int p = 0; p < 4; p++) {
        int nodes = 0;

        for (int g = 0; g < file->site->partition[p].groups; g++)
            nodes += file->site->group[file->site->partition[p].group[g]].nodes;
        assert_int_equal(nodes, want[p]);
    }
    assert_null(read_conf("NodeName=n1\nPartitionName=batch Nodes=n1,big\n"));
    assert_string_equal(err.text, "s.conf:2: partition \"batch\" has \"big\", which is no NodeName "
                                  "and no NodeSet");
    assert_null(read_conf("NodeName=n1\nNodeSet=s Nodes=x\nPartitionName=p Nodes=s\n"));
    assert_string_equal(err.text, "s.conf:3: partition \"p\" has \"x\", which is no NodeName and "
                                  "no NodeSet");
    assert_null(read_conf("NodeName=n1 RealMemory=12x\nPartitionName=p Nodes=n1\n"));
    assert_string_equal(err.text, "s.conf:1: RealMemory=12x: expected a whole number of megabytes");
}

static void generic_resources(void **state)
{
    const struct cs_site_file *file =
        read_conf("NodeName=a CPUs=8 Gres=gpu:a100:2(S:0,1),gpu:v100:1,shard:16\n"
                  "NodeName=b CPUs=8 Gres=gpu:A100,gpu:1g.5gb:7,lustre:no_consume:4G,mps:2K\n"
                  "NodeName=c CPUs=8 Gres=(null)\nPartitionName=p Nodes=ALL\n");
    const struct cs_site *site = file->site;
    static const struct {
        const char *name, *type;
        int64_t on[3];
    } want[] = {{"gpu", "a100", {2, 1, 0}},
                {"gpu", "v100", {1, 0, 0}},
                {"shard", "", {16, 0, 0}},
                {"gpu", "1g.5gb", {0, 7, 0}},
                {"mps", "", {0, 2048, 0}}};

    (void)state;
    assert_int_equal(site->kinds, 5);
    assert_int_equal(site->groups, 3);
    for (int k = 0; k < 5; k++) {
        assert_string_equal(site->kind_of_gres[k].name, want[k].name);
        assert_string_equal(site->kind_of_gres[k].type, want[k].type);
        for (int p = 0; p < 3; p++)
            assert_int_equal(site->pool[p].capacity[2 + k], want[k].on[p]);
    }
    assert_true(site->group[0].gpus == 3 && site->group[1].gpus == 8 && site->group[2].gpus == 0);
    assert_int_equal(cs_site_demand(site, "gpu", "a100"), 2);
    assert_int_equal(cs_site_demand(site, "gpu", "a100:1g.5gb"), 5);
    assert_int_equal(cs_site_demand(site, "gpu", "h100"), -1);
    assert_int_equal(cs_site_demand(site, "gpu", ""), site->resources);
    assert_int_equal(cs_site_demand(site, "shard", ""), 4);
}

/* ---- scontrol ---- */

#define CONFIG                                                                                     \
    "Configuration data as of 2026-01-05T08:00:00\n"                                               \
    "AccountingStorageEnforce = associations,limits\n"                                             \
    "CompleteWait            = 0 sec\nEpilog[0]               = /etc/epilog\n"                     \
    "KillWait                = 30 sec\nLicenses                = (null)\n"                         \
    "OverTimeLimit           = 5 min\nPreemptMode             = OFF\n"                             \
    "PriorityType            = priority/multifactor\nPriorityWeightAge       = 1000\n"             \
    "SchedulerParameters     = bf_interval=60,defer\nSelectType              = "                   \
    "select/cons_tres\nSelectTypeParameters    = CR_CORE_MEMORY\n\n"                               \
    "Slurmctld(primary) at host is UP\n\n"

#define NODES                                                                                      \
    "NodeName=n1 Arch=x86_64 CoresPerSocket=4 \n   CPUAlloc=0 CPUEfctv=8 CPUTot=8 CPULoad=0.1\n"   \
    "   AvailableFeatures=new\n   Gres=gpu:a100:2(S:0-1)\n   OS=Linux 5.10 #1 SMP Debian\n"        \
    "   RealMemory=8000 AllocMem=0 Sockets=2 Boards=1\n   State=IDLE ThreadsPerCore=1\n\n"         \
    "NodeName=n2 CoresPerSocket=4 \n   CPUAlloc=0 CPUTot=8\n   RealMemory=8000 Sockets=2\n"        \
    "   State=DOWN*+DRAIN ThreadsPerCore=1\n   Reason=Not responding [root@2026-01-01]\n\n"

#define PARTITIONS                                                                                 \
    "PartitionName=p\n   AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL\n   Default=YES QoS=N/A\n" \
    "   DefaultTime=NONE ExclusiveUser=NO GraceTime=0\n   MaxNodes=1 MaxTime=1-00:00:00 "          \
    "MinNodes=0 "                                                                                  \
    "LLN=YES MaxCPUsPerNode=UNLIMITED\n   Nodes=n[1-2]\n   PriorityTier=3 OverSubscribe=NO\n"      \
    "   OverTimeLimit=NONE PreemptMode=OFF\n   State=UP TotalCPUs=16\n\n"

static void check_shown(const struct cs_site_file *file)
{
    const struct cs_site_partition *p;

    assert_string_equal(err.text, "");
    p = &file->site->partition[0];
    assert_true(file->site->procs == 8 && file->down == 1 && !file->site->no_memory);
    assert_int_equal(file->site->pool[0].capacity[1], 8000);
    assert_int_equal(cs_site_demand(file->site, "gpu", "a100"), 2);
    assert_true(p->tier == 3 && p->most_nodes == 1 && p->seconds == 86400 && p->usual == 0);
    assert_true(file->site->fallback == 0 && file->site->partitions == 1);
    assert_true(file->grace == 300 && file->backfill.interval == 60);
    assert_true(file->priority.multifactor && file->priority.age_weight == 1000);
    assert_int_equal(file->unmodelled, 4);
    assert_true(is_named(file, "AccountingStorageEnforce") && is_named(file, "Epilog") &&
                is_named(file, "defer") && is_named(file, "LLN"));
}

static void scontrol_shows_a_machine(void **state)
{
    (void)state;
    check_shown(read_conf(CONFIG NODES PARTITIONS));
    check_shown(read_conf(
        "NodeName=n[1-2] CPUs=3\nPartitionName=p Nodes=n1 MaxTime=5\n" CONFIG PARTITIONS NODES));
}

/* With -o a record is a line. */
static void scontrol_shows_one_line_a_record(void **state)
{
    char text[4096] = CONFIG NODES PARTITIONS, *at = strstr(text, "NodeName=");

    (void)state;
    for (; *at; at++)
        if (!strncmp(at, "\n   ", 4))
            *at = ' ';
    check_shown(read_conf(text));
}

/* ---- files ---- */

static void write_to(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void files_include_each_other(void **state)
{
    char folder[] = "/tmp/site-conf-XXXXXX", path[4][64], want[256];
    const struct cs_site_file *file;

    (void)state;
    assert_non_null(mkdtemp(folder));
    for (int i = 0; i < 4; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", folder,
                 (const char *[]){"slurm.conf", "nodes-x.conf", "more.conf", "loop.conf"}[i]);
    write_to(path[0], "ClusterName=x\ninclude nodes-%c.conf\nPartitionName=p Nodes=ALL\n");
    write_to(path[1], "NodeName=n1 CPUs=2\nInclude more.conf # the others\nEpilog=/e\n");
    write_to(path[2], "NodeName=n2 CPUs=3\n");
    write_to(path[3], "Include loop.conf\n");
    file = cs_site_file_read(path[0], NULL, arena, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(file->site->procs, 5);
    assert_int_equal(file->unmodelled, 1);
    assert_string_equal(file->word_file[0], path[1]);
    assert_int_equal(file->word_line[0], 3);
    unlink(path[2]);
    assert_null(cs_site_file_read(path[0], NULL, arena, &err));
    snprintf(want, sizeof want, "%s:2: Include more.conf: %s: cannot be opened", path[1], path[2]);
    if (strncmp(err.text, want, strlen(want)))
        fail_msg("%s", err.text);
    err = (struct cs_error){0};
    assert_null(cs_site_file_read(path[3], NULL, arena, &err));
    assert_non_null(strstr(err.text, "Include loop.conf: files are included more than 16 deep"));
    assert_null(read_conf("Include x.conf\n"));
    assert_non_null(strstr(err.text, "s.conf:1: Include x.conf: "));
    for (int i = 0; i < 4; i++)
        unlink(path[i]);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_key_is_named, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(harmless_values_are_not_named, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(values_that_are_modelled_elsewhere_are_named_by_value,
                                        make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(the_scheduler_keeps_its_old_names, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(nodes_out_of_service_are_not_there, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(sets_of_nodes, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(generic_resources, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(scontrol_shows_a_machine, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(scontrol_shows_one_line_a_record, make_arena, drop_arena),
        cmocka_unit_test_setup_teardown(files_include_each_other, make_arena, drop_arena),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
