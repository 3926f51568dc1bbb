/* executor.c - from a folder to a run that can be worked on. */
#define _GNU_SOURCE
#include "run/executor.h"
#include "base/guard.h"
#include "base/jsonw.h"
#include "base/plain.h"
#include "run/history.h"
#include "run/program.h"
#include "run/template.h"

#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

extern char **environ;

static void read_boot(struct cs_run_executor *x)
{
    const int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd >= 0 ? read(fd, x->boot, sizeof x->boot - 1) : 0;

    if (fd >= 0)
        close(fd);
    x->boot[got > 0 ? got : 0] = '\0';
    x->boot[strcspn(x->boot, "\n")] = '\0';
}

/* The environment of attempts begins with that of this process, without the variables of an outer
 * run. */
static void copy_environment(struct cs_run_executor *x)
{
    int count = 0;

    while (environ[count])
        count++;
    x->environment = CS_NEW_ARRAY(x->arena, char *, count + 1);
    for (int v = 0; v < count; v++)
        if (strncmp(environ[v], "COSCHED_", 8) != 0)
            x->environment[x->variables++] = environ[v];
}

/* The folder can be worked on by others, and nothing stays open. */
static void give_back(struct cs_run_executor *x)
{
    char path[4200];

    if (x->control >= 0) {
        cs_plain_print(path, sizeof path, "%s/control", x->folder);
        unlink(path);
        close(x->control);
    }
    if (x->signals >= 0)
        close(x->signals);
    cs_run_unlock(x);
    if (x->pidfds >= 0)
        close(x->pidfds);
}

/* Memory has run out: objects made since then are released already. */
static void executor_drop(struct cs_guarded *x)
{
    give_back((struct cs_run_executor *)(void *)x);
}

static struct cs_run_executor *executor_create(const struct cs_run_terms *terms,
                                               const struct cs_run_watcher *watcher)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_run_executor *x = CS_NEW(arena, struct cs_run_executor);

    *x = (struct cs_run_executor){
        .terms = *terms,
        .watcher = *watcher,
        .arena = arena,
        .scratch = cs_arena_create(),
        .signals = -1,
        .control = -1,
        .lock = -1,
        .pidfds = -1,
        .retry_at = INFINITY,
        .kill_at = INFINITY,
    };
    cs_guard_keep(&x->guarded, executor_drop);
    gethostname(x->host, sizeof x->host - 1);
    read_boot(x);
    copy_environment(x);
    return x;
}

void cs_run_executor_destroy(struct cs_run_executor *x)
{
    if (!x)
        return;
    cs_guard_discard(&x->guarded);
    cs_run_journal_close(x->journal);
    if (x->engine && x->engine->close && x->engine_state)
        x->engine->close(x->engine_state);
    give_back(x);
    cs_run_release(&x->run);
    cs_run_setup_release(&x->setup);
    cs_block_free(x->event);
    cs_block_free(x->finish);
    cs_block_free(x->record);
    cs_arena_destroy(x->scratch);
    cs_arena_destroy(x->arena);
}

/* Make signals readable if this process handles them, also those of the terminal (size,
 * foreground); adopt orphans of killed keepers. */
static int listen_to_signals(struct cs_run_executor *x, struct cs_error *err)
{
    sigset_t set;

    if (!x->terms.signals)
        return 0;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGCONT);
    sigaddset(&set, SIGWINCH);
    sigprocmask(SIG_BLOCK, &set, NULL);
    x->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    return x->signals >= 0 ? 0
                           : cs_error_set_as(err, CS_ERROR_SYSTEM, "signals cannot be read: %s",
                                             strerror(errno));
}

static int read_setup(struct cs_run_executor *x, const char *document, const char *base,
                      const char *input, const void *bytes, size_t size, struct cs_error *err)
{
    const char *name = x->terms.file ? x->terms.file : "run";
    json_t *json = cs_json_load_memory(name, document, strlen(document), err);
    struct cs_json_at root = cs_json_root(name, json);
    CS_JSON_HOLD(json);

    return json ? cs_run_setup_read(&root, base, input, bytes, size, x->arena, &x->setup, err) : -1;
}

