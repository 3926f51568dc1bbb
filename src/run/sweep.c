/* sweep.c - what lies around in the folder of a run after a kill or a power cut. */
#define _GNU_SOURCE
#include "base/guard.h"
#include "base/plain.h"
#include "run/executor.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of an attempt, from the name of one of its files; 0 for everything else. */
static int64_t number_of(const char *name)
{
    char *end;
    long long number = strtoll(name, &end, 10);

    return end > name && *end == '.' && number > 0 && number <= CS_RUN_NUMBER_MOST ? number : 0;
}

static bool is_record(const char *name)
{
    return !strcmp(strchr(name, '.'), ".rec");
}

/* Attempts whose records the journal does not know. */
struct orphans {
    int64_t *number;
    int count, room;
};

static void put_orphan(struct orphans *orphans, int64_t number)
{
    if (orphans->count == orphans->room) {
        orphans->room = orphans->room ? 2 * orphans->room : 16;
        orphans->number =
            cs_block_resize(orphans->number, (size_t)orphans->room * sizeof *orphans->number);
    }
    orphans->number[orphans->count++] = number;
}

static int set_aside(struct cs_run_executor *x, int64_t number, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    char to[4200];
    int status = 0;

    cs_run_attempt_path(x->folder, number, "rec", &path);
    cs_plain_print(to, sizeof to, "%s/orphans", x->folder);
    if (mkdir(to, 0700) && errno != EEXIST)
        status =
            cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be made: %s", to, strerror(errno));
    cs_plain_print(to, sizeof to, "%s/orphans/%06lld.rec", x->folder, (long long)number);
    if (!status && rename(path.text, to))
        status = cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be moved to %s: %s", path.text,
                                 to, strerror(errno));
    if (!status)
        x->watcher.say(x->watcher.who,
                       "the journal lost an attempt in a power cut: its record is in RUN/orphans");
    cs_strbuf_release(&path);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

/* What they left behind is looked for once. */
static int set_all_aside(struct cs_run_executor *x, struct orphans *orphans, struct cs_error *err)
{
    int status = 0;

    if (orphans->count > 0) {
        qsort(orphans->number, (size_t)orphans->count, sizeof *orphans->number, compare_numbers);
        cs_run_mark_kill_all(x, orphans->number, orphans->count, NULL);
    }
    for (int k = 0; !status && k < orphans->count; k++)
        status = set_aside(x, orphans->number[k], err);
    return status;
}

static bool is_void(const char *path)
{
    struct cs_run_record record = {0};

    return cs_run_record_load(path, &record, NULL) > 0 && record.voided;
}

/* The largest number is raised to the largest in the folder. */
static void sweep_folder(const struct cs_run_executor *x, const char *folder, int64_t *largest,
                         struct orphans *orphans)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    struct cs_strbuf path = CS_STRBUF_INIT;

    while (entries && (entry = readdir(entries))) {
        int64_t number = number_of(entry->d_name);

        if (number > *largest)
            *largest = number;
        if (!number || !is_record(entry->d_name) || cs_run_attempt_find(&x->run, number))
            continue;
        cs_strbuf_clear(&path);
        cs_strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        if (number > x->run.last)
            put_orphan(orphans, number);
        else if (!is_void(path.text))
            unlink(path.text);
    }
    cs_strbuf_release(&path);
    if (entries)
        closedir(entries);
}

/* Of those that were set aside before. */
static int64_t largest_orphan(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    int64_t largest = 0;

    while (entries && (entry = readdir(entries)))
        if (number_of(entry->d_name) > largest)
            largest = number_of(entry->d_name);
    if (entries)
        closedir(entries);
    return largest;
}

static void skip_numbers(struct cs_run_executor *x, int64_t largest)
{
    const struct cs_run_event event = {
        .kind = CS_RUN_NUMBERS,
        .task = -1,
        .slot = -1,
        .time = fmax(x->run.now, cs_run_clock(x)),
        .value = (double)largest,
    };

    if (largest > x->run.last)
        cs_run_add_event(x, &event, NULL);
}

int cs_run_sweep(struct cs_run_executor *x, struct cs_error *err)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    struct orphans orphans = {0};
    const struct dirent *entry;
    int64_t largest;
    DIR *entries;
    int status;

    cs_strbuf_printf(&path, "%s/orphans", x->folder);
    largest = largest_orphan(path.text);
    cs_strbuf_clear(&path);
    cs_strbuf_printf(&path, "%s/a", x->folder);
    entries = opendir(path.text);
    while (entries && (entry = readdir(entries)))
        if (*entry->d_name && strspn(entry->d_name, "0123456789") == strlen(entry->d_name)) {
            cs_strbuf_clear(&path);
            cs_strbuf_printf(&path, "%s/a/%s", x->folder, entry->d_name);
            sweep_folder(x, path.text, &largest, &orphans);
        }
    if (entries)
        closedir(entries);
    cs_strbuf_release(&path);
    status = set_all_aside(x, &orphans, err);
    cs_block_free(orphans.number);
    skip_numbers(x, largest);
    return status;
}
