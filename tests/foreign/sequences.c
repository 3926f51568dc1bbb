/* sequences.c - random sequences of calls with fixed seeds; COSCHED_SEQUENCES=N: so many. */
#include "calls.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int main(int argc, char **argv)
{
    const char *more = getenv("COSCHED_SEQUENCES");
    long first = argc > 1 ? atol(argv[1]) : 1, all = more ? atol(more) : 40;
    uint8_t bytes[4096];

    for (long seed = first; seed < first + all; seed++) {
        uint64_t state = (uint64_t)seed;

        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)(next(&state) >> 32);
        if (argc > 1) {
            fprintf(stderr, "seed %ld\n", seed);
        }
        calls_run(bytes, sizeof bytes);
    }
    printf("%ld sequences of calls, %d kinds of calls\n", all, calls_count());
    return 0;
}
