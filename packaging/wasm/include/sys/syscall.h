/* syscall.h - a page has no processes: system calls for one fail. */
#ifndef CS_WASM_SYSCALL_H
#define CS_WASM_SYSCALL_H

#include <errno.h>

#define SYS_pidfd_send_signal 424
#define SYS_pidfd_open 434

static inline long syscall(long number, ...)
{
    (void)number;
    errno = ENOSYS;
    return -1;
}

#endif
