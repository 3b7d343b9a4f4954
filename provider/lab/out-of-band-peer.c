/*
 * A peer of the example OutOfBandExample in C, over libibverbs alone: exchanges endpoints over TCP in the form of
 * org.panamaverbs.api.cm.outofband.QueuePairEndpoint, takes its queue pair from RESET to RTS, and then does as the example does.
 *
 * usage: out-of-band-peer RC|UC|UD PORT DEVICE GID-INDEX [HOST]     a server without HOST
 *
 * Build: cc -O2 -Wall -o out-of-band-peer out-of-band-peer.c -libverbs
 */
#include <arpa/inet.h>
#include <endian.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LENGTH = 4096, MESSAGE = 64, GRH = 40, QKEY = 0x11111111, HEADER = 44, BUFFER = 24, READY = 'R', DONE = 'D' };

/* The bits of Access: of RemoteBuffer's rights, which are those of enum ibv_access_flags. */
enum { RIGHTS = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE };

struct endpoint {
    uint32_t qpn, psn, qkey, rkey;
    uint16_t lid, buffers;
    uint8_t type, mtu, ird, ord;
    union ibv_gid gid;
    uint64_t address, length;
};

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void put32(uint8_t *to, uint32_t value) {
    value = htonl(value);
    memcpy(to, &value, 4);
}

static uint32_t get32(const uint8_t *from) {
    uint32_t value;
    memcpy(&value, from, 4);
    return ntohl(value);
}

static void put64(uint8_t *to, uint64_t value) {
    value = htobe64(value);
    memcpy(to, &value, 8);
}

static uint64_t get64(const uint8_t *from) {
    uint64_t value;
    memcpy(&value, from, 8);
    return be64toh(value);
}

static void encode(const struct endpoint *own, uint8_t *form) {
    memset(form, 0, HEADER + BUFFER);
    memcpy(form, "PVQP", 4);
    form[4] = 1;
    form[5] = own->type;
    form[6] = own->mtu;
    put32(form + 8, own->qpn);
    put32(form + 12, own->psn);
    put32(form + 16, own->qkey);
    form[20] = own->lid >> 8;
    form[21] = own->lid;
    form[22] = own->ird;
    form[23] = own->ord;
    memcpy(form + 24, own->gid.raw, 16);
    form[41] = 1;
    put32(form + HEADER, own->rkey);
    put32(form + HEADER + 4, RIGHTS);
    put64(form + HEADER + 8, own->address);
    put64(form + HEADER + 16, own->length);
}

static void read_fully(int fd, uint8_t *to, size_t length) {
    while (length > 0) {
        ssize_t got = read(fd, to, length);
        if (got <= 0)
            fail("read");
        to += got;
        length -= got;
    }
}

static void write_fully(int fd, const uint8_t *from, size_t length) {
    if (write(fd, from, length) != (ssize_t)length)
        fail("write");
}

static void say(int fd, uint8_t octet) {
    uint8_t answer;
    write_fully(fd, &octet, 1);
    read_fully(fd, &answer, 1);
    if (answer != octet) {
        fprintf(stderr, "the peer said 0x%02x, not 0x%02x\n", answer, octet);
        exit(1);
    }
}

static struct endpoint receive(int fd) {
    struct endpoint peer = {0};
    uint8_t form[HEADER + BUFFER];
    read_fully(fd, form, HEADER);
    if (memcmp(form, "PVQP\001", 5) != 0) {
        fprintf(stderr, "the peer does not speak this form\n");
        exit(1);
    }
    peer.type = form[5];
    peer.mtu = form[6];
    peer.qpn = get32(form + 8);
    peer.psn = get32(form + 12);
    peer.qkey = get32(form + 16);
    peer.lid = form[20] << 8 | form[21];
    peer.ird = form[22];
    peer.ord = form[23];
    memcpy(peer.gid.raw, form + 24, 16);
    peer.buffers = form[40] << 8 | form[41];
    if (peer.buffers != 1) {
        fprintf(stderr, "the peer has %d buffers\n", peer.buffers);
        exit(1);
    }
    read_fully(fd, form + HEADER, BUFFER);
    peer.rkey = get32(form + HEADER);
    peer.address = get64(form + HEADER + 8);
    peer.length = get64(form + HEADER + 16);
    return peer;
}

