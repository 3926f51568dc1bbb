/* slurm_kept.c - was the allocation made with --no-kill?
 *
 * Neither scontrol nor the environment of a job has it (Slurm 22.05). Its request can be seen: the
 * environment that salloc and sbatch read, the command line of the salloc that this process is a
 * child of, and the batch script. The command line of sbatch is not available.
 */
#define _GNU_SOURCE
#include "run/slurm.h"

#include "base/file.h"
#include "base/plain.h"
#include "run/slurm_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LONGEST 65536   /* bytes of a file of /proc */
#define GENERATIONS 100 /* between salloc and this process */

/* A file of /proc, whose size is not known in advance; "" when it cannot be read. */
static void read_of(long pid, const char *name, struct cs_strbuf *out)
{
    char path[64];
    ssize_t got;

    cs_strbuf_clear(out);
    cs_plain_print(path, sizeof path, "/proc/%ld/%s", pid, name);
    got = cs_file_head(path, cs_strbuf_room(out, LONGEST), LONGEST);
    cs_strbuf_wrote(out, got > 0 ? (size_t)got : 0);
}

/* From "PID (NAME) STATE PARENT ..."; 0: not found. */
static long parent_of(const char *stat)
{
    const char *behind = strrchr(stat, ')');

    return behind && strlen(behind) > 4 ? strtol(behind + 4, NULL, 10) : 0;
}

static bool is_salloc(const char *stat)
{
    const char *name = strchr(stat, '(');

    return name && cs_plain_begins(name, "(salloc)");
}

static bool is_kept_by_parent(void)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    long pid = getppid();
    bool kept = false;

    for (int g = 0; g < GENERATIONS && pid > 1; g++) {
        read_of(pid, "stat", &text);
        if (is_salloc(text.text)) {
            read_of(pid, "cmdline", &text);
            kept = cs_run_slurm_line_keeps(text.text, text.length);
            break;
        }
        pid = parent_of(text.text);
    }
    cs_strbuf_release(&text);
    return kept;
}

/* Only jobs of sbatch have a script. */
static bool is_kept_by_script(const struct cs_run_slurm *s)
{
    struct cs_strbuf script = CS_STRBUF_INIT;
    const bool kept = cs_run_slurm_ask((const char *const[]){s->scontrol, "write", "batch_script",
                                                             s->job, "-", NULL},
                                       &script) &&
                      cs_run_slurm_script_keeps(script.text);

    cs_strbuf_release(&script);
    return kept;
}

bool cs_run_slurm_is_kept(const struct cs_run_slurm *s)
{
    return getenv("SALLOC_NO_KILL") || getenv("SBATCH_NO_KILL") || is_kept_by_parent() ||
           is_kept_by_script(s);
}
