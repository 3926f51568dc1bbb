/* slurm_words.c - what the commands of Slurm print, read. */
#include "run/slurm_words.h"

#include "base/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_run_slurm_cpus(const char *text, int nodes, int *cpus, struct cs_error *err)
{
    const char *at = text;
    int node = 0;

    while (*at) {
        int each, times = 1, used = 0;

        if (sscanf(at, "%d%n", &each, &used) != 1 || each < 1)
            break;
        at += used;
        if (sscanf(at, "(x%d)%n", &times, &used) == 1)
            at += used;
        for (int k = 0; k < times && node < nodes; k++)
            cpus[node++] = each;
        if (*at != ',')
            break;
        at++;
    }
    return *at || node != nodes ? cs_error_set(err,
                                               "SLURM_JOB_CPUS_PER_NODE is \"%.100s\", which is "
                                               "not for %d nodes",
                                               text, nodes)
                                : 0;
}

bool cs_run_slurm_is_bad(const char *state, bool strict)
{
    static const char *const bad[] = {"down", "drained", "fail", "error", "power", "unknown"};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        if (!strncmp(state, bad[k], strlen(bad[k])))
            return true;
    return strict && *state && state[strlen(state) - 1] == '*';
}

bool cs_run_slurm_line(const char **at, struct cs_strbuf *line)
{
    size_t length = strcspn(*at, "\n");

    if (!**at)
        return false;
    cs_strbuf_clear(line);
    cs_strbuf_append(line, *at, length);
    *at += length + ((*at)[length] == '\n');
    return true;
}

bool cs_run_slurm_step(const char *lines, const char *name, struct cs_strbuf *step)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    bool found = false;

    while (!found && cs_run_slurm_line(&lines, &line)) {
        size_t number = strcspn(line.text, " ");

        found = line.text[number] && !strcmp(line.text + number + 1, name);
        if (found) {
            cs_strbuf_clear(step);
            cs_strbuf_append(step, line.text, number);
        }
    }
    cs_strbuf_release(&line);
    return found;
}

/* Words in lines of srun, and their meaning. */
static bool slurm_words_says(const char *line, const char *const *words)
{
    for (; *words; words++)
        if (strstr(line, *words))
            return true;
    return false;
}

static void read_said(const char *line, struct cs_run_slurm_said *said)
{
    static const char *const dead[] = {"Node failure on", NULL};
    static const char *const none[] = {"Unable to create step",
                                       "Unable to confirm allocation",
                                       "Job credential",
                                       "Zero Bytes were transmitted",
                                       "Unable to contact slurm controller",
                                       " has expired",
                                       NULL};
    static const char *const program[] = {"execve(): ", NULL};
    static const char *const ended[] = {"DUE TO ", "CANCELLED AT ", "Force Terminated", NULL};
    const bool failed = slurm_words_says(line, dead), void_ = slurm_words_says(line, none),
               no = slurm_words_says(line, program), cancelled = slurm_words_says(line, ended);
    const char *status = strstr(line, "Exited with exit code ");

    said->node_failed = said->node_failed || failed;
    said->never_began = said->never_began || void_;
    said->no_program = said->no_program || no;
    said->cancelled = said->cancelled || cancelled;
    if (status && said->status < 0)
        said->status = (int)strtol(status + strlen("Exited with exit code "), NULL, 10);
    if (!*said->why && (failed || void_ || no || cancelled))
        cs_plain_print(said->why, sizeof said->why, "%.190s", line);
}

void cs_run_slurm_read_said(const char *text, struct cs_run_slurm_said *said)
{
    struct cs_strbuf line = CS_STRBUF_INIT;

    *said = (struct cs_run_slurm_said){.status = -1};
    while (cs_run_slurm_line(&text, &line))
        read_said(line.text, said);
    cs_strbuf_release(&line);
}

void cs_run_slurm_read_cancelled(const char *text, const char *since,
                                 struct cs_run_slurm_said *said)
{
    static const char *const words = " CANCELLED AT ";
    struct cs_strbuf line = CS_STRBUF_INIT;
    const char *at;

    while (cs_run_slurm_line(&text, &line)) {
        at = strncmp(line.text, "slurmstepd", strlen("slurmstepd")) != 0 ||
                     !strstr(line.text, "*** STEP ")
                 ? NULL
                 : strstr(line.text, words);
        if (at && strcmp(at + strlen(words), since) >= 0)
            read_said(line.text, said);
    }
    cs_strbuf_release(&line);
}

/* ---- the request of an allocation ---- */

/* --no-kill=off reverts an earlier --no-kill. */
static bool slurm_words_keeps(const char *word, size_t length, bool before)
{
    static const char *const yes[] = {"-k", "--no-kill"};
    static const char no[] = "--no-kill=off";

    for (size_t k = 0; k < sizeof yes / sizeof *yes; k++)
        if (length == strlen(yes[k]) && !strncmp(word, yes[k], length))
            return true;
    return before && !(length == sizeof no - 1 && !strncmp(word, no, length));
}

bool cs_run_slurm_line_keeps(const char *words, size_t size)
{
    bool kept = false;

    for (size_t at = 0; at < size; at += strnlen(words + at, size - at) + 1) {
        const size_t length = strnlen(words + at, size - at);

        if (length == 2 && !strncmp(words + at, "--", 2))
            break;
        kept = slurm_words_keeps(words + at, length, kept);
    }
    return kept;
}

static bool options_keep(const char *line, bool before)
{
    static const char blank[] = " \t\r";

    line += strlen("#SBATCH");
    for (line += strspn(line, blank); *line && *line != '#';) {
        const size_t length = strcspn(line, blank);

        before = slurm_words_keeps(line, length, before);
        line += length;
        line += strspn(line, blank);
    }
    return before;
}

/* sbatch reads up to the first command. */
bool cs_run_slurm_script_keeps(const char *script)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    bool kept = false;

    while (cs_run_slurm_line(&script, &line) && (!*line.text || *line.text == '#'))
        if (cs_plain_begins(line.text, "#SBATCH "))
            kept = options_keep(line.text, kept);
    cs_strbuf_release(&line);
    return kept;
}
