/* columns.c - a job log as Arrow's columns, read in every way in which a consumer may.
 *
 * usage: foreign_columns LOG JOBS
 */
#include "consumer.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *path[2] = {argv[1], argv[1]};
    struct cs_error err = {0};
    unsigned sum = 0;

    if (argc != 3)
        return 2;
    for (unsigned how = 0; how < 32; how++) {
        const int logs = how & 16 ? 2 : 1;
        struct ArrowArrayStream stream;
        const char *broken;

        consumed_rows = consumed_columns = consumed_sum = 0;
        if (cs_joblog_arrow(path, logs, NULL, NULL, &stream, &err)) {
            printf("%s\n", err.text);
            return 1;
        }
        broken = consume(&stream, how & 15);
        sum = how ? sum : consumed_sum;
        if (!broken && !(how & 4) && (consumed_rows != atol(argv[2]) || consumed_columns != 11))
            broken = "so many rows and columns";
        if (!broken && !(how & 22) && consumed_sum != sum)
            broken = "the same bytes each time";
        if (broken) {
            printf("way %u: %s\n", how, broken);
            return 1;
        }
    }
    printf("%s jobs, read in 32 ways\n", argv[2]);
    return 0;
}
