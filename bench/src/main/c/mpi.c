/* MPI on one host: two ranks, of which rank 0 measures. mpirun -np 2 mpi ...
 *
 * usage: mpi send   SIZE ROUNDS CPU CPU     round trips by MPI_Send and MPI_Recv
 *        mpi put    SIZE ROUNDS CPU CPU     round trips by MPI_Put, noticed by their last octets in the window
 *        mpi batch  SIZE COUNT  CPU CPU     messages a second, 64 by MPI_Isend at a time
 *        mpi puts   SIZE COUNT  CPU CPU     octets a second, 16 by MPI_Put between two flushes
 *
 * Prints one JSON object. A tenth more is warm-up.
 */
#define _GNU_SOURCE
#include "measure.h"

#include <mpi.h>

enum { BATCH = 64, SLOTS = 4 * BATCH, PUTS = 16 };

static int rank, other;

static void send_ping_pong(char *b, int size, long rounds) {
    long *t = malloc(rounds * sizeof *t);
    for (long i = -(rounds / 10); i < rounds; i++) {
        long from = now();
        if (rank == 0) {
            MPI_Send(b, size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
            MPI_Recv(b, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(b, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(b, size, MPI_BYTE, other, 0, MPI_COMM_WORLD);
        }
        if (i >= 0) t[i] = now() - from;
    }
    if (rank == 0) print_round_trips(t, rounds);
}

/* The last eight octets of a message are its number; looking for them drives MPI, which some windows need. */
static void put(MPI_Win win, char *b, int size, long number) {
    memcpy(b + size - sizeof number, &number, sizeof number);
    MPI_Put(b, size, MPI_BYTE, other, 0, size, MPI_BYTE, win);
    MPI_Win_flush(other, win);
}

static void await(MPI_Win win, const char *window, int size, long number) {
    const volatile long *last = (const volatile long *)(window + size - sizeof number);
    for (long looks = 0; *last != number; looks++) {
        if (looks % 8 == 7) {
            int flag;
            MPI_Win_sync(win);
            MPI_Iprobe(other, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
    }
}

static void put_ping_pong(MPI_Win win, char *window, int size, long rounds) {
    char *b = calloc(1, size);
    long *t = malloc(rounds * sizeof *t), number = 0;
    for (long i = -(rounds / 10); i < rounds; i++) {
        long from = now();
        number++;
        if (rank == 0) {
            put(win, b, size, number);
            await(win, window, size, number);
        } else {
            await(win, window, size, number);
            put(win, b, size, number);
        }
        if (i >= 0) t[i] = now() - from;
    }
    if (rank == 0) print_round_trips(t, rounds);
}

/* One side sends `count` messages in batches, the other has the receives of some batches posted ahead. */
static void batches(char *b, int size, long count) {
    MPI_Request requests[SLOTS];
    char last = 0;
    if (rank == 0) {
        for (long sent = 0; sent < count; sent += BATCH) {
            for (int i = 0; i < BATCH; i++) MPI_Isend(b + i * size, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[i]);
            MPI_Waitall(BATCH, requests, MPI_STATUSES_IGNORE);
        }
        MPI_Recv(&last, 1, MPI_BYTE, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int i = 0; i < SLOTS && i < count; i++) MPI_Irecv(b + i * size, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[i]);
    for (long taken = 0; taken < count; taken += BATCH) {
        int first = taken % SLOTS;
        MPI_Waitall(BATCH, requests + first, MPI_STATUSES_IGNORE);
        for (int i = first; i < first + BATCH && taken + SLOTS < count; i++) {
            MPI_Irecv(b + i * size, size, MPI_BYTE, other, 0, MPI_COMM_WORLD, &requests[i]);
        }
    }
    MPI_Send(&last, 1, MPI_BYTE, other, 2, MPI_COMM_WORLD);
}

static void batch_stream(char *b, int size, long count) {
    count = (count + SLOTS - 1) / SLOTS * SLOTS;
    batches(b, size, (count / 10 + SLOTS - 1) / SLOTS * SLOTS);
    long from = now();
    batches(b, size, count);
    if (rank == 0) print_stream(count, size, now() - from);
}

static void put_stream(MPI_Win win, int size, long count) {
    char *b = memset(malloc(size), 1, size); /* pages of its own, and not the kernel's one of zeros */
    if (rank == 0) {
        long from = 0;
        for (long i = -(count / 10); i < count; i++) {
            if (i == 0) { MPI_Win_flush(other, win); from = now(); }
            MPI_Put(b, size, MPI_BYTE, other, 0, size, MPI_BYTE, win);
            if ((i + count) % PUTS == 0) MPI_Win_flush(other, win);
        }
        MPI_Win_flush(other, win);
        print_stream(count, size, now() - from);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv) {
    int is_put = argc == 6 && !strncmp(argv[1], "put", 3), size = argc == 6 ? atoi(argv[2]) : 0;
    long count = argc == 6 ? atol(argv[3]) : 0;
    if (size < (int)sizeof(long) || count < 1) {
        fprintf(stderr, "usage: mpi send|put|batch|puts SIZE COUNT CPU CPU\n");
        return 2;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    pin(argv[4 + rank]);
    if (is_put) {
        char *window;
        MPI_Win win;
        MPI_Win_allocate(size, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
        memset(window, 0, size);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, win);
        MPI_Barrier(MPI_COMM_WORLD);
        if (!strcmp(argv[1], "put")) put_ping_pong(win, window, size, count);
        else put_stream(win, size, count);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_unlock_all(win);
        MPI_Win_free(&win);
    } else if (!strcmp(argv[1], "send")) {
        send_ping_pong(calloc(1, size), size, count);
    } else {
        batch_stream(calloc(SLOTS, size), size, count);
    }
    MPI_Finalize();
    return 0;
}
