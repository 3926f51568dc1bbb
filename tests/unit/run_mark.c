/* run_mark.c - which processes belong to an attempt: by variable, limit, session and cgroup. */
#define _GNU_SOURCE
#include "kit.h"
#include "scratch.h"

#include "base/plain.h"
#include "keeper/group.h"
#include "run/executor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#define OWN 7   /* the attempt that is ended */
#define OTHER 8 /* one that is not */

/* A run of which only the folder is real. */
struct scene {
    char folder[400];
    struct cs_run_executor x;
};

static void scene_begin(struct scene *scene)
{
    *scene = (struct scene){0};
    assert_non_null(scratch_create(scene->folder));
    mkdir(scratch_path(scene->folder, "a"), 0700);
    mkdir(scratch_path(scene->folder, "a/000"), 0700);
    scene->x.arena = cs_arena_create();
    scene->x.scratch = cs_arena_create();
    scene->x.folder = scene->folder;
    scene->x.id = "0123456789abcdef0123456789abcdef";
    scene->x.mark = cs_run_mark_of(&scene->x);
    scene->x.tag = cs_run_tag_of(&scene->x);
    strcpy(scene->x.host, "here");
    strcpy(scene->x.boot, "now");
}

static void scene_end(struct scene *scene)
{
    cs_arena_destroy(scene->x.arena);
    cs_arena_destroy(scene->x.scratch);
    scratch_remove(scene->folder);
}

/* How a process is started. */
struct kind {
    int marked;        /* the attempt of its variable; 0: no environment */
    int limited;       /* the attempt of its limit; 0: as it is */
    bool leads;        /* in a session of its own */
    bool deaf;         /* stopped when it is found */
    const char *group; /* the cgroup that it enters */
};

static void mark_text(const struct scene *scene, int attempt, char *text, size_t size)
{
    cs_plain_print(text, size, "%s/%d", scene->x.mark, attempt);
}

static _Noreturn void kind_become(const struct scene *scene, const struct kind *kind)
{
    char *argv[] = {(char[]){"sleep"}, (char[]){"1000"}, NULL}, *env[] = {NULL, NULL};
    char mark[200], variable[250];
    struct rlimit limit;

    mark_text(scene, kind->marked, mark, sizeof mark);
    cs_plain_print(variable, sizeof variable, "COSCHED_MARK=%s", mark);
    env[0] = kind->marked ? variable : NULL;
    mark_text(scene, kind->limited, mark, sizeof mark);
    if (kind->limited && !getrlimit(RLIMIT_LOCKS, &limit)) {
        limit.rlim_cur = cs_group_mark(mark);
        setrlimit(RLIMIT_LOCKS, &limit);
    }
    if (kind->leads)
        setsid();
    if (kind->group)
        cs_group_enter(kind->group);
    execve("/bin/sleep", argv, env);
    _exit(127);
}

/* The number of a process that has become it. */
static pid_t kind_start(const struct scene *scene, const struct kind *kind)
{
    int ends[2];
    char byte;
    pid_t child;

    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    child = fork();
    if (child == 0)
        kind_become(scene, kind);
    close(ends[1]);
    assert_int_equal(read(ends[0], &byte, 1), 0);
    close(ends[0]);
    if (kind->deaf)
        kill(child, SIGSTOP);
    return child;
}

/* Ended by which signal; 0: it was still there, and is ended now. */
static int kind_end(pid_t child)
{
    int status = 0;

    if (waitpid(child, &status, WNOHANG) == 0) {
        kill(child, SIGKILL);
        waitpid(child, &status, 0);
        return 0;
    }
    return WIFSIGNALED(status) ? WTERMSIG(status) : -1;
}

/* Is a process of this kind ended with the attempt, and did it count as one that ran? */
static void expect(const struct scene *scene, const struct kind *kind, bool ends)
{
    const pid_t child = kind_start(scene, kind);
    const bool ran = cs_run_mark_kill(&scene->x, OWN);

    assert_int_equal(kind_end(child), ends ? SIGKILL : 0);
    assert_int_equal(ran, ends);
}

static unsigned long long start_of(pid_t pid)
{
    unsigned long long start = 0;
    char path[64], text[1024] = "";
    FILE *file;

    cs_plain_print(path, sizeof path, "/proc/%d/stat", (int)pid);
    file = fopen(path, "re");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_int_equal(sscanf(strrchr(text, ')') + 1,
                            " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d "
                            "%*d %*d %*d %llu",
                            &start),
                     1);
    return start;
}

static void record_write(const struct scene *scene, const char *boot, pid_t session,
                         unsigned long long start, const char *group)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "claim host=here boot=%s pid=1 start=1 at=1\n", boot);
    if (group)
        cs_strbuf_printf(&text, "group %s\n", group);
    cs_strbuf_printf(&text, "app pid=%d sid=%d start=%llu at=1\n", (int)session, (int)session,
                     start);
    scratch_write(scratch_path(scene->folder, "a/000/000007.rec"), text.text, text.length);
    cs_strbuf_release(&text);
}

static void by_its_variable(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    expect(&scene, &(struct kind){.marked = OWN}, true);
    expect(&scene, &(struct kind){.marked = OWN, .leads = true}, true);
    expect(&scene, &(struct kind){.marked = OWN, .deaf = true}, true);
    expect(&scene, &(struct kind){.marked = OTHER}, false);
    expect(&scene, &(struct kind){.marked = OWN * 10}, false);
    expect(&scene, &(struct kind){0}, false);
    scene_end(&scene);
}

static void by_its_limit_without_an_environment(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    expect(&scene, &(struct kind){.limited = OWN}, true);
    expect(&scene, &(struct kind){.limited = OWN, .leads = true}, true);
    expect(&scene, &(struct kind){.limited = OTHER, .leads = true}, false);
    scene_end(&scene);
}

