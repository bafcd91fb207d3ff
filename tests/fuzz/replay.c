/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over all files of the folders given, in the order of their names: every input that once mattered
 * stays a test.  The input is copied to the heap, so that a sanitizer sees the first byte read after it.
 */
#include "fuzz.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

static void run_file(const char *path, size_t *n_run)
{
    FILE *f = fopen(path, "rb");
    struct stat st;

    if (!f || fstat(fileno(f), &st) != 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    if (S_ISREG(st.st_mode) && (size_t)st.st_size <= FUZZ_BYTES_MAX) {
        size_t size = (size_t)st.st_size;
        uint8_t *data = malloc(size ? size : 1);

        if (!data || fread(data, 1, size, f) != size)
            exit(1);
        /* Said before, so that it stands last when the target aborts. */
        fprintf(stderr, "%s\n", path);
        LLVMFuzzerTestOneInput(data, size);
        free(data);
        ++*n_run;
    }
    fclose(f);
}

static void run_folder(const char *folder, size_t *n_run)
{
    struct dirent **entry = NULL;
    int n = scandir(folder, &entry, NULL, alphasort);

    if (n < 0) {
        fprintf(stderr, "%s: no such folder\n", folder);
        exit(1);
    }
    for (int i = 0; i < n; i++) {
        char path[4096];

        snprintf(path, sizeof path, "%s/%s", folder, entry[i]->d_name);
        if (entry[i]->d_name[0] != '.')
            run_file(path, n_run);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv)
{
    size_t n_run = 0;

    for (int i = 1; i < argc; i++)
        run_folder(argv[i], &n_run);
    printf("%zu inputs replayed\n", n_run);
    return n_run > 0 ? 0 : 1;
}
