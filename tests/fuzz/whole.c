/* whole: one problem (PROBLEM) from end to end.  What is read is planned or simulated; the plan is
 * written, read again, judged and drawn.  Either there is a sentence, or the plan is valid.
 *
 * The first character says how (a row below), the second on how many processors; behind the first
 * end of line stands the input.  Whoever takes long is stopped.
 */
#include "base/strbuf.h"
#include "check/check.h"
#include "fuzz/fuzz.h"
#include "io/schedule_json.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PROCS 12
#define LARGEST 1024 /* bytes: a run takes milliseconds */
#define PATIENCE (CLOCKS_PER_SEC / 5)
#define PLATFORM CS_SOURCE_DIR "/examples/clusters.json"

static const struct {
    const char *problem, *action, *options; /* the last with a place for the processors */
} row[] = {
    {"pack", "plan", "\"policy\": \"pack-by-pack,one-by-one,random-pack\", \"procs\": %d"},
    {"pack", "plan", "\"policy\": \"pack-approx\", \"pack-size\": 3, \"procs\": %d"},
    {"pack", "plan", "\"policy\": \"contiguous,matching\", \"pack-size\": 2, \"procs\": %d"},
    {"pack", "plan", "\"policy\": \"local-search,pair-search:orders=1,exact\", \"procs\": %d"},
    {"pack", "plan",
     "\"policy\": \"pack-by-pack\", \"fill\": \"power\", \"fewer\": \"scale\", \"procs\": %d"},
    {"pack", "plan",
     "\"effort\": \"fast\", \"hand-out\": \"all\", \"counts\": \"powers-of-two\", \"procs\": %d"},
    {"moldable", "plan", "\"policy\": \"all\", \"procs\": %d"},
    {"moldable", "plan", "\"effort\": \"fast\", \"fill\": \"power\", \"procs\": %d"},
    {"moldable", "plan",
     "\"policy\": \"sweep,list\", \"fewer\": \"scale\", \"times\": \"max\", \"procs\": %d"},
    {"moldable", "simulate",
     "\"effort\": \"fast\", \"sigma\": 0.3, \"scenarios\": 2, \"procs\": %d"},
    {"moldable", "simulate",
     "\"effort\": \"fast\", \"policy\": \"all\", \"scenarios\": 1, \"procs\": %d"},
    {"moldable", "plan", "\"policy\": \"all\", \"contiguous\": true, \"procs\": %d"},
    {"moldable", "simulate",
     "\"effort\": \"fast\", \"policy\": \"all\", \"contiguous\": true, \"sigma\": 0.3, "
     "\"qbar\": 0.3, \"scenarios\": 1, \"procs\": %d"},
    {"malleable", "plan", "\"procs\": %d"},
    {"malleable", "simulate", "\"mtbf\": \"1y\", \"scenarios\": 1, \"procs\": %d"},
    {"malleable", "simulate",
     "\"on-end\": \"all\", \"on-failure\": \"all\", \"mtbf\": \"1y\", \"scenarios\": 1, \"procs\": "
     "%d"},
    {"malleable", "simulate",
     "\"fault-free\": true, \"fill\": \"step\", \"fewer\": \"scale\", \"procs\": %d"},
    {"malleable", "simulate",
     "\"rules\": \"paper\", \"checkpoint\": \"3s\", \"data\": \"2s\", \"mtbf\": \"1y\", "
     "\"scenarios\": 2, \"procs\": %d"},
    {"ptg", "plan",
     "\"policy\": \"s,es,wps-width,wps-mix\", \"platform\": \"" PLATFORM "\", \"seed\": %d"},
    {"ptg", "plan",
     "\"policy\": \"joint,portfolio,dispatch\", \"platform\": \"" PLATFORM "\", \"seed\": %d"},
    {"ptg", "plan",
     "\"policy\": \"widen,ps-cp\", \"network\": \"plain\", \"platform\": \"grid5000-lille\", "
     "\"seed\": %d"},
    {"rigid", "simulate",
     "\"policy\": \"all\", \"scenarios\": 1, \"mean-failure-probability\": 0.03, \"procs\": %d"},
    {"rigid", "simulate",
     "\"policy\": \"easy:reservations=2,list,slurm,shelf-fill\", \"priority\": \"all\", "
     "\"scenarios\": 1, \"mean-failure-probability\": 0.03, \"procs\": %d"},
    {"rigid", "simulate", "\"policy\": \"all\", \"arrivals\": true, \"procs\": %d"},
    {"rigid", "simulate",
     "\"policy\": \"easy,conservative\", \"verification\": \"1s\", \"bound\": \"strong\", "
     "\"scenarios\": 1, \"mean-failure-probability\": 0.03, \"procs\": %d"},
    {"volatile", "simulate", "\"policy\": \"all\", \"scenarios\": 1, \"seed\": %d"},
    {"volatile", "simulate",
     "\"policy\": \"ie,y-ie,p-ie\", \"estimate\": \"conditional\", \"singles\": \"yes\", "
     "\"scenarios\": 2, \"seed\": %d"},
    {"volatile", "simulate",
     "\"policy\": \"ie,rate\", \"law\": \"weibull\", \"scenarios\": 1, \"seed\": %d"},
    {"volatile", "plan", "\"seed\": %d"},
};