/* The session is that of the record, and of this boot. */
static void by_its_session(void **state)
{
    const struct {
        const char *boot;
        unsigned long long off;
        int marked;
        bool ends;
    } cases[] = {{"now", 0, 0, true},
                 {"now", 1, 0, false},
                 {"then", 0, 0, false},
                 {"now", 0, OTHER, false},
                 {"now", 0, OWN, true}};
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const struct kind kind = {.marked = cases[k].marked, .leads = true};
        const pid_t child = kind_start(&scene, &kind);

        record_write(&scene, cases[k].boot, child, start_of(child) + cases[k].off, NULL);
        assert_int_equal(cs_run_mark_kill(&scene.x, OWN), cases[k].ends);
        assert_int_equal(kind_end(child), cases[k].ends ? SIGKILL : 0);
    }
    scene_end(&scene);
}

/* One of the session, whose first process is gone. */
static void by_a_session_without_its_first(void **state)
{
    struct scene scene;
    int ends[2], number;
    pid_t first, second = 0;

    (void)state;
    scene_begin(&scene);
    assert_int_equal(pipe(ends), 0);
    first = fork();
    if (first == 0) {
        setsid();
        number = (int)fork();
        if (number == 0)
            kind_become(&scene, &(struct kind){0});
        _exit(write(ends[1], &number, sizeof number) != sizeof number);
    }
    assert_int_equal(read(ends[0], &number, sizeof number), sizeof number);
    second = number;
    waitpid(first, NULL, 0);
    record_write(&scene, "now", first, 1, NULL);
    assert_true(cs_run_mark_kill(&scene.x, OWN));
    for (int round = 0; round < 500 && !kill(second, 0); round++)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    assert_int_equal(kill(second, 0) ? errno : 0, ESRCH);
    close(ends[0]);
    close(ends[1]);
    scene_end(&scene);
}

static void of_several_attempts_each_by_its_own(void **state)
{
    const int64_t attempt[] = {3, OWN, 12};
    bool ran[3] = {false, false, false};
    struct scene scene;
    pid_t child[3];

    (void)state;
    scene_begin(&scene);
    child[0] = kind_start(&scene, &(struct kind){.limited = 12});
    child[1] = kind_start(&scene, &(struct kind){.marked = 3});
    child[2] = kind_start(&scene, &(struct kind){.limited = OTHER});
    cs_run_mark_kill_all(&scene.x, attempt, 3, ran);
    assert_int_equal(kind_end(child[0]), SIGKILL);
    assert_int_equal(kind_end(child[1]), SIGKILL);
    assert_int_equal(kind_end(child[2]), 0);
    assert_true(ran[0] && !ran[1] && ran[2]);
    scene_end(&scene);
}

static void of_a_name_only_those(void **state)
{
    struct scene scene;
    pid_t child;

    (void)state;
    scene_begin(&scene);
    child = kind_start(&scene, &(struct kind){.marked = OWN});
    assert_int_equal(cs_run_mark_signal(&scene.x, OWN, "awake", SIGTERM), 0);
    assert_int_equal(cs_run_mark_signal(&scene.x, OWN, "sleep", SIGTERM), 1);
    waitpid(child, NULL, 0);
    assert_true(!cs_run_mark_has(&scene.x, OWN, (int)getpid()));
    scene_end(&scene);
}

/* Groups are made where this process may make them. */
static void by_its_cgroup(void **state)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct scene scene;
    pid_t child;

    (void)state;
    scene_begin(&scene);
    scene.x.groups = cs_run_groups_of(&scene.x);
    if (!scene.x.groups) {
        scene_end(&scene);
        print_message("no cgroup is delegated to this process\n");
        skip();
    }
    cs_run_group_path(&scene.x, OWN, &path);
    assert_int_equal(cs_group_make(path.text), 0);
    child = kind_start(&scene, &(struct kind){.group = path.text, .leads = true});
    assert_true(cs_group_has_process(path.text));
    assert_true(cs_run_mark_kill(&scene.x, OWN));
    assert_int_equal(kind_end(child), SIGKILL);
    assert_int_equal(access(path.text, F_OK), -1);

    /* Of a run of which this one is a copy: the name is another. */
    cs_strbuf_puts(&path, "0");
    assert_int_equal(cs_group_make(path.text), 0);
    child = kind_start(&scene, &(struct kind){.group = path.text, .leads = true});
    record_write(&scene, "now", 0, 0, path.text);
    assert_false(cs_run_mark_kill(&scene.x, OWN));
    assert_int_equal(kind_end(child), 0);
    cs_group_remove(path.text);
    assert_int_equal(access(path.text, F_OK), -1);
    cs_strbuf_release(&path);
    scene_end(&scene);
}

static void no_cgroups_where_they_are_not_wanted(void **state)
{
    struct scene scene;

    (void)state;
    scene_begin(&scene);
    setenv("COSCHED_CGROUP", "none", 1);
    assert_null(cs_run_groups_of(&scene.x));
    setenv("COSCHED_CGROUP", scene.folder, 1);
    assert_null(cs_run_groups_of(&scene.x));
    assert_int_equal(cs_group_make(scratch_path(scene.folder, "group")), ENOTSUP);
    unsetenv("COSCHED_CGROUP");
    scene_end(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_its_variable),
        cmocka_unit_test(by_its_limit_without_an_environment),
        cmocka_unit_test(by_its_session),
        cmocka_unit_test(by_a_session_without_its_first),
        cmocka_unit_test(of_several_attempts_each_by_its_own),
        cmocka_unit_test(of_a_name_only_those),
        cmocka_unit_test(by_its_cgroup),
        cmocka_unit_test(no_cgroups_where_they_are_not_wanted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
