/* SPDX-License-Identifier: MIT */
/*
 * bench/command.c - wall time and peak memory of whole commands, side by side in one run.
 *
 *     bench_command RECKON
 *
 * Each command is started many times; the least time of all counts, and the most memory.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 50

typedef struct figures {
    double least_ms;
    long most_kb;
} figures;

static double now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void become(char *const *argv)
{
    int null = open("/dev/null", O_WRONLY);

    if (null >= 0)
        dup2(null, STDOUT_FILENO);
    execvp(argv[0], argv);
    _exit(127);
}

/* One run of a command; false when it is not there. */
static int run(char *const *argv, figures *f)
{
    struct rusage use;
    double start = now_ms();
    pid_t pid = fork();
    int status = 0;

    if (pid == 0)
        become(argv);
    if (pid < 0 || wait4(pid, &status, 0, &use) != pid || status != 0)
        return 0;
    start = now_ms() - start;
    f->least_ms = f->least_ms == 0 || start < f->least_ms ? start : f->least_ms;
    f->most_kb = use.ru_maxrss > f->most_kb ? use.ru_maxrss : f->most_kb;
    return 1;
}

static void bench(const char *what, char *const *argv)
{
    figures f = {0};
    int good = 1;

    for (int i = 0; i < ROUNDS && good; i++)
        good = run(argv, &f);
    if (good)
        printf("%-34s %8.2f ms %8.1f MB\n", what, f.least_ms, (double)f.most_kb / 1024);
    else
        printf("%-34s is not there, or failed\n", what);
}

int main(int argc, char **argv)
{
    char *reckon = argc > 1 ? argv[1] : "build/reckon";

    bench("true", (char *[]){"true", NULL});
    bench("python3 -c pass", (char *[]){"python3", "-c", "pass", NULL});
    bench("reckon gpt2-xl", (char *[]){reckon, "gpt2-xl", NULL});
    bench("reckon flops gpt2-xl --format json", (char *[]){reckon, "flops", "gpt2-xl", "--format", "json", NULL});
    bench("reckon params deepseek-v3", (char *[]){reckon, "params", "deepseek-v3", NULL});
    bench("reckon identify 3.5e12 deepseek-v3", (char *[]){reckon, "identify", "3.5e12", "deepseek-v3", NULL});
    bench("reckon identify 1.34TB deepseek-v3", (char *[]){reckon, "identify", "1.34TB", "deepseek-v3", NULL});
    /* One rank beside a single device, and many ranks beside few. */
    bench("reckon memory llama-3.1-8b", (char *[]){reckon, "memory", "llama-3.1-8b", "--format", "json", NULL});
    bench("reckon memory llama-3.1-8b --layout fsdp=8,tp=8,sp",
          (char *[]){reckon, "memory", "llama-3.1-8b", "--format", "json", "--layout", "fsdp=8,tp=8,sp", NULL});
    bench("reckon ranks llama-3.1-8b --layout fsdp=8",
          (char *[]){reckon, "ranks", "llama-3.1-8b", "--layout", "fsdp=8", NULL});
    bench("reckon ranks llama-3.1-8b --layout fsdp=16384",
          (char *[]){reckon, "ranks", "llama-3.1-8b", "--layout", "fsdp=16384", NULL});
    return 0;
}