static int open_engine(struct cs_run_executor *x, struct cs_error *err)
{
    x->engine = cs_run_engine_find(x->setup.engine);
    for (int t = 0; t < x->setup.tasks; t++)
        x->saves = x->saves || x->setup.task[t].settings->checkpoint;
    return x->engine->open(&x->setup, x->arena, &x->engine_state, &x->slot, &x->slots, err);
}

static bool is_empty(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    bool empty = true;

    while (entries && (entry = readdir(entries)))
        empty = empty && (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."));
    if (entries)
        closedir(entries);
    return empty;
}

/* Absolute, so that it stays right wherever a keeper goes. */
static int name_folder(struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    char path[PATH_MAX];

    if (!realpath(folder, path))
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: %s", folder, strerror(errno));
    x->folder = cs_arena_strdup(x->arena, path);
    return strlen(x->folder) < 4000 ? 0 : cs_error_set(err, "%s: the path is too long", folder);
}

/* The directory is a run, which may be resumed, or something else. */
static int refuse_full(const struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    struct cs_strbuf words = CS_STRBUF_INIT;
    char path[4200];

    cs_plain_print(path, sizeof path, "%s/journal.db", x->folder);
    if (!access(path, F_OK)) {
        cs_strbuf_puts(&words, "to resume it, run cosched run --resume ");
        cs_strbuf_put_shell(&words, folder);
    } else {
        cs_strbuf_puts(&words, "a run wants a folder that is new or empty");
    }
    cs_error_set(err, "%s: is there already and is not empty; %s", folder, words.text);
    cs_strbuf_release(&words);
    return -1;
}

/* A run that was killed before its first round begins again, under its lock. */
static int begin_again(struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    if (!cs_run_has_only_own(x->folder) || !cs_run_journal_is_unused(x->folder))
        return refuse_full(x, folder, err);
    if (cs_run_lock(x, err))
        return -1;
    return cs_run_journal_is_unused(x->folder) ? cs_run_clear(x, err) : refuse_full(x, folder, err);
}

static int make_folders(struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    char path[4200];

    struct stat there;

    if (mkdir(folder, 0700) && errno != EEXIST)
        return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", folder,
                               strerror(errno));
    if (!stat(folder, &there) && !S_ISDIR(there.st_mode))
        return cs_error_set(err, "%s: is there already and is no folder", folder);
    if (name_folder(x, folder, err) || cs_run_check_owner(x->folder, false, err))
        return -1;
    if (!is_empty(x->folder) && begin_again(x, folder, err))
        return -1;
    cs_plain_print(path, sizeof path, "%s/a", x->folder);
    return mkdir(path, 0700) && errno != EEXIST
               ? cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", path,
                                 strerror(errno))
               : 0;
}

static const char *make_id(struct cs_arena *arena)
{
    unsigned char bytes[16] = {0};
    char text[33];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (unsigned char)(getpid() >> k % 16);
    for (size_t k = 0; k < sizeof bytes; k++)
        cs_plain_print(text + 2 * k, 3, "%02x", bytes[k]);
    return cs_arena_strdup(arena, text);
}

