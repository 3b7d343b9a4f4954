/* The floor of everything that goes over TCP: two processes on the loopback, nothing but send and recv.
 *
 * usage: tcp pingpong spin|block SIZE ROUNDS [CPU CPU]     median and percentiles of round trips
 *        tcp stream   spin|block SIZE SECONDS [CPU CPU]    octets a second in sends of SIZE octets
 *
 * Prints one JSON object. A tenth of the rounds, or of the seconds, more is warm-up. Messages that are put together
 * before they are sent are a stream with the octets of all of them as its SIZE.
 */
#define _GNU_SOURCE
#include "measure.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int flags; /* MSG_DONTWAIT where the process spins */

static void send_all(int s, const char *b, long n) {
    while (n > 0) {
        long k = send(s, b, n, flags | MSG_NOSIGNAL);
        if (k > 0) { b += k; n -= k; }
        else if (errno != EAGAIN && errno != EINTR) die("send");
    }
}

/* How many octets came: n, or fewer at the end of the stream. */
static long recv_all(int s, char *b, long n) {
    long have = 0;
    while (have < n) {
        long k = recv(s, b + have, n - have, flags);
        if (k == 0) break;
        if (k > 0) have += k;
        else if (errno != EAGAIN && errno != EINTR) die("recv");
    }
    return have;
}

static void ping_pong(int s, long size, long rounds) {
    char *b = calloc(1, size);
    long *t = malloc(rounds * sizeof *t), warm_up = rounds / 10;
    for (long i = -warm_up; i < rounds; i++) {
        long from = now();
        send_all(s, b, size);
        recv_all(s, b, size);
        if (i >= 0) t[i] = now() - from;
    }
    print_round_trips(t, rounds);
}

/* Sends for so long, and a moment more if that is not a whole number of sends; returns how many. */
static long send_for(int s, const char *b, long size, double seconds) {
    long sends = 0, until = now() + (long)(seconds * 1e9);
    do {
        send_all(s, b, size);
        sends++;
    } while (now() < until);
    return sends;
}

static void stream(int s, long size, double seconds) {
    char *b = calloc(1, size);
    send_for(s, b, size, seconds / 10);
    long from = now(), octets = size * send_for(s, b, size, seconds);
    shutdown(s, SHUT_WR);
    recv_all(s, b, 1); /* the other side has everything */
    long at = now();
    printf("{\"octets_per_second\": %.0f, \"sends_per_second\": %.0f, \"seconds\": %.3f}\n", octets * 1e9 / (at - from),
        octets / size * 1e9 / (at - from), (at - from) / 1e9);
}

static void other_side(int s, int echo, long size) {
    long most = echo ? size : 1 << 20;
    char *b = calloc(1, most);
    if (echo) {
        while (recv_all(s, b, size) == size) send_all(s, b, size);
        return;
    }
    for (;;) {
        long k = recv(s, b, most, flags);
        if (k == 0) return;
        if (k < 0 && errno != EAGAIN && errno != EINTR) die("recv");
    }
}

int main(int argc, char **argv) {
    if (argc != 5 && argc != 7) {
        fprintf(stderr, "usage: tcp pingpong|stream spin|block SIZE ROUNDS|SECONDS [CPU CPU]\n");
        return 2;
    }
    int echo = !strcmp(argv[1], "pingpong"), one = 1;
    long size = atol(argv[3]);
    flags = strcmp(argv[2], "spin") ? 0 : MSG_DONTWAIT;
    if (size < 1 || atof(argv[4]) <= 0 || (echo && atol(argv[4]) < 1)) {
        fprintf(stderr, "tcp: SIZE and ROUNDS must be 1 or more, SECONDS more than 0\n");
        return 2;
    }

    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof a;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (void *)&a, sizeof a) || listen(listener, 1)
        || getsockname(listener, (void *)&a, &length)) die("listen");
    pid_t child = fork();
    if (child < 0) die("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pin(argc == 7 ? argv[6] : NULL);
        int s = accept(listener, NULL, NULL);
        if (s < 0 || setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) die("accept");
        other_side(s, echo, size);
        return 0;
    }
    pin(argc == 7 ? argv[5] : NULL);
    int s = socket(AF_INET, SOCK_STREAM, 0);
    if (s < 0 || connect(s, (void *)&a, sizeof a) || setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one)) die("connect");
    if (echo) ping_pong(s, size, atol(argv[4]));
    else stream(s, size, atof(argv[4]));
    close(s);
    waitpid(child, NULL, 0);
    return 0;
}
