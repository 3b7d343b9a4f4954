/*
 * A libibverbs with one device that does nothing, to measure what calling it costs: the objects are there, and so are the
 * functions of ibv_context.ops, with the least in them that a caller can tell from nothing. Everything of a machine's own
 * libibverbs is left alone: the functions have its names, in a library that is opened by its path.
 */
#include <infiniband/verbs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "stub.h"

static int post_result;
static int completions;
static uint64_t polled;
static uint32_t next_number = 1;

void stub_post_result(int result) { post_result = result; }

void stub_completions(int count) { completions = count; }

static int stub_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	if (post_result && bad_wr)
		*bad_wr = wr;
	return post_result;
}

static int stub_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (post_result && bad_wr)
		*bad_wr = wr;
	return post_result;
}

static int stub_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (post_result && bad_wr)
		*bad_wr = wr;
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

/* The one device, whatever is asked for. */
struct ibv_context *ibv_open_device(struct ibv_device *dev)
{
	struct ibv_context *context = calloc(1, sizeof *context);

	if (!context)
		return NULL;
	context->device = &device;
	context->ops.post_send = stub_post_send;
	context->ops.post_recv = stub_post_recv;
	context->ops.post_srq_recv = stub_post_srq_recv;
	context->ops.poll_cq = stub_poll_cq;
	context->ops.req_notify_cq = stub_req_notify_cq;
	context->cmd_fd = -1;
	context->async_fd = eventfd(0, EFD_CLOEXEC); /* never readable: there are no events */
	context->num_comp_vectors = 1;
	pthread_mutex_init(&context->mutex, NULL);
	return context;
}

int ibv_close_device(struct ibv_context *context)
{
	close(context->async_fd);
	pthread_mutex_destroy(&context->mutex);
	free(context);
	return 0;
}

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

/* There are no events. */
void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int nevents)
{
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
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