static int tcp(const char *port, const char *host) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(atoi(port))};
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (fd < 0 || inet_pton(AF_INET, host ? host : "127.0.0.1", &address.sin_addr) != 1)
        fail("socket");
    if (host) {
        if (connect(fd, (struct sockaddr *)&address, sizeof(address)))
            fail("connect");
        return fd;
    }
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
    if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1))
        fail("listen");
    return accept(fd, NULL, NULL);
}

static struct ibv_context *device(const char *name) {
    struct ibv_device **list = ibv_get_device_list(NULL);
    for (int i = 0; list && list[i]; i++)
        if (strcmp(ibv_get_device_name(list[i]), name) == 0)
            return ibv_open_device(list[i]);
    fprintf(stderr, "no device %s\n", name);
    exit(1);
}

static void modify(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask) {
    int error = ibv_modify_qp(qp, attr, mask);
    if (error) {
        fprintf(stderr, "ibv_modify_qp to %d: %s\n", attr->qp_state, strerror(error));
        exit(1);
    }
}

static void await(struct ibv_cq *cq, int count) {
    struct ibv_wc wc;
    time_t end = time(NULL) + 60;
    while (count > 0) {
        int got = ibv_poll_cq(cq, 1, &wc);
        if (got < 0 || time(NULL) > end) {
            fprintf(stderr, "no completion in time\n");
            exit(1);
        }
        if (got == 1 && wc.status != IBV_WC_SUCCESS) {
            fprintf(stderr, "request %d: %s\n", (int)wc.wr_id, ibv_wc_status_str(wc.status));
            exit(1);
        }
        count -= got;
    }
}

