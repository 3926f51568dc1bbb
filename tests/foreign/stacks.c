/* stacks.c - how much stack every public function uses, and that it is no more than docs/threads.md
 * states.
 *
 * Each call runs on a thread whose stack is full of one byte; what has changed afterwards was used.
 * Then come random sequences, on one thread each.  `foreign_stacks -v` prints the calls that use
 * most.
 */
#include "calls.h"
#include "model/schedule.h"

#include <cosched/case.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define STACK ((size_t)4 << 20)
#define STATED ((size_t)256 << 10) /* docs/threads.md: the least that a caller's thread needs */
#define SEQUENCES 10
#define PAINT 0xa5

struct piece {
    void (*work)(void *who);
    void *who;
};

static unsigned char *stack;

static void *piece_run(void *who)
{
    struct piece *piece = who;

    piece->work(piece->who);
    return NULL;
}

/* How many bytes of stack the work uses on a thread of its own. */
static size_t stack_used(void (*work)(void *who), void *who)
{
    struct piece piece = {work, who};
    pthread_attr_t attributes;
    pthread_t thread;
    size_t clean = 0;

    memset(stack, PAINT, STACK);
    if (pthread_attr_init(&attributes) || pthread_attr_setstack(&attributes, stack, STACK) ||
        pthread_create(&thread, &attributes, piece_run, &piece)) {
        fprintf(stderr, "no thread can be started\n");
        exit(1);
    }
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    while (clean < STACK && stack[clean] == PAINT)
        clean++;
    return STACK - clean;
}

struct one {
    struct caller *caller;
    const struct call *call;
};

static void call_one(void *who)
{
    const struct one *one = who;

    one->call->make(one->caller);
}

static void call_many(void *who)
{
    calls_run(who, 4096);
}

static void do_nothing(void *who)
{
    (void)who;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* Every call once, rightly, with objects that are there. */
static size_t measure_calls(bool verbose)
{
    struct caller c = {.tame = true};
    uint8_t bytes[64];
    size_t most = 0;

    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)(37 * i);
    for (int i = 0; i < calls_count(); i++) {
        struct one one = {&c, calls_at(i)};
        size_t used;

        c.byte = bytes;
        c.end = bytes + sizeof bytes;
        used = stack_used(call_one, &one);
        if (verbose)
            printf("# %7zu %s\n", used, one.call->name);
        most = larger(most, used);
    }
    calls_end(&c);
    return most;
}

/* Nested as deeply as the reader takes, and deeper. */
static void read_nested(void *who)
{
    const char *text = who;
    struct cs_error err = {0};

    cs_schedule_file_destroy(cs_schedule_file_read_memory("nested", text, strlen(text), &err));
    cs_case_check("pack", "plan", text, &err);
}

static size_t measure_nested(void)
{
    static const int levels[] = {100, 2000, 100000};
    size_t most = 0;

    for (size_t l = 0; l < sizeof levels / sizeof *levels; l++) {
        const size_t count = (size_t)levels[l];
        char *text = malloc(6 * count + 1);

        for (size_t i = 0; i < count; i++) {
            memcpy(text + 5 * i, "{\"a\":", 5);
            text[5 * count + i] = '}';
        }
        text[6 * count] = 0;
        most = larger(most, stack_used(read_nested, text));
        free(text);
    }
    return most;
}

static size_t measure_sequences(void)
{
    uint8_t bytes[4096];
    uint32_t state = 1;
    size_t most = 0;

    for (int s = 0; s < SEQUENCES; s++) {
        for (size_t i = 0; i < sizeof bytes; i++) {
            state = state * 1664525u + 1013904223u;
            bytes[i] = (uint8_t)(state >> 24);
        }
        most = larger(most, stack_used(call_many, bytes));
    }
    return most;
}

int main(int argc, char **argv)
{
    size_t nothing, calls, nested, sequences;

    (void)argv;
    stack = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return 1;
    nothing = stack_used(do_nothing, NULL);
    calls = measure_calls(argc > 1);
    nested = measure_nested();
    sequences = measure_sequences();
    printf(
        "bytes of stack: %zu by a thread that does nothing, %zu by the call that uses most, %zu by "
        "nested JSON, %zu by sequences; %zu are stated\n",
        nothing, calls, nested, sequences, STATED);
    return larger(larger(calls, nested), sequences) > STATED;
}
