/* prctl.h - see linux.h. */
#include "linux.h"