static void check(const uint8_t *octets, int length, int seed) {
    for (int i = 0; i < length; i++)
        if (octets[i] != (uint8_t)(i * 7 + seed)) {
            fprintf(stderr, "octet %d is %d\n", i, octets[i]);
            exit(1);
        }
}

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: out-of-band-peer RC|UC|UD PORT DEVICE GID-INDEX [HOST]\n");
        return 2;
    }
    enum ibv_qp_type type = argv[1][0] == 'R' ? IBV_QPT_RC : argv[1][1] == 'C' ? IBV_QPT_UC : IBV_QPT_UD;
    const char *host = argc > 5 ? argv[5] : NULL;
    int fd = tcp(argv[2], host), seed = host ? 2 : 1, gid_index = atoi(argv[4]);
    struct ibv_context *context = device(argv[3]);
    struct ibv_pd *pd = ibv_alloc_pd(context);
    struct ibv_cq *cq = ibv_create_cq(context, 16, NULL, NULL, 0);
    uint8_t *mine = calloc(1, LENGTH), *theirs = calloc(1, LENGTH), *inbox = calloc(1, GRH + MESSAGE);
    struct ibv_mr *mr_mine = ibv_reg_mr(pd, mine, LENGTH, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_mr *mr_theirs = ibv_reg_mr(pd, theirs, LENGTH, RIGHTS);
    struct ibv_mr *mr_inbox = ibv_reg_mr(pd, inbox, GRH + MESSAGE, IBV_ACCESS_LOCAL_WRITE);
    struct ibv_qp_init_attr init = {.send_cq = cq,
                                    .recv_cq = cq,
                                    .qp_type = type,
                                    .cap = {.max_send_wr = 8, .max_recv_wr = 8, .max_send_sge = 1, .max_recv_sge = 1}};
    struct ibv_qp *qp = ibv_create_qp(pd, &init);
    if (!qp || !mr_mine || !mr_theirs || !mr_inbox)
        fail("verbs");
    for (int i = 0; i < LENGTH; i++)
        mine[i] = i * 7 + seed;

    struct ibv_port_attr port;
    struct endpoint own = {.type = type, .qpn = qp->qp_num, .psn = 0x4711, .ird = 4, .ord = 4};
    if (ibv_query_port(context, 1, &port) || ibv_query_gid(context, 1, gid_index, &own.gid))
        fail("ibv_query_port");
    own.lid = port.lid;
    own.mtu = port.active_mtu;
    own.qkey = type == IBV_QPT_UD ? QKEY : 0;
    own.rkey = mr_theirs->rkey;
    own.address = (uintptr_t)theirs;
    own.length = LENGTH;

    struct ibv_qp_attr attr = {.qp_state = IBV_QPS_INIT, .port_num = 1, .qkey = QKEY, .qp_access_flags = IBV_ACCESS_REMOTE_WRITE};
    modify(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS));
    struct ibv_sge in = {.addr = (uintptr_t)inbox, .length = GRH + MESSAGE, .lkey = mr_inbox->lkey};
    struct ibv_recv_wr receive_wr = {.wr_id = 1, .sg_list = &in, .num_sge = 1}, *bad_receive;
    if (ibv_post_recv(qp, &receive_wr, &bad_receive))
        fail("ibv_post_recv");

    uint8_t form[HEADER + BUFFER];
    encode(&own, form);
    write_fully(fd, form, sizeof(form));
    struct endpoint peer = receive(fd);
    if (peer.type != type) {
        fprintf(stderr, "the peer's type is %d\n", peer.type);
        return 1;
    }

    struct ibv_ah_attr path = {.is_global = 1,
                               .dlid = peer.lid,
                               .port_num = 1,
                               .grh = {.dgid = peer.gid, .sgid_index = gid_index, .hop_limit = 64}};
    memset(&attr, 0, sizeof(attr));
    attr.qp_state = IBV_QPS_RTR;
    attr.ah_attr = path;
    attr.path_mtu = peer.mtu < own.mtu ? peer.mtu : own.mtu;
    attr.dest_qp_num = peer.qpn;
    attr.rq_psn = peer.psn;
    attr.max_dest_rd_atomic = own.ird;
    attr.min_rnr_timer = 12;
    int mask = IBV_QP_STATE;
    if (type != IBV_QPT_UD)
        mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (type == IBV_QPT_RC)
        mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
    modify(qp, &attr, mask);
    say(fd, READY);
    attr.qp_state = IBV_QPS_RTS;
    attr.sq_psn = own.psn;
    attr.timeout = 14;
    attr.retry_cnt = 7;
    attr.rnr_retry = 7;
    attr.max_rd_atomic = peer.ird < own.ord ? peer.ird : own.ord;
    mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
    if (type == IBV_QPT_RC)
        mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
    modify(qp, &attr, mask);

    struct ibv_sge out = {.addr = (uintptr_t)mine, .length = LENGTH, .lkey = mr_mine->lkey};
    struct ibv_send_wr wr = {.wr_id = 3, .sg_list = &out, .num_sge = 1, .opcode = IBV_WR_RDMA_WRITE, .send_flags = IBV_SEND_SIGNALED}, *bad;
    wr.wr.rdma.remote_addr = peer.address;
    wr.wr.rdma.rkey = peer.rkey;
    if (type != IBV_QPT_UD && ibv_post_send(qp, &wr, &bad))
        fail("ibv_post_send");
    out.length = MESSAGE;
    memset(&wr.wr, 0, sizeof(wr.wr));
    wr.wr_id = 4;
    wr.opcode = IBV_WR_SEND;
    if (type == IBV_QPT_UD) {
        wr.wr.ud.ah = ibv_create_ah(pd, &path);
        wr.wr.ud.remote_qpn = peer.qpn;
        wr.wr.ud.remote_qkey = peer.qkey;
        if (!wr.wr.ud.ah)
            fail("ibv_create_ah");
    }
    if (ibv_post_send(qp, &wr, &bad))
        fail("ibv_post_send");
    await(cq, type == IBV_QPT_UD ? 2 : 3);
    check(inbox + (type == IBV_QPT_UD ? GRH : 0), MESSAGE, 3 - seed);
    if (type != IBV_QPT_UD)
        check(theirs, LENGTH, 3 - seed);
    say(fd, DONE);
    printf("all bytes are right\n");
    return 0;
}
