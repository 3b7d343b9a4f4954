/* A driver whose send queue is a ring of entries of 64 octets in memory, and how C posts to it: by a chain, and by ibv_wr_*. */
#include "floor.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define ENTRIES 256
#define PIECES 2

struct entry {
	uint64_t wr_id;
	uint32_t opcode;
	uint32_t flags;
	uint64_t remote_addr;
	uint32_t rkey;
	uint32_t pieces;
	struct ibv_sge piece[PIECES];
};

struct ring {
	struct ibv_qp_ex qp;
	struct ibv_context context;
	pthread_spinlock_t lock;
	uint32_t next;
	uint32_t bell;
	struct entry entries[ENTRIES];
};

static struct entry *entry(struct ring *ring, uint32_t at)
{
	return &ring->entries[at % ENTRIES];
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct ring *ring = (struct ring *)qp;
	uint32_t next;
	int error = 0;

	pthread_spin_lock(&ring->lock);
	next = ring->bell;
	for (; wr; wr = wr->next) {
		struct entry *to = entry(ring, next);

		if (wr->opcode != IBV_WR_RDMA_WRITE || wr->num_sge > PIECES) {
			*bad_wr = wr;
			error = EINVAL;
			break;
		}
		to->wr_id = wr->wr_id;
		to->opcode = wr->opcode;
		to->flags = wr->send_flags;
		to->remote_addr = wr->wr.rdma.remote_addr;
		to->rkey = wr->wr.rdma.rkey;
		to->pieces = wr->num_sge;
		for (int i = 0; i < wr->num_sge; i++)
			to->piece[i] = wr->sg_list[i];
		next++;
	}
	__atomic_store_n(&ring->bell, next, __ATOMIC_RELEASE);
	pthread_spin_unlock(&ring->lock);
	return error;
}

static void wr_start(struct ibv_qp_ex *qp)
{
	struct ring *ring = (struct ring *)qp;

	pthread_spin_lock(&ring->lock);
	ring->next = ring->bell;
}

static void wr_rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr)
{
	struct ring *ring = (struct ring *)qp;
	struct entry *to = entry(ring, ring->next++);

	to->wr_id = qp->wr_id;
	to->opcode = IBV_WR_RDMA_WRITE;
	to->flags = qp->wr_flags;
	to->remote_addr = remote_addr;
	to->rkey = rkey;
}

static void wr_set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	struct ring *ring = (struct ring *)qp;
	struct entry *to = entry(ring, ring->next - 1);

	to->pieces = 1;
	to->piece[0].addr = addr;
	to->piece[0].length = length;
	to->piece[0].lkey = lkey;
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	struct ring *ring = (struct ring *)qp;

	__atomic_store_n(&ring->bell, ring->next, __ATOMIC_RELEASE);
	pthread_spin_unlock(&ring->lock);
	return 0;
}

/* Returns a queue pair that posts into a ring of its own; it is never freed. */
struct ibv_qp_ex *ring_make(void)
{
	struct ring *ring = aligned_alloc(64, (sizeof *ring + 63) / 64 * 64);

	memset(ring, 0, sizeof *ring);
	pthread_spin_init(&ring->lock, PTHREAD_PROCESS_PRIVATE);
	ring->context.ops.post_send = post_send;
	ring->qp.qp_base.context = &ring->context;
	ring->qp.wr_start = wr_start;
	ring->qp.wr_rdma_write = wr_rdma_write;
	ring->qp.wr_set_sge = wr_set_sge;
	ring->qp.wr_complete = wr_complete;
	return &ring->qp;
}

/* Returns a sum over the last `count` entries that were posted. */
uint64_t ring_sum(struct ibv_qp_ex *qp, uint32_t count)
{
	struct ring *ring = (struct ring *)qp;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < count; i++) {
		struct entry *of = entry(ring, ring->bell - count + i);
		uint64_t fields[] = { of->wr_id, of->opcode, of->flags, of->remote_addr, of->rkey, of->pieces,
				      of->piece[0].addr, of->piece[0].length, of->piece[0].lkey };

		for (size_t j = 0; j < sizeof fields / sizeof fields[0]; j++)
			sum = sum * 31 + fields[j];
	}
	return sum;
}

int64_t floor_chain(struct ibv_qp_ex *qp, struct ibv_send_wr *wr, int count, int64_t calls)
{
	struct ibv_send_wr *bad_wr;

	for (int64_t i = 0; i < calls; i++) {
		for (int j = 0; j < count; j++) {
			wr[j].wr_id = j;
			wr[j].next = j < count - 1 ? &wr[j + 1] : NULL;
			wr[j].num_sge = 1;
			wr[j].sg_list->addr = (uintptr_t)wr;
			wr[j].sg_list->length = 64;
			wr[j].sg_list->lkey = 1;
			wr[j].opcode = IBV_WR_RDMA_WRITE;
			wr[j].send_flags = j == count - 1 ? IBV_SEND_SIGNALED : 0;
			wr[j].wr.rdma.remote_addr = (uintptr_t)wr;
			wr[j].wr.rdma.rkey = 1;
		}
		if (ibv_post_send(&qp->qp_base, wr, &bad_wr))
			return i;
	}
	return calls;
}

int64_t floor_wr(struct ibv_qp_ex *qp, struct ibv_send_wr *wr, int count, int64_t calls)
{
	for (int64_t i = 0; i < calls; i++) {
		ibv_wr_start(qp);
		for (int j = 0; j < count; j++) {
			qp->wr_id = j;
			qp->wr_flags = j == count - 1 ? IBV_SEND_SIGNALED : 0;
			ibv_wr_rdma_write(qp, 1, (uintptr_t)wr);
			ibv_wr_set_sge(qp, 1, (uintptr_t)wr, 64);
		}
		if (ibv_wr_complete(qp))
			return i;
	}
	return calls;
}
