/* sweep.c - what lies around in the folder of a run after a kill or a power cut. */
#define _GNU_SOURCE
#include "base/file.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/vector.h"
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
static int64_t sweep_number_of(const char *name)
{
    char *end;
    long long number = strtoll(name, &end, 10);

    return end > name && *end == '.' && number > 0 && number <= CS_RUN_NUMBER_MOST ? number : 0;
}

static bool is_record(const char *name)
{
    return !strcmp(strchr(name, '.'), ".rec");
}

static void sweep_put_number(struct cs_run_numbers *numbers, int64_t number)
{
    CS_BLOCK_ROOM(numbers->number, numbers->count, numbers->room, 16);
    numbers->number[numbers->count++] = number;
}

static int compare_numbers(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;

    return (first > second) - (first < second);
}

static bool is_void(const char *path)
{
    struct cs_run_record record = {0};

    return cs_run_record_load(path, &record, NULL) > 0 && record.voided;
}

/* The largest number is raised to the largest in the folder. */
static void sweep_folder(const struct cs_run_executor *x, const char *folder, int64_t *largest,
                         struct cs_run_numbers *unknown)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    struct cs_strbuf path = CS_STRBUF_INIT;
    CS_HOLD(held);

    cs_folder_hold(&held, entries);
    while (entries && (entry = readdir(entries))) {
        int64_t number = sweep_number_of(entry->d_name);

        if (number > *largest)
            *largest = number;
        if (!number || !is_record(entry->d_name) || cs_run_attempt_find(&x->run, number))
            continue;
        cs_strbuf_clear(&path);
        cs_strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        if (is_void(path.text))
            continue;
        if (number > x->run.last)
            sweep_put_number(unknown, number);
        else if (x->journal->settled)
            unlink(path.text);
    }
    cs_strbuf_release(&path);
}

/* Of those that were set aside before. */
static int64_t largest_orphan(const char *folder)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    int64_t largest = 0;

    while (entries && (entry = readdir(entries)))
        if (sweep_number_of(entry->d_name) > largest)
            largest = sweep_number_of(entry->d_name);
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

void cs_run_sweep(struct cs_run_executor *x, struct cs_run_numbers *unknown)
{
    struct cs_strbuf path = CS_STRBUF_INIT;
    const struct dirent *entry;
    int64_t largest;
    DIR *entries;
    CS_HOLD(held);

    cs_strbuf_printf(&path, "%s/orphans", x->folder);
    largest = largest_orphan(path.text);
    cs_strbuf_clear(&path);
    cs_strbuf_printf(&path, "%s/a", x->folder);
    entries = opendir(path.text);
    cs_folder_hold(&held, entries);
    while (entries && (entry = readdir(entries)))
        if (*entry->d_name && strspn(entry->d_name, "0123456789") == strlen(entry->d_name)) {
            cs_strbuf_clear(&path);
            cs_strbuf_printf(&path, "%s/a/%s", x->folder, entry->d_name);
            sweep_folder(x, path.text, &largest, unknown);
        }
    cs_release(&held);
    cs_strbuf_release(&path);
    if (unknown->count)
        qsort(unknown->number, (size_t)unknown->count, sizeof *unknown->number, compare_numbers);
    skip_numbers(x, largest);
}

/* ---- a run that was killed before its first round ---- */

bool cs_run_has_only_own(const char *folder)
{
    static const char *const own[] = {".",
                                      "..",
                                      "a",
                                      "journal.db",
                                      "journal.db-wal",
                                      "journal.db-shm",
                                      "journal.db-journal",
                                      "lock",
                                      "control"};
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    bool only = true;

    while (entries && only && (entry = readdir(entries))) {
        only = false;
        for (size_t k = 0; !only && k < sizeof own / sizeof *own; k++)
            only = !strcmp(entry->d_name, own[k]);
    }
    if (entries)
        closedir(entries);
    return only;
}

int cs_run_clear(const struct cs_run_executor *x, struct cs_error *err)
{
    static const char *const old[] = {"journal.db", "journal.db-wal", "journal.db-shm",
                                      "journal.db-journal", "control"};
    char path[4200];

    for (size_t k = 0; k < sizeof old / sizeof *old; k++) {
        cs_plain_print(path, sizeof path, "%s/%s", x->folder, old[k]);
        if (unlink(path) && errno != ENOENT)
            return cs_error_set_as(err, CS_ERROR_SYSTEM, "%s: cannot be removed: %s", path,
                                   strerror(errno));
    }
    return 0;
}
