/* What the benchmarks have C measure. */
#ifndef FLOOR_H
#define FLOOR_H

#include <infiniband/verbs.h>
#include <stdint.h>

/* The calls as a C application makes them, in a loop that a failure ends; return how many succeeded. */
int64_t floor_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr, int64_t calls);
int64_t floor_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc, int64_t calls);
int64_t floor_req_notify_cq(struct ibv_cq *cq, int solicited_only, int64_t calls);

/* The work around them too: a signaled RDMA Write of one piece is written and posted, also ended by a failure. */
int64_t floor_write(struct ibv_qp *qp, struct ibv_send_wr *wr, uint64_t address, uint32_t length, uint32_t lkey,
		    uint64_t remote_address, uint32_t rkey, int64_t calls);
/* Completions are polled and read; returns a sum over what was read, or -1 if a poll failed. */
int64_t floor_poll_and_read(struct ibv_cq *cq, int entries, struct ibv_wc *wc, int64_t calls);

/* A batch of `count` RDMA Writes of one piece of 64 octets at `wr`, the last signaled: a chain for ibv_post_send, or by ibv_wr_*. */
int64_t floor_chain(struct ibv_qp_ex *qp, struct ibv_send_wr *wr, int count, int64_t calls);
int64_t floor_wr(struct ibv_qp_ex *qp, struct ibv_send_wr *wr, int count, int64_t calls);

#endif
