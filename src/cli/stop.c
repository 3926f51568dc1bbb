/* stop.c - the handler does nothing that a handler may not do. */
#define _XOPEN_SOURCE 700
#include "cli/stop.h"

#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void note(int signal)
{
    static const char text[] =
        "\ncosched: finishing the runs in hand, then stopping (once more: at once)\n";

    caught = signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return;
}

const volatile sig_atomic_t *cs_stop_catch(void)
{
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};

    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    return &caught;
}
