/* What the programs in C that bench/compare runs have alike: the clock, the processor, and what they print. */
#ifndef MEASURE_H
#define MEASURE_H

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void die(const char *what) { perror(what); exit(1); }

static inline long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

static void pin(const char *cpu) {
    if (cpu) {
        cpu_set_t set;
        CPU_ZERO(&set);
        CPU_SET(atoi(cpu), &set);
        if (sched_setaffinity(0, sizeof set, &set)) die("sched_setaffinity");
    }
}

static int by_value(const void *a, const void *b) {
    long x = *(const long *)a, y = *(const long *)b;
    return x < y ? -1 : x > y;
}

/* Sorts the times, and prints their median and percentiles. */
static inline void print_round_trips(long *t, long rounds) {
    static const double at[] = {0, 50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99, 99.999, 100};
    qsort(t, rounds, sizeof *t, by_value);
    printf("{\"median_ns\": %ld, \"rounds\": %ld, \"percentiles_ns\": {", t[rounds / 2], rounds);
    for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
        long rank = rounds * at[i] / 100;
        printf("%s\"%g\": %ld", i ? ", " : "", at[i], t[rank < rounds ? rank : rounds - 1]);
    }
    printf("}}\n");
}

/* Prints how fast so many messages of so many octets went. */
static inline void print_stream(long messages, long size, long nanos) {
    double a_second = messages * 1e9 / nanos;
    printf("{\"messages_per_second\": %.0f, \"octets_per_second\": %.0f, \"seconds\": %.3f}\n", a_second, a_second * size, nanos / 1e9);
}

#endif
