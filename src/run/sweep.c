/* sweep.c - what lies around in the folder of a run after a kill or a power cut. */
#define _GNU_SOURCE
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

static int set_aside(struct cs_run_executor *x, const char *path, int64_t number,
                     struct cs_error *err)
{
    char to[4200];

    cs_run_mark_kill(x, number);
    cs_plain_print(to, sizeof to, "%s/orphans", x->folder);
    if (mkdir(to, 0700) && errno != EEXIST)
        return cs_error_set(err, "%s: cannot be made: %s", to, strerror(errno));
    cs_plain_print(to, sizeof to, "%s/orphans/%06lld.rec", x->folder, (long long)number);
    if (rename(path, to))
        return cs_error_set(err, "%s: cannot be moved to %s: %s", path, to, strerror(errno));
    x->watcher.say(x->watcher.who,
                   "the journal lost an attempt in a power cut: its record is in RUN/orphans");
    return 0;
}

static bool is_void(const char *path)
{
    struct cs_run_record record = {0};

    return cs_run_record_load(path, &record, NULL) > 0 && record.voided;
}

/* The largest number is raised to the largest in the folder. */
static int sweep_folder(struct cs_run_executor *x, const char *folder, int64_t *largest,
                        struct cs_error *err)
{
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    struct cs_strbuf path = CS_STRBUF_INIT;
    int status = 0;

    while (!status && entries && (entry = readdir(entries))) {
        int64_t number = number_of(entry->d_name);

        if (number > *largest)
            *largest = number;
        if (!number || !is_record(entry->d_name) || cs_run_attempt_find(&x->run, number))
            continue;
        cs_strbuf_clear(&path);
        cs_strbuf_printf(&path, "%s/%s", folder, entry->d_name);
        if (number > x->run.last)
            status = set_aside(x, path.text, number, err);
        else if (!is_void(path.text))
            unlink(path.text);
    }
    cs_strbuf_release(&path);
    if (entries)
        closedir(entries);
    return status;
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
    const struct dirent *entry;
    int64_t largest;
    int status = 0;
    DIR *entries;

    cs_strbuf_printf(&path, "%s/orphans", x->folder);
    largest = largest_orphan(path.text);
    cs_strbuf_clear(&path);
    cs_strbuf_printf(&path, "%s/a", x->folder);
    entries = opendir(path.text);
    while (!status && entries && (entry = readdir(entries)))
        if (*entry->d_name && strspn(entry->d_name, "0123456789") == strlen(entry->d_name)) {
            cs_strbuf_clear(&path);
            cs_strbuf_printf(&path, "%s/a/%s", x->folder, entry->d_name);
            status = sweep_folder(x, path.text, &largest, err);
        }
    if (entries)
        closedir(entries);
    cs_strbuf_release(&path);
    skip_numbers(x, largest);
    return status;
}
