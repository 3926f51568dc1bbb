/* replay.c - a fuzz target without a fuzzer: replay DIRECTORY.
 *
 * Every file of the directory goes through the target, whole and cut off after each of
 * its first bytes: what a reader sees of a file that is still being written.
 */
#include "fuzz/fuzz.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST ((size_t)1 << 20)
#define CUTS ((size_t)2048)
#ifndef EVERY
#define EVERY 1 /* so many bytes between two cuts */
#endif

static void replay(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);

    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int replay_file(const char *folder, const char *name)
{
    static uint8_t data[LONGEST];
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return -1;
    size_t size = fread(data, 1, sizeof(data), file);
    fclose(file);
    for (size_t cut = 0; cut < size && cut < CUTS; cut += EVERY)
        replay(data, cut);
    replay(data, size);
    return 0;
}

int main(int argc, char **argv)
{
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
    int files = 0, unreadable = 0;

    if (!folder) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        files++;
        unreadable += replay_file(argv[1], entry->d_name) != 0;
    }
    closedir(folder);
    printf("replayed %d files of %s\n", files, argv[1]);
    return files == 0 || unreadable > 0;
}
