/* sample.c - the input of the simulator that Benoit et al. 2021 published. */
#include "base/lines.h"
#include "base/number.h"
#include "io/joblist_build.h"
#include "io/workload.h"

#include <limits.h>
#include <string.h>

#define HEADER 7
#define JOB 4

struct header {
    double rate, verification;
    int machine;
};

/* Cut the line at its blanks.  How many words there are, of which the first `room` are kept. */
static int sample_split(char *line, char **word, int room)
{
    int count = 0;

    for (;;) {
        line += strspn(line, " \t");
        if (!*line)
            return count;
        if (count < room)
            word[count] = line;
        count++;
        line += strcspn(line, " \t");
        if (*line)
            *line++ = '\0';
    }
}

bool cs_joblist_begins_sample(const char *line)
{
    int words = 0;

    for (line += strspn(line, " \t"); *line; line += strspn(line, " \t")) {
        line += strcspn(line, " \t");
        words++;
    }
    return words == HEADER;
}

static int read_real(const struct cs_lines *lines, const char *what, const char *text,
                     enum cs_number_want want, double *out, struct cs_error *err)
{
    if (cs_number_double(text, out) == CS_NUMBER_FINE && cs_number_meets(*out, want))
        return 0;
    return cs_lines_error(lines, err, "%s: found \"%.60s\", expected %s", what, text,
                          cs_number_wanted(want));
}

static int read_procs(const struct cs_lines *lines, const char *what, const char *text, int *out,
                      struct cs_error *err)
{
    if (cs_number_int(text, out) == CS_NUMBER_FINE && *out >= 1 && *out <= CS_IO_PROCS_MOST)
        return 0;
    return cs_lines_error(lines, err, "%s: found \"%.60s\", expected a whole number from 1 to %d",
                          what, text, CS_IO_PROCS_MOST);
}

static int read_header(const struct cs_lines *lines, char *line, struct header *header,
                       struct cs_error *err)
{
    char *word[HEADER];
    int count = sample_split(line, word, HEADER);

    if (count != HEADER)
        return cs_lines_error(lines, err,
                              "found %d words, the first line has %d: lambda P v priority batch "
                              "naive shelf",
                              count, HEADER);
    if (read_real(lines, "lambda", word[0], CS_NUMBER_NOT_NEGATIVE, &header->rate, err) ||
        read_procs(lines, "P", word[1], &header->machine, err) ||
        read_real(lines, "v", word[2], CS_NUMBER_NOT_NEGATIVE, &header->verification, err))
        return -1;
    return 0;
}

static int read_job(const struct cs_lines *lines, char *line, struct cs_joblist_draft *draft,
                    struct cs_error *err)
{
    char *word[JOB];
    int count = sample_split(line, word, JOB), procs;
    const char *fault;
    double seconds;

    if (count > 1 && !strcmp(word[1], "mld"))
        return cs_lines_error(lines, err, "job \"%.60s\" is moldable (mld): only rigid jobs (rgd)",
                              word[0]);
    if (count != JOB)
        return cs_lines_error(lines, err, "found %d words, a job has %d: NAME rgd SECONDS PROCS",
                              count, JOB);
    if (strcmp(word[1], "rgd"))
        return cs_lines_error(lines, err, "found \"%.60s\", expected \"rgd\"", word[1]);
    fault = cs_joblist_draft_fault(draft, word[0]);
    if (fault)
        return cs_lines_error(lines, err, "\"%.60s\" cannot be the name of a job: %s", word[0],
                              fault);
    if (read_real(lines, "seconds", word[2], CS_NUMBER_POSITIVE, &seconds, err) ||
        read_procs(lines, "procs", word[3], &procs, err))
        return -1;
    cs_joblist_draft_add(draft, word[0], seconds, procs);
    return 0;
}

static int read_lines(struct cs_lines *lines, struct header *header, struct cs_joblist_draft *draft,
                      struct cs_error *err)
{
    bool begun = false;
    char *line;
    size_t length;
    int status;

    while ((status = cs_lines_next(lines, &line, &length, err)) > 0) {
        if (!line[strspn(line, " \t")])
            continue;
        if (begun ? read_job(lines, line, draft, err) : read_header(lines, line, header, err))
            return -1;
        begun = true;
    }
    if (status == 0 && !begun)
        return cs_error_set(err, "%s: it is empty", cs_lines_name(lines));
    return status;
}

struct cs_joblist *cs_joblist_read_sample_memory(const char *name, const void *bytes, size_t size,
                                                 struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open_memory(name, bytes, size);
    struct cs_joblist_draft draft;
    struct cs_joblist *list;
    struct header header = {0};
    int status;

    if (!lines)
        return NULL;
    cs_joblist_draft_begin(&draft);
    status = read_lines(lines, &header, &draft, err);
    cs_lines_close(lines);
    list = cs_joblist_draft_end(&draft, status);
    if (list) {
        list->machine = header.machine;
        list->verification = header.verification;
        list->rate = header.rate;
    }
    return list;
}
