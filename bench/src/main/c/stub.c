/*
 * A libibverbs with one device that does nothing, to measure what calling it costs: the objects are there, and so are the
 * functions of ibv_context.ops, with the least in them that a caller can tell from nothing. Everything of a machine's own
 * libibverbs is left alone: the functions have its names, in a library that is opened by its path.
 */
#include <errno.h>
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>

#include "stub.h"

/* The header's macros and inline functions go before these functions; the library's are meant here. */
#undef ibv_query_port
#undef ibv_reg_mr
#undef ibv_reg_mr_iova

static int post_result;
static int completions;
static uint64_t polled;
static uint32_t next_number = 1;

void stub_post_result(int result) { post_result = result; }

void stub_completions(int count) { completions = count; }

static int stub_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	return post_result;
}

static int stub_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	return post_result;
}

static int stub_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	return post_result;
}

/* Brings the same number of completions each time, as far as there is room for them. */
static int stub_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	int count = completions < entries ? completions : entries;

	for (int i = 0; i < count; i++) {
		wc[i].wr_id = polled++;
		wc[i].status = IBV_WC_SUCCESS;
		wc[i].opcode = IBV_WC_RDMA_WRITE;
		wc[i].vendor_err = 0;
		wc[i].byte_len = 64;
		wc[i].qp_num = 1;
		wc[i].wc_flags = 0;
	}
	return count;
}

static int stub_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return post_result;
}

/* The device and what is made on it. */

static struct ibv_device device = {
	.node_type = IBV_NODE_RNIC,
	.transport_type = IBV_TRANSPORT_IWARP,
	.name = "stub0",
	.dev_name = "uverbs0",
	.dev_path = "/sys/class/infiniband_verbs/uverbs0",
	.ibdev_path = "/sys/class/infiniband/stub0",
};

struct ibv_device **ibv_get_device_list(int *count)
{
	struct ibv_device **list = calloc(2, sizeof *list);

	if (list) {
		list[0] = &device;
		if (count)
			*count = 1;
	}
	return list;
}

void ibv_free_device_list(struct ibv_device **list) { free(list); }

const char *ibv_get_device_name(struct ibv_device *dev) { return dev->name; }

struct ibv_context *ibv_open_device(struct ibv_device *dev)
{
	struct ibv_context *context = calloc(1, sizeof *context);

	if (!context)
		return NULL;
	context->device = dev;
	context->ops.post_send = stub_post_send;
	context->ops.post_recv = stub_post_recv;
	context->ops.post_srq_recv = stub_post_srq_recv;
	context->ops.poll_cq = stub_poll_cq;
	context->ops.req_notify_cq = stub_req_notify_cq;
	context->cmd_fd = -1;
	context->async_fd = -1;
	context->num_comp_vectors = 1;
	pthread_mutex_init(&context->mutex, NULL);
	return context;
}

int ibv_close_device(struct ibv_context *context)
{
	pthread_mutex_destroy(&context->mutex);
	free(context);
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	memset(attr, 0, sizeof *attr);
	attr->max_mr_size = UINT64_MAX;
	attr->page_size_cap = 4096;
	attr->max_qp = attr->max_cq = attr->max_mr = attr->max_pd = attr->max_srq = attr->max_ah = 1024;
	attr->max_qp_wr = attr->max_srq_wr = 16384;
	attr->max_cqe = 65536;
	attr->max_sge = attr->max_sge_rd = attr->max_srq_sge = 16;
	attr->max_qp_rd_atom = attr->max_qp_init_rd_atom = 128;
	attr->atomic_cap = IBV_ATOMIC_HCA;
	attr->phys_port_cnt = 1;
	return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t port, struct _compat_ibv_port_attr *compat)
{
	struct ibv_port_attr *attr = (struct ibv_port_attr *)compat;

	/* Only the part that old callers have room for. */
	memset(attr, 0, offsetof(struct ibv_port_attr, port_cap_flags2));
	attr->state = IBV_PORT_ACTIVE;
	attr->max_mtu = attr->active_mtu = IBV_MTU_4096;
	attr->max_msg_sz = 1u << 31;
	attr->gid_tbl_len = attr->pkey_tbl_len = 1;
	attr->link_layer = IBV_LINK_LAYER_ETHERNET;
	return 0;
}

int ibv_query_gid(struct ibv_context *context, uint8_t port, int index, union ibv_gid *gid)
{
	memset(gid, 0, sizeof *gid);
	gid->raw[15] = 1;
	return 0;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t port, int index, __be16 *pkey)
{
	*pkey = 0xffff;
	return 0;
}

/* Only closing the device ends it: there are no events. */
int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	errno = EAGAIN;
	return -1;
}

void ibv_ack_async_event(struct ibv_async_event *event) {}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = calloc(1, sizeof *pd);

	if (pd) {
		pd->context = context;
		pd->handle = next_number++;
	}
	return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	free(pd);
	return 0;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, unsigned int access)
{
	struct ibv_mr *mr = calloc(1, sizeof *mr);

	if (mr) {
		mr->context = pd->context;
		mr->pd = pd;
		mr->addr = addr;
		mr->length = length;
		mr->handle = next_number++;
		mr->lkey = mr->rkey = next_number++ << 8;
	}
	return mr;
}

struct ibv_mr *ibv_reg_mr_iova(struct ibv_pd *pd, void *addr, size_t length, uint64_t iova, int access)
{
	return ibv_reg_mr_iova2(pd, addr, length, iova, access);
}

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	return ibv_reg_mr_iova2(pd, addr, length, (uintptr_t)addr, access);
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	free(mr);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	struct ibv_cq *cq = calloc(1, sizeof *cq);

	if (!cq)
		return NULL;
	cq->context = context;
	cq->channel = channel;
	cq->cq_context = cq_context;
	cq->handle = next_number++;
	cq->cqe = cqe;
	pthread_mutex_init(&cq->mutex, NULL);
	pthread_cond_init(&cq->cond, NULL);
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	pthread_cond_destroy(&cq->cond);
	pthread_mutex_destroy(&cq->mutex);
	free(cq);
	return 0;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct ibv_qp *qp = calloc(1, sizeof *qp);

	if (!qp)
		return NULL;
	qp->context = pd->context;
	qp->qp_context = attr->qp_context;
	qp->pd = pd;
	qp->send_cq = attr->send_cq;
	qp->recv_cq = attr->recv_cq;
	qp->srq = attr->srq;
	qp->handle = next_number++;
	qp->qp_num = 1;
	qp->state = IBV_QPS_RESET;
	qp->qp_type = attr->qp_type;
	pthread_mutex_init(&qp->mutex, NULL);
	pthread_cond_init(&qp->cond, NULL);
	return qp;
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	if (mask & IBV_QP_STATE)
		qp->state = attr->qp_state;
	return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init_attr)
{
	memset(attr, 0, sizeof *attr);
	memset(init_attr, 0, sizeof *init_attr);
	attr->qp_state = attr->cur_qp_state = qp->state;
	attr->port_num = 1;
	init_attr->send_cq = qp->send_cq;
	init_attr->recv_cq = qp->recv_cq;
	init_attr->srq = qp->srq;
	init_attr->qp_type = qp->qp_type;
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	pthread_cond_destroy(&qp->cond);
	pthread_mutex_destroy(&qp->mutex);
	free(qp);
	return 0;
}
