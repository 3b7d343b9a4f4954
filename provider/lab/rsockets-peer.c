/*
 * C's side of the test rsockets, one program with four parts:
 *
 *   rsockets-peer echo ADDRESS PORT     listens, sends back what comes, one connection after the other
 *   rsockets-peer cat ADDRESS PORT      sends stdin, then the end; writes what comes to stdout until the end
 *   rsockets-peer break ADDRESS PORT imm|send WORD...
 *                                       connects by verbs as an rsocket does, and sends the messages WORD, which break the
 *                                       protocol; waits to be disconnected
 *   rsockets-peer ask ADDRESS PORT OCTETS
 *                                       asks for a connection with so many octets of connection data, and is to be rejected
 *
 * echo and cat are sockets and poll(2) alone, for LD_PRELOAD=librspreload.so. They wait without limit: who starts them has one.
 * Each line that is printed is written at once. Exit status: 0 ended in order, 1 not.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <rdma/rdma_cma.h>
#include <rdma/rdma_verbs.h>

static char octets[100000];

static int fail(const char *what) {
    fprintf(stderr, "%s: %s\n", what, strerror(errno));
    return 1;
}

static struct sockaddr_in address_of(char **args) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(atoi(args[1])) };

    inet_pton(AF_INET, args[0], &address.sin_addr);
    return address;
}

/* Waits for events; 0 if they are there, else what else there is. */
static int wait_for(int fd, short events) {
    struct pollfd one = { .fd = fd, .events = events };

    while (poll(&one, 1, -1) == 0)
        ;
    return one.revents & events ? 0 : one.revents;
}

/*
 * Nonblocking: who sleeps in send(2) of librdmacm is not woken where the connection manager alone tells of the end, as it does when
 * nothing is left in the send queue (rs_poll_cq passes over flushed Receives); rpoll is.
 */
static int echo(int fd, long long *sum) {
    ssize_t count, sent, at;

    fcntl(fd, F_SETFL, O_NONBLOCK);
    for (;;) {
        wait_for(fd, POLLIN);
        count = recv(fd, octets, sizeof octets, 0);
        if (count < 0 && errno == EAGAIN)
            continue;
        if (count <= 0)
            return count;
        for (at = 0; at < count; at += sent) {
            wait_for(fd, POLLOUT);
            sent = send(fd, octets + at, count - at, 0);
            if (sent < 0 && errno != EAGAIN)
                return sent;
            sent = sent < 0 ? 0 : sent;
            *sum += sent;
        }
    }
}

static int echo_server(char **args) {
    struct sockaddr_in address = address_of(args);
    int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1, fd;

    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 8))
        return fail("listen");
    for (int number = 1;; number++) {
        long long sum = 0;

        fd = accept(listener, NULL, NULL);
        if (fd < 0)
            return fail("accept");
        if (echo(fd, &sum))
            printf("connection %d: %lld bytes, then %s\n", number, sum, strerror(errno));
        else
            printf("connection %d: %lld bytes, then the end\n", number, sum);
        shutdown(fd, SHUT_RDWR);
        close(fd);
    }
}

static int cat(char **args) {
    struct sockaddr_in address = address_of(args);
    struct pollfd one;
    socklen_t length = sizeof(int);
    ssize_t count = 0, at = 0, got;
    int fd = socket(AF_INET, SOCK_STREAM, 0), error = 0, writing = 1;

    /* Nonblocking: of a blocking connect C learns nothing of the end of the connection. */
    fcntl(fd, F_SETFL, O_NONBLOCK);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) && errno != EINPROGRESS)
        return fail("connect");
    wait_for(fd, POLLOUT);
    if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length) || error) {
        errno = error;
        return fail("connect");
    }
    fprintf(stderr, "connected\n");
    for (;;) {
        if (writing && at == count) {
            at = 0;
            count = read(0, octets, sizeof octets);
            if (count <= 0) {
                writing = 0;
                shutdown(fd, SHUT_WR);
            }
        }
        one = (struct pollfd){ .fd = fd, .events = POLLIN | (writing ? POLLOUT : 0) };
        poll(&one, 1, -1);
        if (writing && one.revents & POLLOUT) {
            got = send(fd, octets + at, count - at, 0);
            if (got < 0 && errno != EAGAIN)
                return fail("send");
            at += got > 0 ? got : 0;
        }
        if (one.revents & (POLLIN | POLLHUP | POLLERR)) {
            static char came[sizeof octets];

            got = recv(fd, came, sizeof came, 0);
            if (got == 0)
                break;
            if (got < 0 && errno != EAGAIN)
                return fail("recv");
            for (ssize_t out = 0; out < got;)
                out += write(1, came + out, got - out);
        }
    }
    close(fd);
    return 0;
}

