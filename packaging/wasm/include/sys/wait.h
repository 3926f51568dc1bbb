/* wait.h - with the word of the GNU library that others lack. */
#include_next <sys/wait.h>

#ifndef W_EXITCODE
#define W_EXITCODE(status, number) ((status) << 8 | (number))
#endif
