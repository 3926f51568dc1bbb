/* dies.h - does a call end the program, as a bug of ours must? */
#ifndef CS_TESTS_UNIT_DIES_H
#define CS_TESTS_UNIT_DIES_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Run it in a child, quietly: did it abort? */
static inline bool dies(void (*call)(void))
{
    int status = 0;
    const pid_t child = fork();

    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
        if (!freopen("/dev/null", "w", stderr))
            _exit(2);
        signal(SIGABRT, SIG_DFL);
        call();
        _exit(0);
    }
    return child > 0 && waitpid(child, &status, 0) == child && WIFSIGNALED(status) &&
           WTERMSIG(status) == SIGABRT;
}

#endif