/* struct rs_conn_data of librdmacm: 40 octets in network order, a table of two entries and a buffer. */
static void connection_data(uint8_t *data, void *memory, uint32_t key) {
    uint64_t table = htobe64((uintptr_t)memory), buffer = htobe64((uintptr_t)memory + 1024);
    uint32_t entries = htonl(2), bytes = htonl(2048);

    memset(data, 0, 40);
    memcpy(data, "\1\2\0\20", 4);
    key = htonl(key);
    memcpy(data + 8, &table, 8);
    memcpy(data + 16, &key, 4);
    memcpy(data + 20, &entries, 4);
    memcpy(data + 24, &buffer, 8);
    memcpy(data + 32, &key, 4);
    memcpy(data + 36, &bytes, 4);
}

/* What one that connects by verbs has. */
struct raw {
    struct rdma_cm_id *id;
    struct ibv_mr *region;
};

static uint8_t memory[4096] __attribute__((aligned(4096)));

/* Asks for a connection as an rsocket does, with the first octets of its connection data; 0 if it was accepted. */
static int raw_connect(struct raw *raw, char **args, int octets_of_data) {
    struct rdma_addrinfo hints = { .ai_port_space = RDMA_PS_TCP }, *info;
    struct ibv_qp_init_attr attributes = {
        .cap = { .max_send_wr = 64, .max_recv_wr = 64, .max_send_sge = 1, .max_recv_sge = 1 }, .qp_type = IBV_QPT_RC
    };
    struct rdma_conn_param parameters = { .rnr_retry_count = 7, .retry_count = 7, .initiator_depth = 1 };
    uint8_t data[40];

    if (rdma_getaddrinfo(args[0], args[1], &hints, &info) || rdma_create_ep(&raw->id, info, NULL, &attributes)) {
        perror("rdma_create_ep");
        exit(1);
    }
    raw->region = ibv_reg_mr(raw->id->pd, memory, sizeof memory, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    if (!raw->region) {
        perror("ibv_reg_mr");
        exit(1);
    }
    for (int i = 0; i < 32; i++)
        if (rdma_post_recv(raw->id, NULL, memory + 3072 + 4 * i, 4, raw->region)) {
            perror("rdma_post_recv");
            exit(1);
        }
    connection_data(data, memory, raw->region->rkey);
    parameters.private_data = data;
    parameters.private_data_len = octets_of_data;
    return rdma_connect(raw->id, &parameters);
}

static int ask(char **args) {
    struct raw raw;

    if (!raw_connect(&raw, args, atoi(args[2]))) {
        printf("connected\n");
        return 1;
    }
    printf("not connected: %s\n", strerror(errno));
    return errno == ECONNREFUSED ? 0 : 1;
}

static int break_it(int count, char **args) {
    struct raw raw;
    struct rdma_cm_id *id;
    struct ibv_mr *region;
    struct rdma_cm_event *event;
    enum rdma_cm_event_type what;
    struct ibv_send_wr *bad;
    int immediate = !strcmp(args[2], "imm");

    if (raw_connect(&raw, args, 40))
        return fail("rdma_connect");
    id = raw.id;
    region = raw.region;
    printf("connected\n");
    for (int i = 3; i < count; i++) {
        uint32_t word = strtoul(args[i], NULL, 16);
        struct ibv_sge piece = { .addr = (uintptr_t)memory + 3584 + 4 * (i % 64), .length = 4, .lkey = region->lkey };
        struct ibv_send_wr request = { .opcode = IBV_WR_SEND, .sg_list = &piece, .num_sge = 1, .send_flags = IBV_SEND_SIGNALED };

        memcpy((void *)(uintptr_t)piece.addr, &word, 4);
        if (immediate) {
            request.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
            request.num_sge = 0;
            request.imm_data = htonl(word);
        }
        errno = ibv_post_send(id->qp, &request, &bad);
        if (errno)
            return fail("ibv_post_send");
    }
    /* On RoCE nothing but this tells of it: its receives are flushed on iWARP alone. */
    do {
        if (rdma_get_cm_event(id->channel, &event))
            return fail("rdma_get_cm_event");
        what = event->event;
        rdma_ack_cm_event(event);
    } while (what != RDMA_CM_EVENT_DISCONNECTED);
    printf("disconnected\n");
    return 0;
}

int main(int count, char **args) {
    setlinebuf(stdout);
    if (count >= 4 && !strcmp(args[1], "echo"))
        return echo_server(args + 2);
    if (count >= 4 && !strcmp(args[1], "cat"))
        return cat(args + 2);
    if (count >= 6 && !strcmp(args[1], "break"))
        return break_it(count - 2, args + 2);
    if (count == 5 && !strcmp(args[1], "ask"))
        return ask(args + 2);
    fprintf(stderr, "usage: see the head of rsockets-peer.c\n");
    return 2;
}
