/* random.h - see linux.h. */
#include "linux.h"
#include_next <sys/random.h>
