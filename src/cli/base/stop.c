/* stop.c - the handler is async-signal-safe. */
#define _XOPEN_SOURCE 700
#include "cli/base/stop.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t caught;

static void stop_note(int signal)
{
    static const char text[] =
        "\ncosched: finishing the current runs, then stopping (again: stop immediately)\n";

    const int code = errno;

    caught = signal;
    if (write(STDERR_FILENO, text, sizeof text - 1) < 0)
        caught = signal;
    errno = code;
}

/* Ignored signals, as in the background of a script, stay ignored. */
static void catch_one(int signal)
{
    struct sigaction action = {.sa_handler = stop_note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    struct sigaction old;

    sigemptyset(&action.sa_mask);
    if (!sigaction(signal, NULL, &old) && old.sa_handler != SIG_IGN)
        sigaction(signal, &action, NULL);
}

void cs_stop_catch(void)
{
    catch_one(SIGINT);
    catch_one(SIGTERM);
}

int cs_stop_signal(void)
{
    return caught;
}

bool cs_stop_asked(void *who)
{
    (void)who;
    return caught != 0;
}
