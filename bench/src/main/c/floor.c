/* The floor: what the data path costs a C application, whose ibv_post_send and ibv_poll_cq are inline calls through ops. */
#include "floor.h"

int64_t floor_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr, int64_t calls)
{
	for (int64_t i = 0; i < calls; i++)
		if (ibv_post_send(qp, wr, bad_wr))
			return i;
	return calls;
}

int64_t floor_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc, int64_t calls)
{
	for (int64_t i = 0; i < calls; i++)
		if (ibv_poll_cq(cq, entries, wc) < 0)
			return i;
	return calls;
}

int64_t floor_req_notify_cq(struct ibv_cq *cq, int solicited_only, int64_t calls)
{
	for (int64_t i = 0; i < calls; i++)
		if (ibv_req_notify_cq(cq, solicited_only))
			return i;
	return calls;
}

int64_t floor_write(struct ibv_qp *qp, struct ibv_send_wr *wr, uint64_t address, uint32_t length, uint32_t lkey,
		    uint64_t remote_address, uint32_t rkey, int64_t calls)
{
	struct ibv_send_wr *bad_wr;

	for (int64_t i = 0; i < calls; i++) {
		wr->wr_id = i;
		wr->next = NULL;
		wr->num_sge = 1;
		wr->sg_list[0].addr = address;
		wr->sg_list[0].length = length;
		wr->sg_list[0].lkey = lkey;
		wr->opcode = IBV_WR_RDMA_WRITE;
		wr->send_flags = IBV_SEND_SIGNALED;
		wr->wr.rdma.remote_addr = remote_address;
		wr->wr.rdma.rkey = rkey;
		if (ibv_post_send(qp, wr, &bad_wr))
			return i;
	}
	return calls;
}

int64_t floor_poll_and_read(struct ibv_cq *cq, int entries, struct ibv_wc *wc, int64_t calls)
{
	int64_t sum = 0;

	for (int64_t i = 0; i < calls; i++) {
		int count = ibv_poll_cq(cq, entries, wc);

		if (count < 0)
			return -1;
		for (int j = 0; j < count; j++)
			sum += wc[j].wr_id + wc[j].status + wc[j].byte_len;
	}
	return sum;
}
