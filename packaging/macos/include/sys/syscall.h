/* syscall.h - see linux.h. */
#include "linux.h"
