/* The floors of everything between two processes of one host: memory that both have mapped, and no system call.
 *
 * usage: host handover SIZE ROUNDS  [CPU CPU]     median and percentiles of round trips of SIZE octets
 *        host stream   SIZE SECONDS [CPU CPU]     messages a second of SIZE octets, one way, in batches of 64
 *        host memcpy   SIZE SECONDS [CPU]         octets a second from private memory to shared, by one process
 *        host futex    SIZE ROUNDS  [CPU CPU]     round trips as of handover, between two that sleep at a futex
 *
 * A hand-over is what nobody can leave out who copies: octets into shared memory, a number that says so, which the other
 * side waits for, and the octets out of it; SIZE is a multiple of 8. Prints one JSON object; a tenth of the rounds, or of the seconds, more is warm-up.
 */
#define _GNU_SOURCE
#include "measure.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 256, SLOTS = 1024, BATCH = 64 }; /* lines are fetched in pairs, so counts lie further apart */

/* One direction: who sends writes `sent` and the octets, who receives writes `taken`. */
struct way {
    _Alignas(LINE) atomic_long sent;
    _Alignas(LINE) atomic_long taken;
    _Alignas(LINE) char octets[];
};

static int sleeps; /* who waits for a message, at `sent` */

static struct way *way(long bytes) {
    void *m = mmap(NULL, sizeof(struct way) + bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (m == MAP_FAILED) die("mmap");
    return m;
}

static void await(atomic_long *count, long value) {
    while (atomic_load_explicit(count, memory_order_acquire) < value) ;
}

/* The last eight octets of a message are its number, as of a Write that is noticed in memory: 64 octets are one line. */
static atomic_long *last(struct way *w, long size) { return (atomic_long *)(w->octets + size - sizeof(long)); }

static void put(struct way *w, const char *b, long size, long number) {
    memcpy(w->octets, b, size - sizeof number);
    atomic_store_explicit(last(w, size), number, memory_order_release);
    if (sleeps) {
        atomic_store((atomic_int *)&w->sent, (int)number);
        syscall(SYS_futex, &w->sent, FUTEX_WAKE, 1, NULL, NULL, 0);
    }
}

static void take(struct way *w, char *b, long size, long number) {
    while (sleeps && atomic_load((atomic_int *)&w->sent) != (int)number)
        syscall(SYS_futex, &w->sent, FUTEX_WAIT, (int)number - 1, NULL, NULL, 0);
    await(last(w, size), number);
    memcpy(b, w->octets, size);
}

static void ping(struct way *there, struct way *back, long size, long rounds) {
    char *b = calloc(1, size);
    long *t = malloc(rounds * sizeof *t), number = 0;
    for (long i = -(rounds / 10); i < rounds; i++) {
        long from = now();
        put(there, b, size, ++number);
        take(back, b, size, number);
        if (i >= 0) t[i] = now() - from;
    }
    print_round_trips(t, rounds);
}

static void pong(struct way *there, struct way *back, long size, long rounds) {
    char *b = calloc(1, size);
    for (long number = 1; number <= rounds + rounds / 10; number++) {
        take(there, b, size, number);
        put(back, b, size, number);
    }
}

/* Sends batches for so long, until all are taken, and returns the number of the last message. */
static long send_for(struct way *w, const char *b, long size, long first, double seconds) {
    long number = first, until = now() + (long)(seconds * 1e9);
    do {
        await(&w->taken, number + BATCH - SLOTS);
        for (int i = 0; i < BATCH; i++) memcpy(w->octets + (number + i) % SLOTS * size, b, size);
        number += BATCH;
        atomic_store_explicit(&w->sent, number, memory_order_release);
    } while (now() < until);
    await(&w->taken, number);
    return number;
}

static void stream(struct way *w, struct way *end, long size, double seconds) {
    char *b = calloc(1, size);
    long first = send_for(w, b, size, 0, seconds / 10), from = now();
    long messages = send_for(w, b, size, first, seconds) - first;
    print_stream(messages, size, now() - from);
    atomic_store(&end->sent, 1);
}

static void sink(struct way *w, struct way *end, long size) {
    char *b = calloc(1, size);
    long number = 0;
    while (!atomic_load_explicit(&end->sent, memory_order_relaxed)) {
        long sent = atomic_load_explicit(&w->sent, memory_order_acquire);
        if (sent == number) continue;
        for (; number < sent; number++) memcpy(b, w->octets + number % SLOTS * size, size);
        atomic_store_explicit(&w->taken, number, memory_order_release);
    }
}

static long copy_for(struct way *w, char *b, long size, double seconds) {
    long copies = 0, until = now() + (long)(seconds * 1e9);
    do {
        b[copies % size] = (char)copies;
        memcpy(w->octets, b, size);
        copies++;
    } while (now() < until);
    return copies;
}

static void copies(struct way *w, long size, double seconds) {
    char *b = memset(malloc(size), 1, size); /* pages of its own, and not the kernel's one of zeros */
    copy_for(w, b, size, seconds / 10);
    long from = now(), count = copy_for(w, b, size, seconds);
    print_stream(count, size, now() - from);
}

int main(int argc, char **argv) {
    const char *test = argc >= 4 ? argv[1] : "";
    sleeps = !strcmp(test, "futex");
    int handover = sleeps || !strcmp(test, "handover"), streams = !strcmp(test, "stream"), alone = !strcmp(test, "memcpy");
    if (argc > 6 || !(handover || streams || alone) || atol(argv[2]) < 8 || atol(argv[2]) % 8 || atof(argv[3]) <= 0 || (handover && atol(argv[3]) < 1)) {
        fprintf(stderr, "usage: host handover|stream|memcpy|futex SIZE ROUNDS|SECONDS [CPU CPU]\n");
        return 2;
    }
    long size = atol(argv[2]);
    struct way *there = way(streams ? SLOTS * size : size), *back = way(size);
    if (!alone && argc == 5) { fprintf(stderr, "host: two processes take two processors, or none\n"); return 2; }
    if (alone) {
        pin(argc > 4 ? argv[4] : NULL);
        copies(there, size, atof(argv[3]));
        return 0;
    }
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pin(argc == 6 ? argv[5] : NULL);
        if (handover) pong(there, back, size, atol(argv[3]));
        else sink(there, back, size);
        return 0;
    }
    pin(argc == 6 ? argv[4] : NULL);
    if (handover) ping(there, back, size, atol(argv[3]));
    else stream(there, back, size, atof(argv[3]));
    waitpid(child, NULL, 0);
    return 0;
}