static clock_t begun;

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static bool is_long(void *who)
{
    (void)who;
    return clock() - begun > PATIENCE;
}

/* The rows of the problem, by a number. */
static int choose(unsigned number)
{
    int count = 0, of[sizeof row / sizeof *row];

    for (size_t r = 0; r < sizeof row / sizeof *row; r++)
        if (!strcmp(row[r].problem, PROBLEM))
            of[count++] = (int)r;
    return of[number % (unsigned)count];
}

/* The input in a file without a name, that is always the same; returns its path. */
static const char *keep(const uint8_t *data, size_t size)
{
    static char path[64];
    static int file = -1;

    if (file < 0) {
        FILE *unnamed = tmpfile();

        insist(unnamed);
        file = fileno(unnamed);
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    }
    insist(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    return path;
}

/* It reads back, is valid and can be drawn. */
static void judge(const char *text, size_t length)
{
    struct cs_error err = {0};
    char *said = cs_check_text(text, length, NULL, 0, &err), *picture;

    if (!said || !strstr(said, "\"verdict\": \"valid\"")) {
        fprintf(stderr, "%s\n%s%s\n", text, said ? said : "", err.text);
        abort();
    }
    picture = cs_schedule_text_svg(text, length, 0, NULL, NULL, &err);
    insist(picture);
    cs_free(picture);
    cs_free(said);
}

static void judge_all(const struct cs_case *c)
{
    struct cs_error err = {0};
    size_t length;

    for (int variant = 0; variant < cs_case_variants(c); variant++) {
        char *text = cs_case_schedule(c, variant, 0, NULL, &length, &err);

        insist(!text == !!err.text[0]);
        if (text)
            judge(text, length);
        err.text[0] = '\0';
        cs_free(text);
    }
}

static struct cs_strbuf options_of(const uint8_t *data, size_t size, int r)
{
    const uint8_t *input = memchr(data, '\n', size);
    struct cs_strbuf options = CS_STRBUF_INIT;
    char rest[512];

    input = input ? input + 1 : data + size;
    snprintf(rest, sizeof rest, row[r].options, 1 + (size > 1 ? data[1] : 0) % PROCS);
    cs_strbuf_printf(&options, "{\"input\": \"%s\", %s}",
                     keep(input, (size_t)(data + size - input)), rest);
    return options;
}

static void go_through(const uint8_t *data, size_t size)
{
    const int r = choose(size ? data[0] : 0);
    const struct cs_watch watch = {.size = sizeof watch, .stop = is_long};
    struct cs_strbuf options = options_of(data, size, r);
    struct cs_error err = {0};
    struct cs_case *c;

    begun = clock();
    c = cs_case_open(row[r].problem, row[r].action, options.text, &watch, &err);
    insist(!c == !!err.text[0]);
    if (c && cs_case_run(c, &watch, &err) == 0)
        judge_all(c);
    else
        insist(err.text[0]);
    cs_case_close(c);
    cs_strbuf_release(&options);
}

/* Where time goes on slot by slot, or failure by failure, a number may have so many digits. */
static int most_digits(void)
{
    return !strcmp(PROBLEM, "volatile") ? 4 : !strcmp(PROBLEM, "malleable") ? 6 : LARGEST;
}

static bool is_quick(const uint8_t *data, size_t size)
{
    int digits = 0;

    for (size_t i = 0; i < size; i++) {
        bool exponent = (data[i] == 'e' || data[i] == 'E') && digits;

        digits = data[i] >= '0' && data[i] <= '9' ? digits + 1 : 0;
        if (digits > most_digits() || (exponent && most_digits() < LARGEST))
            return false;
    }
    return size <= LARGEST;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (is_quick(data, size))
        go_through(data, size);
    return 0;
}