static void put_slots(const struct cs_run_executor *x, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open_flat(&w, '[');
    for (int s = 0; s < x->slots; s++) {
        cs_jsonw_open(&w, '[');
        cs_jsonw_string(&w, x->slot[s].host);
        cs_jsonw_string(&w, x->slot[s].cpus);
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* This process, in the journal. */
static int sign_in(struct cs_run_executor *x, double now, struct cs_error *err)
{
    return cs_run_journal_put_executor(x->journal, x->host, x->boot, (int)getpid(),
                                       x->engine->job ? x->engine->job(x) : NULL, now, err);
}

static int executor_put_head(struct cs_run_executor *x, const char *base, const char *input,
                             struct cs_error *err)
{
    struct cs_strbuf slots = CS_STRBUF_INIT;
    char began[40];
    int status;

    cs_plain_print(began, sizeof began, "%.17g", x->began);
    put_slots(x, &slots);
    status = cs_run_journal_put(x->journal, "format", "cosched-run-1", err) ||
             cs_run_journal_put(x->journal, "id", x->id, err) ||
             cs_run_journal_put(x->journal, "version", CS_VERSION, err) ||
             cs_run_journal_put(x->journal, "records", "kept", err) ||
             cs_run_journal_put(x->journal, "decide", x->setup.decide, err) ||
             cs_run_journal_put(x->journal, "policy", x->setup.policy, err) ||
             cs_run_journal_put(x->journal, "engine", x->setup.engine, err) ||
             cs_run_journal_put(x->journal, "began", began, err) ||
             cs_run_journal_put(x->journal, "folder", base, err) ||
             cs_run_journal_put(x->journal, "input", input, err) ||
             cs_run_journal_put(x->journal, "slots", slots.text, err) ||
             cs_run_journal_checksum(x->journal, CS_RUN_TABLE_RUN, err);
    cs_strbuf_release(&slots);
    return status ? -1 : 0;
}

/* Everything that a resume needs, as one transaction. */
static int write_head(struct cs_run_executor *x, const char *document, const char *base,
                      const char *input, const void *bytes, size_t size, struct cs_error *err)
{
    char path[4200];
    mode_t before = umask(077);

    cs_plain_print(path, sizeof path, "%s/journal.db", x->folder);
    x->journal = cs_run_journal_create(path, x->terms.durable, err);
    umask(before);
    if (!x->journal || cs_run_journal_exec(x->journal, "BEGIN IMMEDIATE", err) ||
        executor_put_head(x, base, input, err) ||
        cs_run_journal_put_input(x->journal, "run", document, strlen(document), err) ||
        cs_run_journal_put_input(x->journal, "input", bytes, size, err) ||
        cs_run_journal_checksum(x->journal, CS_RUN_TABLE_INPUT, err) ||
        cs_run_journal_put_tasks(x->journal, &x->setup, err) || sign_in(x, x->began, err) ||
        cs_run_journal_exec(x->journal, "COMMIT", err))
        return -1;
    cs_run_journal_settle(x->journal, true);
    return 0;
}

static int executor_begin(struct cs_run_executor *x, const char *folder, const char *document,
                          const char *base, const char *input, const void *bytes, size_t size,
                          struct cs_error *err)
{
    x->keeper = cs_run_program_keeper(x->arena, err);
    if (!x->keeper || read_setup(x, document, base, input, bytes, size, err) ||
        open_engine(x, err) ||
        cs_run_refuse(&x->setup, x->slot, x->slots, folder, &x->notes, err) ||
        cs_run_begin(&x->run, &x->setup, x->slots, x->arena, err) || make_folders(x, folder, err) ||
        (x->lock < 0 && cs_run_lock(x, err)))
        return -1;
    x->id = make_id(x->arena);
    x->mark = cs_run_mark_of(x);
    x->tag = cs_run_tag_of(x);
    x->groups = cs_run_groups_of(x);
    x->began = cs_run_wall();
    x->shift = -cs_run_ticks();
    cs_heap_init(&x->due, x->setup.tasks, x->arena);
    return write_head(x, document, base, input, bytes, size, err) || cs_run_open_control(x, err) ||
                   listen_to_signals(x, err)
               ? -1
               : 0;
}

struct cs_run_executor *
cs_run_executor_begin(const char *folder, const char *document, const char *base, const char *input,
                      const void *bytes, size_t size, const struct cs_run_terms *terms,
                      const struct cs_run_watcher *watcher, struct cs_error *err)
{
    struct cs_run_executor *x = executor_create(terms, watcher);

    if (!executor_begin(x, folder, document, base, input, bytes, size, err))
        return x;
    cs_run_executor_destroy(x);
    return NULL;
}

static int read_head(struct cs_run_executor *x, struct cs_error *err)
{
    const char *version = cs_run_journal_get(x->journal, "version", x->arena);
    const char *began = cs_run_journal_get(x->journal, "began", x->arena);

    x->id = cs_run_journal_get(x->journal, "id", x->arena);
    if (!version || !began || !x->id || strlen(x->id) != 32)
        return cs_run_journal_refuse_empty(x->journal->path, err);
    if (strcmp(version, CS_VERSION) != 0 && strcmp(version, "0.2.0") != 0)
        return cs_error_set(err,
                            "%s: a run of cosched %.20s, and this is %s, which might decide "
                            "otherwise: resume it with that version",
                            x->journal->path, version, CS_VERSION);
    x->empties = !cs_run_journal_get(x->journal, "records", x->arena);
    x->mark = cs_run_mark_of(x);
    x->tag = cs_run_tag_of(x);
    x->groups = cs_run_groups_of(x);
    x->began = cs_plain_double(began, NULL);
    x->shift = cs_run_wall() - x->began - cs_run_ticks();
    return 0;
}

static void see_again(void *who, const struct cs_run_event *event)
{
    cs_run_note_due(who, event);
}

/* The slot of this host that no slot of the run has yet, or any; -1: none. */
static int find_slot(const struct cs_run_slot *slot, bool *taken, int count, const char *host,
                     int *first)
{
    while (*first < count && taken[*first])
        ++*first;
    for (int s = *first; s < count; s++)
        if (!taken[s] && (!host || !strcmp(slot[s].host, host))) {
            taken[s] = true;
            return s;
        }
    return -1;
}

/* Slots keep their numbers if the host is the same; the others get the remaining ones. With fewer
 * slots than before, the rest is lost. With more, a plan ignores them, other deciders use them. */
static void match_slots(struct cs_run_executor *x, int count, const char *const *host)
{
    struct cs_run_slot *slot = CS_NEW_ARRAY(x->arena, struct cs_run_slot, count + x->slots);
    bool *taken = CS_NEW_ARRAY(x->arena, bool, x->slots);
    int *from = CS_NEW_ARRAY(x->arena, int, count), first = 0;

    for (int s = 0; s < count; s++)
        from[s] = find_slot(x->slot, taken, x->slots, host[s], &first);
    for (int s = 0; s < count; s++) {
        if (from[s] < 0)
            from[s] = find_slot(x->slot, taken, x->slots, NULL, &first);
        slot[s] = from[s] < 0 ? (struct cs_run_slot){"", ""} : x->slot[from[s]];
    }
    while (x->run.decider->grows &&
           (first = find_slot(x->slot, taken, x->slots, NULL, &first)) >= 0)
        slot[count++] = x->slot[first];
    x->slot = slot;
    x->slots = count;
}

static void report_slots(struct cs_run_executor *x)
{
    for (int s = 0; s < x->slots; s++) {
        bool down = !*x->slot[s].host;
        const struct cs_run_event event = {
            .kind = down ? CS_RUN_SLOT_DOWN : CS_RUN_SLOT_UP,
            .task = -1,
            .slot = s,
            .time = x->run.now,
        };

        if (s < x->run.slots.count ? down != x->run.slots.down[s] : !down)
            cs_run_add_event(x, &event, NULL);
    }
}

/* Which slots there are now, for the next time. */
static int write_slots(struct cs_run_executor *x, const struct cs_run_slots_reported *reported,
                       struct cs_error *err)
{
    struct cs_strbuf slots = CS_STRBUF_INIT;
    char first[32];
    int status;

    match_slots(x, reported->count, reported->host);
    put_slots(x, &slots);
    cs_plain_print(first, sizeof first, "%d", reported->first);
    status = cs_run_journal_put(x->journal, "slots_first", first, err) ||
                     cs_run_journal_put(x->journal, "slots", slots.text, err) ||
                     cs_run_journal_checksum(x->journal, CS_RUN_TABLE_RUN, err)
                 ? -1
                 : 0;
    cs_strbuf_release(&slots);
    return status;
}

/* This process, and the slots it has, as one transaction. */
static int enter_again(struct cs_run_executor *x, const struct cs_run_slots_reported *slots,
                       struct cs_error *err)
{
    return cs_run_journal_exec(x->journal, "BEGIN IMMEDIATE", err) ||
                   sign_in(x, cs_run_wall(), err) || write_slots(x, slots, err) ||
                   cs_run_journal_exec(x->journal, "COMMIT", err)
               ? -1
               : 0;
}

/* Tasks that have failed for good, or were skipped because of one, wait again. */
static int add_retries(struct cs_run_executor *x, struct cs_error *err)
{
    if (!strcmp(x->setup.decide, "resize"))
        return cs_error_set(err,
                            "%s: failed tasks get new tries where jobs are queued or a plan "
                            "is followed, not where applications are resized",
                            x->folder);
    for (int t = 0; t < x->setup.tasks; t++) {
        const struct cs_run_event event = {
            .kind = CS_RUN_RETRY, .task = t, .slot = -1, .time = x->run.now};
        int state = x->run.usage[t].state;

        if (state == CS_RUN_BROKEN || state == CS_RUN_SKIPPED)
            cs_run_add_event(x, &event, NULL);
    }
    return 0;
}

/* Those that the journal knows as running, and those that it has lost. */
static int find_attempts(struct cs_run_executor *x, struct cs_error *err)
{
    struct cs_run_numbers unknown = {0};
    int status;

    cs_run_journal_settle(x->journal, true);
    cs_run_sweep(x, &unknown);
    status = cs_run_find_attempts(x, err) || cs_run_find_lost(x, &unknown, err) ? -1 : 0;
    cs_block_free(unknown.number);
    return status;
}

/* No journal: another process is about to make it, or no task has run, or this is no run. */
static int refuse_missing(const struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    char who[128] = "";

    if (cs_run_is_locked(x->folder, who, sizeof who))
        return cs_error_set(err, "%s: another process works on this run (%s)", folder, who);
    return !is_empty(x->folder) && cs_run_has_only_own(x->folder) &&
                   cs_run_journal_is_unused(x->folder)
               ? cs_error_set(err, "%s/journal.db: no run in it: start with --into", folder)
               : cs_error_set(err, "%s: there is no run here: nothing to resume", folder);
}

static int executor_resume(struct cs_run_executor *x, const char *folder, struct cs_error *err)
{
    char path[4200];
    struct cs_run_slots_reported slots;

    if (name_folder(x, folder, err) || cs_run_check_owner(x->folder, false, err))
        return -1;
    cs_plain_print(path, sizeof path, "%s/journal.db", x->folder);
    if (access(path, F_OK))
        return refuse_missing(x, folder, err);
    if (cs_run_check_owner(path, false, err) || cs_run_lock(x, err))
        return -1;
    if (cs_run_journal_is_unused(x->folder))
        return cs_error_set(err, "%s/journal.db: no run in it: start with --into", folder);
    x->journal = cs_run_journal_open(path, true, x->terms.durable, err);
    x->keeper = cs_run_program_keeper(x->arena, err);
    if (!x->journal || !x->keeper || read_head(x, err) ||
        cs_run_journal_setup(x->journal, x->arena, &x->setup, &slots, err))
        return -1;
    if (x->terms.slots)
        x->setup.wanted.count = x->terms.slots;
    x->setup.wanted.oversubscribe = true;
    if (open_engine(x, err))
        return -1;
    x->setup.old_names = x->empties;
    cs_heap_init(&x->due, x->setup.tasks, x->arena);
    x->boot_before = cs_run_journal_boot(x->journal, x->arena);
    if (cs_run_begin(&x->run, &x->setup, slots.first, x->arena, err) ||
        cs_run_replay(x->journal, &x->run, see_again, x, err) || enter_again(x, &slots, err) ||
        cs_run_open_control(x, err) || listen_to_signals(x, err))
        return -1;
    x->shift += fmax(x->run.now - cs_run_clock(x), 0);
    report_slots(x);
    if (find_attempts(x, err))
        return -1;
    if (x->run.stopping)
        cs_run_add_request(x, 0, "resumed");
    return x->terms.retries ? add_retries(x, err) : 0;
}

struct cs_run_executor *cs_run_executor_resume(const char *folder, const struct cs_run_terms *terms,
                                               const struct cs_run_watcher *watcher,
                                               struct cs_error *err)
{
    struct cs_run_executor *x = executor_create(terms, watcher);

    if (!executor_resume(x, folder, err))
        return x;
    cs_run_executor_destroy(x);
    return NULL;
}
