/*
 * A libibverbs and a librdmacm with one device, for two uses. Tests have it do what no device can be made to do on purpose:
 * calls that fail, requests that never complete, peers that never answer, devices that are removed; they say by the functions
 * at the end what is to happen. Benchmarks measure what it costs to call it: compiled with -DIDLE=1, the functions of
 * ibv_context.ops have the least in them that a caller can tell from nothing. The functions have the names of the libraries'
 * own, in a library that is opened by its path.
 */
#include <errno.h>
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <limits.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define MAX_WC 1024
#define INLINE_BYTES 256
#define UD_ADDRESS_BYTES 48
#define PATIENCE_SECONDS 2

#ifndef IDLE
#define IDLE 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static uint32_t next_number = 1;
static uint32_t next_qp_number = 1;
static int objects;
static int inline_refusal;
static int polls;

/* Calls that are to fail. */

static struct {
	char call[64];
	int error;
	int after;
	int times;
} failing;

static int removed; /* whether the device was taken away: 1 until that is told as an event, 2 then */

/* Whether a call goes to the kernel, which answers EIO once the device is gone. */
static int needs_device(const char *call)
{
	return !strncmp(call, "ibv_", 4) && strncmp(call, "ibv_post_", 9) && strcmp(call, "ibv_close_device") &&
	       strcmp(call, "ibv_destroy_comp_channel");
}

/* How often each call was made that can fail. */
static struct {
	const char *call;
	int count;
} counted[64];

/* Under the lock. */
static int *count_of(const char *call)
{
	int at = 0;

	while (at < 63 && counted[at].call && strcmp(counted[at].call, call))
		at++;
	if (!counted[at].call)
		counted[at].call = strdup(call);
	return &counted[at].count;
}

static int fails(const char *call)
{
	int result = 0;

	pthread_mutex_lock(&lock);
	++*count_of(call);
	if (removed && needs_device(call))
		result = EIO;
	if (failing.times > 0 && !strcmp(failing.call, call) && --failing.after < 0) {
		failing.times--;
		result = failing.error;
	}
	pthread_mutex_unlock(&lock);
	if (result > 0) /* below, the call says nothing of why, as some drivers */
		errno = result;
	return result;
}

/* Says how often a call was made. */
int stub_calls(const char *call)
{
	int count;

	pthread_mutex_lock(&lock);
	count = *count_of(call);
	pthread_mutex_unlock(&lock);
	return count;
}

/* Of libc, which the process asks here first. */
int eventfd(unsigned int count, int flags)
{
	return fails("eventfd") ? -1 : (int)syscall(SYS_eventfd2, count, flags);
}

/* Likewise: counts who waits. */
int poll(struct pollfd *fds, nfds_t count, int millis)
{
	struct timespec timeout = { millis / 1000, millis % 1000 * 1000000L };
	int result;

	if (fails("poll"))
		return -1;
	__atomic_add_fetch(&polls, 1, __ATOMIC_SEQ_CST);
	result = (int)syscall(SYS_ppoll, fds, count, millis < 0 ? NULL : &timeout, NULL, 0);
	__atomic_sub_fetch(&polls, 1, __ATOMIC_SEQ_CST);
	return result;
}

static int closes_held; /* whether closes wait once the descriptor is closed; under the lock */
static int closes_waiting;
static int stale_writes;

/* Likewise. */
int close(int fd)
{
	int result = (int)syscall(SYS_close, fd);

	pthread_mutex_lock(&lock);
	closes_waiting++;
	while (closes_held)
		pthread_cond_wait(&changed, &lock);
	closes_waiting--;
	pthread_mutex_unlock(&lock);
	return result;
}

/* Likewise: counts what goes to descriptors that are closed. */
ssize_t write(int fd, const void *from, size_t count)
{
	ssize_t result = syscall(SYS_write, fd, from, count);

	if (result < 0 && errno == EBADF)
		__atomic_add_fetch(&stale_writes, 1, __ATOMIC_SEQ_CST);
	return result;
}

static void *make(size_t size)
{
	pthread_mutex_lock(&lock);
	objects++;
	pthread_mutex_unlock(&lock);
	return calloc(1, size);
}

static void destroy(void *object)
{
	pthread_mutex_lock(&lock);
	objects--;
	pthread_mutex_unlock(&lock);
	free(object);
}

/* libibverbs: queues that complete each send at once, unless the queue pair is held. */

struct comp_channel {
	struct ibv_comp_channel channel;
	struct queue *raised; /* whose event waits */
	int queues; /* that were made with it and not destroyed */
};

struct queue {
	union {
		struct ibv_cq cq;
		struct ibv_cq_ex extended;
	};
	int unacknowledged;
	struct ibv_wc wc[MAX_WC];
	int count;
	int polling; /* whether an extended poll was started and not ended */
	int at; /* which completion it is at */
};

/* An address handle, which the device reads when it does a send. */
struct handle {
	struct ibv_ah ah;
	int posted; /* sends that name it and are not done */
};

struct pair {
	union {
		struct ibv_qp qp;
		struct ibv_qp_ex extended;
		char room[sizeof(struct ibv_qp_ex) + sizeof(void *)]; /* also for a member that this header lacks */
	};
	int is_extended;
	struct ibv_send_wr started; /* by the calls of an extended queue pair */
	int starts; /* less what ended them: drivers hold a lock meanwhile */
	struct ibv_wc held[MAX_WC];
	struct handle *to[MAX_WC]; /* where each goes, NULL if it is no datagram */
	int count;
	int is_held;
	struct ibv_qp_attr set; /* what was set last of each attribute */
	int depth; /* 0: MAX_WC */
	int completed; /* sends */
	int unacknowledged; /* events */
	struct ibv_ece ece; /* options of a vendor's */
	struct xrc_domain *xrc; /* of a receiver of extended reliable connections */
	struct pair *next;
};

/* An opened domain of extended reliable connections; those of one file are the same. */
struct xrc_domain {
	struct ibv_xrcd xrcd;
	dev_t device;
	ino_t inode; /* 0: without file */
	struct xrc_domain *next;
};

/* A shared receive queue of such a domain. */
struct xrc_queue {
	struct ibv_srq srq;
	struct ibv_cq *cq;
	uint32_t number;
	struct xrc_queue *next;
};

static struct xrc_domain *xrc_domains;
static struct xrc_queue *xrc_queues;

static struct pair *pairs;
static unsigned int send_flags; /* of the last send */
static int groups; /* that queue pairs are attached to */

static struct ibv_device device = {
	.node_type = IBV_NODE_RNIC,
	.transport_type = IBV_TRANSPORT_IWARP,
	.name = "stub0",
	.dev_name = "uverbs0",
	.dev_path = "/sys/class/infiniband_verbs/uverbs0",
	.ibdev_path = "/sys/class/infiniband/stub0",
};

/* Whether an extended poll of the queue was started and not ended: drivers hold a lock meanwhile. */
static void require_polling(void *cq, int polling)
{
	if (((struct queue *)cq)->polling == polling)
		return;
	fprintf(stderr, polling ? "stub: no poll was started\n" : "stub: a poll was not ended\n");
	abort();
}

static void complete(struct ibv_cq *cq, struct ibv_wc *wc, enum ibv_wc_status status)
{
	struct queue *queue = (struct queue *)cq;

	if (queue->count < MAX_WC) {
		queue->wc[queue->count] = *wc;
		queue->wc[queue->count++].status = status;
	}
}

/* The sends of a queue pair are no more. */
static void drop(struct pair *pair)
{
	for (int i = 0; i < pair->count; i++)
		if (pair->to[i])
			pair->to[i]->posted--;
	pair->count = 0;
}

static void release(struct pair *pair, enum ibv_wc_status status)
{
	for (int i = 0; i < pair->count; i++)
		complete(pair->qp.send_cq, &pair->held[i], pair->held[i].status ? pair->held[i].status : status);
	pair->completed += pair->count;
	drop(pair);
}

struct window;
struct region;
static void bind_window(struct window *window, struct region *region);
static enum ibv_wc_status bind_posted(struct ibv_send_wr *wr);
static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type);
static int dealloc_mw(struct ibv_mw *mw);
static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind);

/* infiniband/verbs.h of rdma-core 45, which this one may be older than */
#define WR_FLUSH 14
#define WR_ATOMIC_WRITE 15
#define WC_FLUSH 8
#define WC_ATOMIC_WRITE 9
#define EX_WITH_FLUSH (1 << 11)
#define EX_WITH_ATOMIC_WRITE (1 << 12)
#define WR_FLUSH_AT (offsetof(struct ibv_qp_ex, wr_atomic_write) + sizeof(void *))
static enum ibv_wc_status to_xrc_queue(struct pair *pair, struct ibv_send_wr *wr);

static int silent; /* whether unsignaled sends are done without a completion */

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct pair *pair = (struct pair *)qp;
	int depth = pair->depth ? pair->depth : MAX_WC;
	int refused = fails("ibv_post_send"); /* nothing is stored, bad_wr says so */
	int unrung = fails("doorbell"); /* all is stored, bad_wr stays as siw and rxe leave it */

	if (refused) {
		*bad_wr = wr;
		return refused;
	}
	pthread_mutex_lock(&lock);
	for (; wr && pair->count < depth; wr = wr->next) {
		struct ibv_wc *wc = &pair->held[pair->count];

		send_flags = wr->send_flags;
		if (silent && !(wr->send_flags & IBV_SEND_SIGNALED))
			continue;
		pair->to[pair->count] = qp->qp_type == IBV_QPT_UD ? (struct handle *)wr->wr.ud.ah : NULL;
		if (pair->to[pair->count])
			pair->to[pair->count]->posted++;
		pair->count++;
		memset(wc, 0, sizeof *wc);
		wc->wr_id = wr->wr_id;
		wc->opcode = IBV_WC_RDMA_WRITE;
		if (wr->opcode == WR_ATOMIC_WRITE)
			wc->opcode = WC_ATOMIC_WRITE;
		if (wr->opcode == WR_FLUSH)
			wc->opcode = WC_FLUSH;
		if (wr->opcode == IBV_WR_BIND_MW) {
			wc->opcode = IBV_WC_BIND_MW;
			wc->status = bind_posted(wr);
		}
		if (qp->qp_type == IBV_QPT_XRC_SEND)
			wc->status = to_xrc_queue(pair, wr);
		wc->qp_num = qp->qp_num;
	}
	if (qp->state == IBV_QPS_ERR)
		release(pair, IBV_WC_WR_FLUSH_ERR);
	else if (!pair->is_held && !unrung && !removed)
		release(pair, IBV_WC_SUCCESS);
	pthread_mutex_unlock(&lock);
	if (wr) {
		*bad_wr = wr;
		return ENOMEM;
	}
	return unrung;
}

/* Does what a request of an extended reliable connection asks of the queue that it names; under the lock. */
static enum ibv_wc_status to_xrc_queue(struct pair *pair, struct ibv_send_wr *wr)
{
	for (struct xrc_queue *queue = xrc_queues; queue; queue = queue->next) {
		struct ibv_wc wc = { .opcode = IBV_WC_RECV, .qp_num = pair->set.dest_qp_num, .wr_id = queue->number };

		if (queue->number != wr->qp_type.xrc.remote_srqn)
			continue;
		for (int i = 0; i < wr->num_sge; i++)
			wc.byte_len += wr->sg_list[i].length;
		if (wr->opcode == IBV_WR_SEND)
			complete(queue->cq, &wc, IBV_WC_SUCCESS);
		return IBV_WC_SUCCESS;
	}
	return IBV_WC_REM_INV_REQ_ERR;
}

/* Receives, of whichever queue: they are noted, and no message takes them. Under the lock. */
static struct {
	int calls;
	int room; /* for so many more */
	int count;
	struct {
		uint64_t wr_id;
		int num_sge;
		uint64_t octets;
	} last[MAX_WC];
} receives = { .room = INT_MAX };

static int note_receive(struct ibv_recv_wr *wr)
{
	int at;

	pthread_mutex_lock(&lock);
	at = receives.room > 0 ? receives.count++ % MAX_WC : -1;
	if (at >= 0) {
		receives.room--;
		receives.last[at].wr_id = wr->wr_id;
		receives.last[at].num_sge = wr->num_sge;
		receives.last[at].octets = 0;
		for (int i = 0; i < wr->num_sge; i++)
			receives.last[at].octets += wr->sg_list[i].length;
	}
	pthread_mutex_unlock(&lock);
	return at >= 0 ? 0 : ENOMEM;
}

static int note_receives(const char *call, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	int result = fails("nameless receive"); /* nothing is stored, and nothing named */

	if (result)
		return result;
	pthread_mutex_lock(&lock);
	receives.calls++;
	pthread_mutex_unlock(&lock);
	result = fails(call);
	*bad_wr = wr; /* also where all are stored: only an error says that it means something */
	for (; wr && !result; wr = wr->next) {
		result = fails("receive"); /* one of a chain */
		if (!result)
			result = note_receive(wr);
		if (result)
			*bad_wr = wr;
	}
	return result;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	return note_receives("ibv_post_recv", wr, bad_wr);
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	return note_receives("ibv_post_srq_recv", wr, bad_wr);
}

static int cq_polls; /* calls of it, under the lock */

static int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	struct queue *queue = (struct queue *)cq;
	int count;

	pthread_mutex_lock(&lock);
	cq_polls++;
	count = queue->count < entries ? queue->count : entries;
	memcpy(wc, queue->wc, count * sizeof *wc);
	queue->count -= count;
	memmove(queue->wc, queue->wc + count, queue->count * sizeof *wc);
	pthread_mutex_unlock(&lock);
	return count;
}

/* There is a completion already, as it were: the event comes at once. */
static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	uint64_t one = 1;

	require_polling(cq, 0);
	((struct comp_channel *)cq->channel)->raised = (struct queue *)cq;
	return write(cq->channel->fd, &one, sizeof one) == sizeof one ? 0 : EIO;
}

/* The idle data path: nothing is stored, and no lock is taken. */

static int idle_result;
static int idle_completions;
static uint64_t idle_polled;

static int idle_post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	if (idle_result && bad_wr)
		*bad_wr = wr;
	return idle_result;
}

static int idle_post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (idle_result && bad_wr)
		*bad_wr = wr;
	return idle_result;
}

static int idle_post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (idle_result && bad_wr)
		*bad_wr = wr;
	return idle_result;
}

/* Brings the same number of completions each time, as far as there is room for them. */
static int idle_poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	int count = idle_completions < entries ? idle_completions : entries;

	for (int i = 0; i < count; i++) {
		wc[i].wr_id = idle_polled++;
		wc[i].status = IBV_WC_SUCCESS;
		wc[i].opcode = IBV_WC_RDMA_WRITE;
		wc[i].vendor_err = 0;
		wc[i].byte_len = 64;
		wc[i].qp_num = 1;
		wc[i].wc_flags = 0;
	}
	return count;
}

static int idle_req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	return idle_result;
}

/* Polls of extended queues: what such a poll was at goes by the call that ends it. */

static void show(struct queue *queue, int at)
{
	queue->at = at;
	queue->extended.wr_id = queue->wc[at].wr_id;
	queue->extended.status = queue->wc[at].status;
}

static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	struct queue *queue = (struct queue *)cq;
	int result = ENOENT;

	pthread_mutex_lock(&lock);
	require_polling(cq, 0);
	if (queue->count) {
		queue->polling = 1;
		show(queue, 0);
		result = 0;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static int next_poll(struct ibv_cq_ex *cq)
{
	struct queue *queue = (struct queue *)cq;
	int result = ENOENT;

	pthread_mutex_lock(&lock);
	require_polling(cq, 1);
	if (queue->at + 1 < queue->count) {
		show(queue, queue->at + 1);
		result = 0;
	}
	pthread_mutex_unlock(&lock);
	return result;
}

static void end_poll(struct ibv_cq_ex *cq)
{
	struct queue *queue = (struct queue *)cq;

	pthread_mutex_lock(&lock);
	require_polling(cq, 1);
	queue->polling = 0;
	queue->count -= queue->at + 1;
	memmove(queue->wc, queue->wc + queue->at + 1, queue->count * sizeof *queue->wc);
	pthread_mutex_unlock(&lock);
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return ((struct queue *)cq)->wc[((struct queue *)cq)->at].opcode;
}

static uint32_t read_qp_num(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return ((struct queue *)cq)->wc[((struct queue *)cq)->at].qp_num;
}

static uint32_t read_zero(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return 0;
}

/* What only some completions of some devices have: the same for all, unlike each other. */
#define SLID 0x1234
#define SERVICE_LEVEL 5
#define DLID_PATH_BITS 0x83
#define CVLAN 0xF123
#define FLOW_TAG 0xFABCDE
#define TAG 0x1122334455667788
#define TAG_PRIVATE_DATA 0x99AABBCC
#define TICKS 77
#define WALLCLOCK 1700000000000000077

static unsigned int read_wc_flags(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return ((struct queue *)cq)->wc[((struct queue *)cq)->at].wc_flags;
}

static uint32_t read_slid(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return SLID;
}

static uint8_t read_sl(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return SERVICE_LEVEL;
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return DLID_PATH_BITS;
}

static uint64_t read_ticks(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return TICKS;
}

static uint64_t read_wallclock(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return WALLCLOCK;
}

static uint16_t read_cvlan(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return CVLAN;
}

static uint32_t read_flow_tag(struct ibv_cq_ex *cq)
{
	require_polling(cq, 1);
	return FLOW_TAG;
}

static void read_tm_info(struct ibv_cq_ex *cq, struct ibv_wc_tm_info *info)
{
	require_polling(cq, 1);
	info->tag = TAG;
	info->priv = TAG_PRIVATE_DATA;
}

static int is_parent_domain(struct ibv_pd *pd);
static int parent_queues; /* completion queues that were made in a parent domain */
static int last_vector; /* of the completion queue that was made last */

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct queue *queue;

	if (fails("ibv_create_cq_ex"))
		return NULL;
	if (attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_PD) {
		if (!is_parent_domain(attr->parent_domain)) {
			errno = EINVAL;
			return NULL;
		}
		parent_queues++;
	}
	queue = make(sizeof *queue);
	queue->extended.context = context;
	queue->extended.channel = attr->channel;
	if (attr->channel)
		((struct comp_channel *)attr->channel)->queues++;
	queue->extended.cqe = attr->cqe;
	queue->extended.cq_context = attr->cq_context;
	last_vector = attr->comp_vector;
	queue->extended.start_poll = start_poll;
	queue->extended.next_poll = next_poll;
	queue->extended.end_poll = end_poll;
	queue->extended.read_opcode = read_opcode;
	queue->extended.read_qp_num = read_qp_num;
	queue->extended.read_vendor_err = read_zero;
	queue->extended.read_byte_len = read_zero;
	queue->extended.read_src_qp = read_zero;
	queue->extended.read_wc_flags = read_wc_flags;
	/* As drivers do, none that was not asked for. */
	if (attr->wc_flags & IBV_WC_EX_WITH_SLID)
		queue->extended.read_slid = read_slid;
	if (attr->wc_flags & IBV_WC_EX_WITH_SL)
		queue->extended.read_sl = read_sl;
	if (attr->wc_flags & IBV_WC_EX_WITH_DLID_PATH_BITS)
		queue->extended.read_dlid_path_bits = read_dlid_path_bits;
	if (attr->wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP)
		queue->extended.read_completion_ts = read_ticks;
	if (attr->wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
		queue->extended.read_completion_wallclock_ns = read_wallclock;
	if (attr->wc_flags & IBV_WC_EX_WITH_CVLAN)
		queue->extended.read_cvlan = read_cvlan;
	if (attr->wc_flags & IBV_WC_EX_WITH_FLOW_TAG)
		queue->extended.read_flow_tag = read_flow_tag;
	if (attr->wc_flags & IBV_WC_EX_WITH_TM_INFO)
		queue->extended.read_tm_info = read_tm_info;
	return &queue->extended;
}

/* Ports: the first on Ethernet, the second on InfiniBand, the third without tables. */

#define PORTS 3
#define GIDS 8
#define PKEYS 4
#define FOREIGN 0xFFFFFFFF /* the index of an interface of another network namespace */
#define ACTIVE_SPEED_EX 52 /* of struct ibv_port_attr of newer headers: uint32_t, at its end */
#define DEVICE_INDEX 7

static struct {
	int state;
	int width;
	int speed;
	struct ibv_gid_entry gids[GIDS]; /* port_num 0: empty */
	int pkeys[PKEYS];
} ports[PORTS] = {
	{ .state = IBV_PORT_ACTIVE, .width = 1, .speed = 1 },
	{ .state = IBV_PORT_ACTIVE, .width = 1, .speed = 1 },
	{ .state = IBV_PORT_DOWN },
};

static int clock_khz; /* 0: no clock */
#define CLOCK_MASK 0xFFFFFFFFFFFF

static int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t size)
{
	memset(attr, 0, size);
	attr->orig_attr.phys_port_cnt = PORTS;
	if (clock_khz && size >= offsetof(struct ibv_device_attr_ex, hca_core_clock) + sizeof attr->hca_core_clock) {
		attr->hca_core_clock = clock_khz;
		attr->completion_timestamp_mask = CLOCK_MASK;
	}
	return fails("ibv_query_device_ex");
}

static int listed_port(struct ibv_context *context);

static int query_port(struct ibv_context *context, uint8_t number, struct ibv_port_attr *attr, size_t size)
{
	int error = fails("ibv_query_port");

	if (error)
		return error;
	if (number < 1 || number > PORTS)
		return EINVAL;
	memset(attr, 0, size);
	pthread_mutex_lock(&lock);
	attr->state = listed_port(context) ? listed_port(context) : ports[number - 1].state;
	attr->active_width = ports[number - 1].width;
	attr->active_speed = ports[number - 1].speed & 0xFF;
	if (size >= ACTIVE_SPEED_EX + sizeof(uint32_t))
		*(uint32_t *)((char *)attr + ACTIVE_SPEED_EX) = ports[number - 1].speed;
	pthread_mutex_unlock(&lock);
	attr->max_mtu = IBV_MTU_4096;
	attr->active_mtu = IBV_MTU_1024;
	attr->link_layer = number == 2 ? IBV_LINK_LAYER_INFINIBAND : IBV_LINK_LAYER_ETHERNET;
	attr->lid = number == 2 ? 0xBEEF : 0;
	attr->lmc = number == 2 ? 3 : 0;
	attr->sm_lid = number == 2 ? 0xC001 : 0;
	attr->gid_tbl_len = number == 3 ? 0 : GIDS;
	attr->pkey_tbl_len = number == 3 ? 0 : PKEYS;
	return 0;
}

int ibv_get_device_index(struct ibv_device *dev)
{
	return fails("ibv_get_device_index") ? -1 : DEVICE_INDEX;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t number, uint32_t index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t size)
{
	int error = fails("ibv_query_gid_ex");

	if (error)
		return error;
	if (number < 1 || number > PORTS || index >= GIDS)
		return EINVAL;
	pthread_mutex_lock(&lock);
	*entry = ports[number - 1].gids[index];
	pthread_mutex_unlock(&lock);
	if (entry->port_num && entry->ndev_ifindex == FOREIGN)
		return ENODEV;
	return entry->port_num ? 0 : ENODATA;
}

int ibv_query_gid(struct ibv_context *context, uint8_t number, int index, union ibv_gid *gid)
{
	struct ibv_gid_entry entry = {};
	int error = _ibv_query_gid_ex(context, number, index, &entry, 0, sizeof entry);

	*gid = entry.gid; /* zero of a slot that is empty, as the library's */
	if (!error || error == ENODATA)
		return 0;
	errno = error;
	return -1;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max, uint32_t flags,
			     size_t size)
{
	ssize_t count = 0;
	int error = fails("ibv_query_gid_table");

	if (error)
		return -error;
	pthread_mutex_lock(&lock);
	for (int i = 0; i < PORTS * GIDS && count < max; i++) {
		if (ports[i / GIDS].gids[i % GIDS].port_num)
			entries[count++] = ports[i / GIDS].gids[i % GIDS];
		if (ports[i / GIDS].gids[i % GIDS].ndev_ifindex == FOREIGN)
			error = ENODEV; /* as the library's reading of the kernel's files, which gives up as a whole */
	}
	pthread_mutex_unlock(&lock);
	return error ? -error : count;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t number, int index, __be16 *pkey)
{
	if (fails("ibv_query_pkey"))
		return -1;
	if (number < 1 || number > PORTS || index < 0 || index >= PKEYS) {
		errno = EINVAL;
		return -1;
	}
	pthread_mutex_lock(&lock);
	*pkey = htons(ports[number - 1].pkeys[index]);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* What few devices have: a clock, thread domains, memory of the device, registrations of nothing, advice, vendors' options. */

static struct {
	uint64_t ticks; /* of the clock */
	int step; /* how many more with each reading */
	int advice; /* of the last advice, as all that follows */
	int advice_flags;
	int advised; /* octets */
	int changes; /* of the last registration that was changed */
	int access; /* of the last registration, new or changed */
	int iova_page; /* of the last one, in pages of 4096 octets */
} rare;

struct thread_domain {
	struct ibv_td td;
	int parents;
};

struct domain {
	struct ibv_pd pd;
	struct thread_domain *threads; /* of a parent domain */
};

struct device_memory {
	struct ibv_dm dm;
	size_t length;
	int regions;
	char octets[];
};

static struct ibv_mr *make_region(struct ibv_pd *pd, void *address, size_t length);
static struct ibv_mr *make_device_region(struct ibv_pd *pd, struct device_memory *memory, size_t length);

static int query_rt_values(struct ibv_context *context, struct ibv_values_ex *values)
{
	int error = fails("ibv_query_rt_values_ex");

	if (error)
		return error;
	if (values->comp_mask != IBV_VALUES_MASK_RAW_CLOCK)
		return EINVAL;
	values->raw_clock.tv_sec = 0;
	values->raw_clock.tv_nsec = rare.ticks;
	rare.ticks += rare.step;
	return 0;
}

static struct ibv_mr *alloc_null_mr(struct ibv_pd *pd)
{
	return fails("ibv_alloc_null_mr") ? NULL : make_region(pd, NULL, 0);
}

static struct ibv_td *alloc_td(struct ibv_context *context, struct ibv_td_init_attr *attr)
{
	struct thread_domain *made;

	if (fails("ibv_alloc_td"))
		return NULL;
	if (attr->comp_mask) {
		errno = EINVAL;
		return NULL;
	}
	made = make(sizeof *made);
	made->td.context = context;
	return &made->td;
}

static int dealloc_td(struct ibv_td *td)
{
	int error = fails("ibv_dealloc_td");

	if (!error && ((struct thread_domain *)td)->parents)
		error = EBUSY;
	if (!error)
		destroy(td);
	return error;
}

static struct ibv_pd *alloc_parent_domain(struct ibv_context *context, struct ibv_parent_domain_init_attr *attr)
{
	struct domain *made;

	if (fails("ibv_alloc_parent_domain"))
		return NULL;
	if (attr->comp_mask || !attr->pd || !attr->td || ((struct domain *)attr->pd)->threads) {
		errno = EINVAL;
		return NULL;
	}
	made = make(sizeof *made);
	made->pd.context = context;
	made->threads = (struct thread_domain *)attr->td;
	made->threads->parents++;
	return &made->pd;
}

static int is_parent_domain(struct ibv_pd *pd)
{
	return pd && ((struct domain *)pd)->threads;
}

static int memcpy_to_dm(struct ibv_dm *dm, uint64_t offset, const void *from, size_t length)
{
	int error = fails("ibv_memcpy_to_dm");

	if (!error)
		memcpy(((struct device_memory *)dm)->octets + offset, from, length);
	return error;
}

static int memcpy_from_dm(void *to, struct ibv_dm *dm, uint64_t offset, size_t length)
{
	int error = fails("ibv_memcpy_from_dm");

	if (!error)
		memcpy(to, ((struct device_memory *)dm)->octets + offset, length);
	return error;
}

static struct ibv_dm *alloc_dm(struct ibv_context *context, struct ibv_alloc_dm_attr *attr)
{
	struct device_memory *made;

	if (fails("ibv_alloc_dm"))
		return NULL;
	if (attr->comp_mask || attr->log_align_req > 12) {
		errno = EINVAL;
		return NULL;
	}
	made = make(sizeof *made + attr->length);
	made->dm.context = context;
	made->dm.memcpy_to_dm = memcpy_to_dm;
	made->dm.memcpy_from_dm = memcpy_from_dm;
	made->length = attr->length;
	return &made->dm;
}

static int free_dm(struct ibv_dm *dm)
{
	int error = fails("ibv_free_dm");

	if (!error && ((struct device_memory *)dm)->regions)
		error = EBUSY;
	if (!error)
		destroy(dm);
	return error;
}

static struct ibv_mr *reg_dm_mr(struct ibv_pd *pd, struct ibv_dm *dm, uint64_t offset, size_t length,
				unsigned int access)
{
	if (fails("ibv_reg_dm_mr"))
		return NULL;
	rare.access = access;
	if (!(access & IBV_ACCESS_ZERO_BASED) || offset + length > ((struct device_memory *)dm)->length) {
		errno = EINVAL; /* as the kernel */
		return NULL;
	}
	return make_device_region(pd, (struct device_memory *)dm, length);
}

static int advise_mr(struct ibv_pd *pd, enum ib_uverbs_advise_mr_advice advice, uint32_t flags, struct ibv_sge *pieces,
		     uint32_t count)
{
	rare.advice = advice;
	rare.advice_flags = flags;
	rare.advised = 0;
	for (uint32_t i = 0; i < count; i++)
		rare.advised += pieces[i].length;
	return fails("ibv_advise_mr");
}

static struct ibv_xrcd *open_xrcd(struct ibv_context *context, struct ibv_xrcd_init_attr *attr)
{
	struct stat file = { 0 };
	struct xrc_domain *made;
	int known = 0;

	if (fails("ibv_open_xrcd"))
		return NULL;
	if (attr->fd != -1) {
		if (fstat(attr->fd, &file))
			return NULL;
		for (struct xrc_domain *each = xrc_domains; each; each = each->next)
			known |= each->inode == file.st_ino && each->device == file.st_dev;
	}
	/* As ib_uverbs_open_xrcd() of the kernel. */
	if (attr->comp_mask != (IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS) ||
	    (known && attr->oflags & O_EXCL)) {
		errno = EINVAL;
		return NULL;
	}
	if (!known && !(attr->oflags & O_CREAT)) {
		errno = EAGAIN;
		return NULL;
	}
	made = make(sizeof *made);
	made->xrcd.context = context;
	made->device = file.st_dev;
	made->inode = file.st_ino;
	made->next = xrc_domains;
	xrc_domains = made;
	return &made->xrcd;
}

static int close_xrcd(struct ibv_xrcd *xrcd)
{
	struct xrc_domain **at = &xrc_domains;
	int error = fails("ibv_close_xrcd");

	if (error)
		return error;
	while (*at != (struct xrc_domain *)xrcd)
		at = &(*at)->next;
	*at = (*at)->next;
	destroy(xrcd);
	return 0;
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	int mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD | IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
	struct xrc_queue *made;

	if (fails("ibv_create_srq_ex"))
		return NULL;
	if (attr->comp_mask != mask || attr->srq_type != IBV_SRQT_XRC || attr->pd->context != context ||
	    attr->xrcd->context != context || attr->cq->context != context || !attr->attr.max_sge) {
		errno = EINVAL;
		return NULL;
	}
	attr->attr.max_wr |= 15; /* as devices round it up */
	made = make(sizeof *made);
	made->srq.context = context;
	made->srq.pd = attr->pd;
	made->cq = attr->cq;
	pthread_mutex_lock(&lock);
	made->number = 0x800000 + next_number++;
	made->next = xrc_queues;
	xrc_queues = made;
	pthread_mutex_unlock(&lock);
	return &made->srq;
}

static int get_srq_num(struct ibv_srq *srq, uint32_t *number)
{
	int error = fails("ibv_get_srq_num");

	if (!error)
		*number = ((struct xrc_queue *)srq)->number;
	return error;
}

static struct ibv_qp *make_xrc_receiver(struct ibv_context *context, struct xrc_domain *domain)
{
	struct pair *pair = make(sizeof *pair);

	pair->qp.context = context;
	pair->qp.qp_type = IBV_QPT_XRC_RECV;
	pair->qp.state = IBV_QPS_RESET;
	pair->xrc = domain;
	pthread_mutex_lock(&lock);
	pair->qp.handle = next_number++;
	pair->qp.qp_num = next_qp_number++;
	pair->next = pairs;
	pairs = pair;
	pthread_mutex_unlock(&lock);
	return &pair->qp;
}

static struct ibv_qp *open_qp(struct ibv_context *context, struct ibv_qp_open_attr *attr)
{
	int mask = IBV_QP_OPEN_ATTR_NUM | IBV_QP_OPEN_ATTR_XRCD | IBV_QP_OPEN_ATTR_TYPE;
	struct xrc_domain *domain = (struct xrc_domain *)attr->xrcd;

	if (fails("ibv_open_qp"))
		return NULL;
	for (struct pair *pair = pairs; pair; pair = pair->next) {
		struct ibv_qp *opened;

		if (pair->qp.qp_num != attr->qp_num || !pair->xrc || pair->xrc->inode != domain->inode ||
		    attr->comp_mask != mask || attr->qp_type != IBV_QPT_XRC_RECV)
			continue;
		opened = make_xrc_receiver(context, domain);
		opened->qp_num = pair->qp.qp_num;
		opened->state = pair->qp.state;
		((struct pair *)opened)->set = pair->set;
		return opened;
	}
	errno = EINVAL;
	return NULL;
}

static void add_rare_objects(struct verbs_context *extended)
{
	extended->open_xrcd = open_xrcd;
	extended->close_xrcd = close_xrcd;
	extended->create_srq_ex = create_srq_ex;
	extended->get_srq_num = get_srq_num;
	extended->open_qp = open_qp;
	extended->query_rt_values = query_rt_values;
	extended->alloc_null_mr = alloc_null_mr;
	extended->alloc_td = alloc_td;
	extended->dealloc_td = dealloc_td;
	extended->alloc_parent_domain = alloc_parent_domain;
	extended->alloc_dm = alloc_dm;
	extended->free_dm = free_dm;
	extended->reg_dm_mr = reg_dm_mr;
	extended->advise_mr = advise_mr;
}

static struct ibv_ece device_ece; /* of new queue pairs */
static struct ibv_ece remote_ece; /* of peers */
static struct ibv_ece told_ece; /* that a peer was told last */

int ibv_query_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	*ece = ((struct pair *)qp)->ece;
	return fails("ibv_query_ece");
}

/* Takes the lowest eight options. */
int ibv_set_ece(struct ibv_qp *qp, struct ibv_ece *ece)
{
	int error = fails("ibv_set_ece");

	if (!error) {
		((struct pair *)qp)->ece = *ece;
		((struct pair *)qp)->ece.options &= 0xFF;
	}
	return error;
}

int ibv_query_qp_data_in_order(struct ibv_qp *qp, enum ibv_wr_opcode op, uint32_t flags)
{
	return op == IBV_WR_RDMA_WRITE;
}

/* Objects are imported by the number that theirs have here: copies of what was made last. */

static uint32_t imports; /* that are not ended */

static void *import(const char *call, size_t size)
{
	if (fails(call))
		return NULL;
	imports++;
	return make(size);
}

static void unimport(void *object)
{
	imports--;
	destroy(object);
}

struct ibv_pd *ibv_import_pd(struct ibv_context *context, uint32_t handle)
{
	struct domain *made = import("ibv_import_pd", sizeof *made);

	if (!made)
		return NULL;
	made->pd.context = context;
	made->pd.handle = handle;
	return &made->pd;
}

void ibv_unimport_pd(struct ibv_pd *pd)
{
	unimport(pd);
}

struct ibv_mr *ibv_import_mr(struct ibv_pd *pd, uint32_t handle)
{
	struct ibv_mr *made = import("ibv_import_mr", sizeof *made);

	if (!made)
		return NULL;
	made->pd = pd;
	made->handle = handle;
	made->lkey = 0x100 + handle;
	made->rkey = 0x200 + handle;
	return made;
}

void ibv_unimport_mr(struct ibv_mr *mr)
{
	unimport(mr);
}

struct ibv_dm *ibv_import_dm(struct ibv_context *context, uint32_t handle)
{
	struct device_memory *made = import("ibv_import_dm", sizeof *made);

	if (!made)
		return NULL;
	made->dm.context = context;
	made->dm.handle = handle;
	return &made->dm;
}

void ibv_unimport_dm(struct ibv_dm *dm)
{
	unimport(dm);
}

/* Which packets queue pairs receive, and how fast they may send: the last of each, as the compiler reads it. */

static char flow_text[2048];
static int flows;
static struct ibv_qp_rate_limit_attr rate_limit;

static char *hex(const void *octets, size_t count)
{
	static char text[8][40];
	static int next;
	char *at = text[next++ % 8];

	for (size_t i = 0; i < count; i++)
		sprintf(at + 2 * i, "%02x", ((const uint8_t *)octets)[i]);
	return at;
}

/* The octets of a field's value and mask. */
#define FIELD(spec, field) hex(&(spec)->val.field, sizeof (spec)->val.field), \
	hex(&(spec)->mask.field, sizeof (spec)->mask.field)

/* Counters of flows: what each value is, and how much they have counted; as mlx5, they are said before they are bound. */
#define MAX_POINTS 8

struct counters {
	struct ibv_counters counters;
	enum ibv_counter_description points[MAX_POINTS];
	int count;
	int bound; /* flows */
	uint64_t packets;
	uint64_t bytes;
	uint64_t cached[MAX_POINTS];
	struct counters *next;
};

struct flow {
	struct ibv_flow flow;
	struct counters *counters;
};

static struct counters *all_counters;

static struct ibv_counters *create_counters(struct ibv_context *context, struct ibv_counters_init_attr *attr)
{
	struct counters *made;

	if (fails("ibv_create_counters"))
		return NULL;
	if (attr->comp_mask) {
		errno = EINVAL;
		return NULL;
	}
	made = make(sizeof *made);
	made->counters.context = context;
	made->next = all_counters;
	all_counters = made;
	return &made->counters;
}

static int destroy_counters(struct ibv_counters *counters)
{
	struct counters **at = &all_counters;
	int error = fails("ibv_destroy_counters");

	if (error)
		return error;
	if (((struct counters *)counters)->bound)
		return EBUSY;
	while (&(*at)->counters != counters)
		at = &(*at)->next;
	*at = (*at)->next;
	destroy(counters);
	return 0;
}

static int attach_counters_point_flow(struct ibv_counters *counters, struct ibv_counter_attach_attr *attr,
				      struct ibv_flow *flow)
{
	struct counters *its = (struct counters *)counters;
	int error = fails("ibv_attach_counters_point_flow");

	if (error)
		return error;
	if (flow || attr->comp_mask || attr->counter_desc > IBV_COUNTER_BYTES)
		return ENOTSUP;
	if (its->bound)
		return EBUSY;
	if (attr->index != its->count || its->count == MAX_POINTS)
		return EINVAL;
	its->points[its->count++] = attr->counter_desc;
	return 0;
}

static int read_counters(struct ibv_counters *counters, uint64_t *values, uint32_t count, uint32_t flags)
{
	struct counters *its = (struct counters *)counters;
	int error = fails("ibv_read_counters");

	if (error)
		return error;
	if (count != its->count)
		return EINVAL;
	if (!(flags & IBV_READ_COUNTERS_ATTR_PREFER_CACHED))
		for (int i = 0; i < its->count; i++)
			its->cached[i] = its->points[i] == IBV_COUNTER_PACKETS ? its->packets : its->bytes;
	memcpy(values, its->cached, count * sizeof *values);
	return 0;
}

static int describe_spec(char *into, size_t room, struct ibv_flow_spec *spec)
{
	switch ((int)spec->hdr.type & ~IBV_FLOW_SPEC_INNER) {
	case IBV_FLOW_SPEC_ETH:
		return snprintf(into, room, " eth%s %s/%s %s/%s %s/%s %s/%s",
				spec->hdr.size == sizeof spec->eth ? "" : "?", FIELD(&spec->eth, dst_mac),
				FIELD(&spec->eth, src_mac), FIELD(&spec->eth, ether_type), FIELD(&spec->eth, vlan_tag));
	case IBV_FLOW_SPEC_IPV4:
		return snprintf(into, room, " ipv4%s %s/%s %s/%s", spec->hdr.size == sizeof spec->ipv4 ? "" : "?",
				FIELD(&spec->ipv4, src_ip), FIELD(&spec->ipv4, dst_ip));
	case IBV_FLOW_SPEC_IPV4_EXT: {
		int first = snprintf(into, room, " ipv4_ext%s %s/%s %s/%s",
				     spec->hdr.size == sizeof spec->ipv4_ext ? "" : "?", FIELD(&spec->ipv4_ext, src_ip),
				     FIELD(&spec->ipv4_ext, dst_ip));

		return first + snprintf(into + first, room - first, " %s/%s %s/%s %s/%s %s/%s",
					FIELD(&spec->ipv4_ext, proto), FIELD(&spec->ipv4_ext, tos),
					FIELD(&spec->ipv4_ext, ttl), FIELD(&spec->ipv4_ext, flags));
	}
	case IBV_FLOW_SPEC_IPV6: {
		int first = snprintf(into, room, " ipv6%s %s/%s %s/%s", spec->hdr.size == sizeof spec->ipv6 ? "" : "?",
				     FIELD(&spec->ipv6, src_ip), FIELD(&spec->ipv6, dst_ip));

		return first + snprintf(into + first, room - first, " %s/%s %s/%s %s/%s %s/%s",
					FIELD(&spec->ipv6, flow_label), FIELD(&spec->ipv6, next_hdr),
					FIELD(&spec->ipv6, traffic_class), FIELD(&spec->ipv6, hop_limit));
	}
	case IBV_FLOW_SPEC_TCP:
	case IBV_FLOW_SPEC_UDP:
		return snprintf(into, room, " %s%s %s/%s %s/%s", (spec->hdr.type & 0xff) == IBV_FLOW_SPEC_TCP ? "tcp" : "udp",
				spec->hdr.size == sizeof spec->tcp_udp ? "" : "?", FIELD(&spec->tcp_udp, src_port),
				FIELD(&spec->tcp_udp, dst_port));
	case IBV_FLOW_SPEC_VXLAN_TUNNEL:
		return snprintf(into, room, " vxlan%s %s/%s", spec->hdr.size == sizeof spec->tunnel ? "" : "?",
				FIELD(&spec->tunnel, tunnel_id));
	case IBV_FLOW_SPEC_GRE:
		return snprintf(into, room, " gre%s %s/%s %s/%s %s/%s", spec->hdr.size == sizeof spec->gre ? "" : "?",
				FIELD(&spec->gre, c_ks_res0_ver), FIELD(&spec->gre, protocol), FIELD(&spec->gre, key));
	case IBV_FLOW_SPEC_MPLS:
		return snprintf(into, room, " mpls%s %s/%s", spec->hdr.size == sizeof spec->mpls ? "" : "?",
				FIELD(&spec->mpls, label));
	case IBV_FLOW_SPEC_ACTION_TAG:
		return snprintf(into, room, " tag%s %u", spec->hdr.size == sizeof spec->flow_tag ? "" : "?",
				spec->flow_tag.tag_id);
	case IBV_FLOW_SPEC_ACTION_DROP:
		return snprintf(into, room, " drop%s", spec->hdr.size == sizeof spec->drop ? "" : "?");
	case IBV_FLOW_SPEC_ACTION_COUNT:
		return snprintf(into, room, " count%s", spec->hdr.size == sizeof spec->flow_count ? "" : "?");
	default:
		return snprintf(into, room, " unknown");
	}
}

/* The counters that a spec names, which need not be aligned; NULL if it names none. */
static struct counters *counters_of(char *spec)
{
	struct ibv_counters *named = NULL;
	struct counters *known = all_counters;

	if (((struct ibv_flow_spec *)spec)->hdr.type != IBV_FLOW_SPEC_ACTION_COUNT)
		return NULL;
	memcpy(&named, spec + offsetof(struct ibv_flow_spec_counter_action, counters), sizeof named);
	while (&known->counters != named) /* what is not there ends in a crash */
		known = known->next;
	return known;
}

static struct ibv_flow *create_flow(struct ibv_qp *qp, struct ibv_flow_attr *attr)
{
	struct flow *flow;
	struct counters *counters = NULL;
	char *spec = (char *)(attr + 1);
	size_t used;

	if (fails("ibv_create_flow"))
		return NULL;
	used = snprintf(flow_text, sizeof flow_text, "%u type %d priority %u port %u flags %u specs %u:",
			attr->comp_mask, attr->type, attr->priority, attr->port, attr->flags, attr->num_of_specs);
	for (int i = 0; i < attr->num_of_specs; i++) {
		if (((struct ibv_flow_spec *)spec)->hdr.type & IBV_FLOW_SPEC_INNER)
			used += snprintf(flow_text + used, sizeof flow_text - used, " inner");
		used += describe_spec(flow_text + used, sizeof flow_text - used, (struct ibv_flow_spec *)spec);
		if (counters_of(spec))
			counters = counters_of(spec);
		spec += ((struct ibv_flow_spec *)spec)->hdr.size;
	}
	if (spec != (char *)attr + attr->size)
		snprintf(flow_text + used, sizeof flow_text - used, " of another size");
	flow = make(sizeof *flow);
	flow->flow.context = qp->context;
	flow->counters = counters;
	if (counters)
		counters->bound++;
	__atomic_add_fetch(&flows, 1, __ATOMIC_SEQ_CST);
	return &flow->flow;
}

static int destroy_flow(struct ibv_flow *flow)
{
	int error = fails("ibv_destroy_flow");

	if (!error) {
		if (((struct flow *)flow)->counters)
			((struct flow *)flow)->counters->bound--;
		__atomic_sub_fetch(&flows, 1, __ATOMIC_SEQ_CST);
		destroy(flow);
	}
	return error;
}

static int modify_qp_rate_limit(struct ibv_qp *qp, struct ibv_qp_rate_limit_attr *attr)
{
	int error = fails("ibv_modify_qp_rate_limit");

	if (!error)
		rate_limit = *attr;
	return error;
}

static int async_fd; /* of the device that was opened last */
static int channel_fd; /* of the completion channel that was made last */
static int objects_before; /* the device was opened */
static int handles;
static int async_taken;
/* Of a queue pair or of where its sends complete, pair_events times; under the lock. */
static struct ibv_async_event pair_event;
static int pair_events;

/* The events that are taken and not acknowledged, of what raised this one. */
static int *unacknowledged(struct ibv_async_event *event)
{
	if (event->event_type == IBV_EVENT_CQ_ERR)
		return &((struct queue *)event->element.cq)->unacknowledged;
	return &((struct pair *)event->element.qp)->unacknowledged;
}

struct ibv_context *ibv_open_device(struct ibv_device *dev);

struct ibv_context *ibv_import_device(int cmd_fd)
{
	struct ibv_context *made = fails("ibv_import_device") ? NULL : ibv_open_device(&device);

	if (made)
		made->cmd_fd = cmd_fd;
	return made;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr);

/* The devices that are listed: stub0, of all other tests, and more. */
#define LISTED 8
static struct listed {
	struct ibv_device device;
	int error; /* of opening it */
	int millis; /* that opening it takes */
	int port; /* state of all its ports, 0 for what stub_port says */
} listed[LISTED];
static int listed_count;
static int opens;

struct ibv_device **ibv_get_device_list(int *count)
{
	struct ibv_device **list = calloc(LISTED + 1, sizeof *list);

	for (int i = 0; i < listed_count; i++)
		list[i] = &listed[i].device;
	*count = listed_count;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

static struct listed *listed_at(struct ibv_device *dev)
{
	for (int i = 0; i < listed_count; i++)
		if (dev == &listed[i].device)
			return &listed[i];
	return NULL;
}

/* Has so many devices listed, each as the first. */
int stub_list(int count)
{
	listed_count = count;
	opens = 0;
	for (int i = 0; i < count; i++) {
		listed[i] = (struct listed){ .device = device };
		snprintf(listed[i].device.name, sizeof listed[i].device.name, "stub%d", i);
	}
	return 0;
}

/* Says how a listed device is opened, and in which state its ports are. */
int stub_listed(int index, int error, int millis, int port)
{
	listed[index].error = error;
	listed[index].millis = millis;
	listed[index].port = port;
	return 0;
}

/* Says how often devices were opened since they were listed. */
int stub_opens(void)
{
	return __atomic_load_n(&opens, __ATOMIC_SEQ_CST);
}

static int listed_port(struct ibv_context *context)
{
	struct listed *found = listed_at(context->device);

	return found ? found->port : 0;
}

static int opens_listed(struct ibv_device *dev)
{
	struct listed *found = listed_at(dev);
	struct timespec wait = { 0, 1000000 };

	__atomic_add_fetch(&opens, 1, __ATOMIC_SEQ_CST);
	if (!found)
		return 1;
	for (int i = 0; i < found->millis && listed_count; i++)
		nanosleep(&wait, NULL);
	errno = found->error;
	return !found->error;
}

struct ibv_context *ibv_open_device(struct ibv_device *dev)
{
	struct verbs_context *extended = opens_listed(dev) ? make(sizeof *extended) : NULL;
	struct ibv_context *context = &extended->context;

	if (!extended)
		return NULL;
	objects_before = objects - 1;
	extended->sz = sizeof *extended;
	extended->create_cq_ex = create_cq_ex;
	extended->create_qp_ex = create_qp_ex;
	extended->query_device_ex = query_device_ex;
	extended->query_port = query_port;
	add_rare_objects(extended);
	extended->ibv_create_flow = create_flow;
	extended->ibv_destroy_flow = destroy_flow;
	extended->modify_qp_rate_limit = modify_qp_rate_limit;
	extended->create_counters = create_counters;
	extended->destroy_counters = destroy_counters;
	extended->attach_counters_point_flow = attach_counters_point_flow;
	extended->read_counters = read_counters;
	context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	context->device = listed_at(dev) ? dev : &device;
	context->ops.alloc_mw = alloc_mw;
	context->ops.dealloc_mw = dealloc_mw;
	context->ops.bind_mw = bind_mw;
	context->ops.post_send = IDLE ? idle_post_send : post_send;
	context->ops.post_recv = IDLE ? idle_post_recv : post_recv;
	context->ops.post_srq_recv = IDLE ? idle_post_srq_recv : post_srq_recv;
	context->ops.poll_cq = IDLE ? idle_poll_cq : poll_cq;
	context->ops.req_notify_cq = IDLE ? idle_req_notify_cq : req_notify_cq;
	context->cmd_fd = -1;
	context->async_fd = async_fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	context->num_comp_vectors = 2;
	return context;
}

int ibv_close_device(struct ibv_context *context)
{
	int error = fails("ibv_close_device");

	if (error)
		return error;
	syscall(SYS_close, context->async_fd);
	destroy((char *)context - offsetof(struct verbs_context, context));
	if (removed) { /* what the library could not destroy is nobody's */
		objects = objects_before;
		handles = 0;
	}
	return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct domain *made;

	if (fails("ibv_alloc_pd"))
		return NULL;
	made = make(sizeof *made);
	made->pd.context = context;
	return &made->pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	struct domain *domain = (struct domain *)pd;
	int error = fails("ibv_dealloc_pd");

	if (!error && domain->threads)
		domain->threads->parents--;
	if (!error)
		destroy(pd);
	return error;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct comp_channel *made = make(sizeof *made);

	made->channel.context = context;
	made->channel.fd = channel_fd = eventfd(0, EFD_CLOEXEC);
	return &made->channel;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	uint64_t count;

	if (fails("ibv_get_cq_event") || read(channel->fd, &count, sizeof count) != sizeof count)
		return -1;
	*cq = &((struct comp_channel *)channel)->raised->cq;
	*cq_context = (*cq)->cq_context;
	__atomic_add_fetch(&((struct queue *)*cq)->unacknowledged, 1, __ATOMIC_SEQ_CST);
	return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count)
{
	__atomic_sub_fetch(&((struct queue *)cq)->unacknowledged, count, __ATOMIC_SEQ_CST);
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
	uint64_t count;

	if (removed == 1) {
		removed = 2;
		memset(event, 0, sizeof *event);
		event->event_type = IBV_EVENT_DEVICE_FATAL;
		return 0;
	}
	if (fails("ibv_get_async_event") || read(context->async_fd, &count, sizeof count) != sizeof count)
		return -1;
	memset(event, 0, sizeof *event);
	event->event_type = IBV_EVENT_LID_CHANGE;
	event->element.port_num = 1;
	pthread_mutex_lock(&lock);
	if (pair_events > 0) {
		pair_events--;
		*event = pair_event;
		__atomic_add_fetch(unacknowledged(event), 1, __ATOMIC_SEQ_CST);
	}
	pthread_mutex_unlock(&lock);
	__atomic_add_fetch(&async_taken, 1, __ATOMIC_SEQ_CST);
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	if (event->event_type == IBV_EVENT_LID_CHANGE || !event->element.qp)
		return; /* of the port or the device: those of queue pairs are others */
	pthread_mutex_lock(&lock);
	__atomic_sub_fetch(unacknowledged(event), 1, __ATOMIC_SEQ_CST);
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	int error = fails("ibv_destroy_comp_channel");

	if (error || ((struct comp_channel *)channel)->queues)
		return error ? error : EBUSY;
	if (channel->fd == channel_fd)
		channel_fd = 0;
	syscall(SYS_close, channel->fd);
	destroy(channel);
	return 0;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context, struct ibv_comp_channel *channel,
			     int comp_vector)
{
	struct queue *queue;

	if (fails("ibv_create_cq"))
		return NULL;
	queue = make(sizeof *queue);
	queue->cq.context = context;
	queue->cq.channel = channel;
	if (channel)
		((struct comp_channel *)channel)->queues++;
	queue->cq.cqe = cqe;
	queue->cq.cq_context = cq_context;
	last_vector = comp_vector;
	return &queue->cq;
}

int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	int error = fails("ibv_resize_cq");

	require_polling(cq, 0);
	if (!error)
		cq->cqe = cqe;
	return error;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	int error = fails("ibv_destroy_cq");

	require_polling(cq, 0);
	if (((struct queue *)cq)->unacknowledged)
		return EDEADLK; /* it would wait for ever */

	if (error)
		return error;
	if (cq->channel)
		((struct comp_channel *)cq->channel)->queues--;
	destroy(cq);
	return 0;
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	struct ibv_srq *srq = make(sizeof *srq);

	srq->context = pd->context;
	srq->pd = pd;
	return srq;
}

static int srq_max_wr; /* of the shared receive queue that was resized last */

int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	int error = fails("ibv_modify_srq");

	if (!error && mask == IBV_SRQ_MAX_WR)
		srq_max_wr = attr->max_wr;
	return error;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	struct xrc_queue **at = &xrc_queues;
	int error = fails("ibv_destroy_srq");

	if (error)
		return error;
	pthread_mutex_lock(&lock);
	while (*at && &(*at)->srq != srq)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
	pthread_mutex_unlock(&lock);
	destroy(srq);
	return 0;
}

/* A file descriptor of dma-buf memory, which is nowhere in the process. */
#define DMA_BUF 1000

struct region {
	struct ibv_mr mr;
	int windows; /* bound to it */
	struct device_memory *of; /* NULL: of the host */
};

static struct ibv_mr *make_region(struct ibv_pd *pd, void *address, size_t length)
{
	struct region *region = make(sizeof *region);

	pthread_mutex_lock(&lock);
	region->mr.handle = next_number;
	region->mr.lkey = region->mr.rkey = next_number++ << 8;
	pthread_mutex_unlock(&lock);
	region->mr.context = pd->context;
	region->mr.pd = pd;
	region->mr.addr = address;
	region->mr.length = length;
	return &region->mr;
}

static struct ibv_mr *make_device_region(struct ibv_pd *pd, struct device_memory *memory, size_t length)
{
	struct ibv_mr *made = make_region(pd, NULL, length);

	((struct region *)made)->of = memory;
	memory->regions++;
	return made;
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	if (fails("ibv_reg_dmabuf_mr"))
		return NULL;
	if (fd == DMA_BUF)
		return make_region(pd, NULL, length);
	errno = EOPNOTSUPP;
	return NULL;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access)
{
	rare.access = access;
	rare.iova_page = (int)(iova >> 12);
	return fails("ibv_reg_mr") ? NULL : make_region(pd, address, length);
}

/* The library has codes of its own, and errno. */
int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access)
{
	if (fails("ibv_rereg_mr"))
		return IBV_REREG_MR_ERR_CMD;
	if ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) && (!address || !length)) {
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}
	rare.changes = flags;
	rare.access = access;
	if (flags & IBV_REREG_MR_CHANGE_PD)
		mr->pd = pd;
	if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
		mr->addr = address;
		mr->length = length;
	}
	pthread_mutex_lock(&lock);
	mr->lkey = mr->rkey = next_number++ << 8;
	pthread_mutex_unlock(&lock);
	return fails("fork of old memory") ? IBV_REREG_MR_ERR_DO_FORK_OLD : 0;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	int error = fails("ibv_dereg_mr");

	if (!error && ((struct region *)mr)->windows)
		error = EBUSY;
	if (!error && ((struct region *)mr)->of)
		((struct region *)mr)->of->regions--;
	if (!error)
		destroy(mr);
	return error;
}

struct window {
	struct ibv_mw mw;
	uint32_t key; /* of the bind before, which mw.rkey has to be at the next, as with rxe */
	struct region *region; /* that it is bound to */
};

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	struct window *window;

	if (fails("ibv_alloc_mw"))
		return NULL;
	window = make(sizeof *window);
	pthread_mutex_lock(&lock);
	window->mw.rkey = window->key = next_number++ << 8;
	pthread_mutex_unlock(&lock);
	window->mw.context = pd->context;
	window->mw.pd = pd;
	window->mw.type = type;
	return &window->mw;
}

static void bind_window(struct window *window, struct region *region)
{
	if (window->region)
		window->region->windows--;
	window->region = region;
	if (region)
		region->windows++;
}

/* Under the lock. */
static enum ibv_wc_status bind_posted(struct ibv_send_wr *wr)
{
	struct window *window = (struct window *)wr->bind_mw.mw;

	if (window->mw.rkey != window->key)
		return IBV_WC_MW_BIND_ERR;
	window->key = wr->bind_mw.rkey;
	bind_window(window, (struct region *)wr->bind_mw.bind_info.mr);
	return IBV_WC_SUCCESS;
}

static int dealloc_mw(struct ibv_mw *mw)
{
	int error = fails("ibv_dealloc_mw");

	if (!error) {
		bind_window((struct window *)mw, NULL);
		destroy(mw);
	}
	return error;
}

/* The driver chooses the key, and the bind is a send. */
static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	struct ibv_send_wr wr = { .wr_id = bind->wr_id, .opcode = IBV_WR_BIND_MW, .send_flags = bind->send_flags };
	struct ibv_send_wr *bad_wr;
	int error;

	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = (mw->rkey & ~0xFFu) | ((mw->rkey + 1) & 0xFF);
	wr.bind_mw.bind_info = bind->bind_info;
	error = post_send(qp, &wr, &bad_wr);
	if (!error)
		mw->rkey = wr.bind_mw.rkey;
	return error;
}

static int handles_in_use; /* that were destroyed while a send named them */
static int last_path_bits;

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct handle *handle = make(sizeof *handle);

	handle->ah.context = pd->context;
	handle->ah.pd = pd;
	pthread_mutex_lock(&lock);
	handles++;
	last_path_bits = attr->src_path_bits;
	pthread_mutex_unlock(&lock);
	return &handle->ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	struct handle *handle = (struct handle *)ah;
	int error = fails("ibv_destroy_ah");
	int in_use;

	if (error)
		return error;
	pthread_mutex_lock(&lock);
	in_use = handle->posted;
	handles--;
	handles_in_use += in_use != 0;
	if (in_use) /* the device reads it still: as memory of nobody's */
		objects--;
	pthread_mutex_unlock(&lock);
	if (!in_use)
		destroy(handle);
	return 0;
}

/* The way back by the header in front of a datagram: of version 6, or an IPv4 header in the second half. */
int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num, struct ibv_wc *wc, struct ibv_grh *grh,
			struct ibv_ah_attr *attr)
{
	const uint8_t *raw = (const uint8_t *)grh;
	uint32_t first = ntohl(grh->version_tclass_flow);
	union ibv_gid own = grh->dgid, each;
	int error = fails("ibv_init_ah_from_wc");

	if (error)
		return -1;
	memset(attr, 0, sizeof *attr);
	attr->dlid = wc->slid;
	attr->sl = wc->sl;
	attr->src_path_bits = wc->dlid_path_bits;
	attr->port_num = port_num;
	if (!(wc->wc_flags & IBV_WC_GRH))
		return 0;
	attr->is_global = 1;
	attr->grh.dgid = grh->sgid;
	attr->grh.flow_label = first & 0xFFFFF;
	attr->grh.traffic_class = first >> 20;
	attr->grh.hop_limit = grh->hop_limit;
	if (first >> 28 != 6) {
		memset(&attr->grh.dgid, 0, sizeof attr->grh.dgid);
		memset(attr->grh.dgid.raw + 10, 0xFF, 2);
		own = attr->grh.dgid;
		memcpy(attr->grh.dgid.raw + 12, raw + 32, 4);
		memcpy(own.raw + 12, raw + 36, 4);
		attr->grh.traffic_class = raw[21];
		attr->grh.hop_limit = raw[28];
	}
	for (int i = 0; !ibv_query_gid(context, port_num, i, &each); i++) {
		if (!memcmp(&each, &own, sizeof own)) {
			attr->grh.sgid_index = i;
			return 0;
		}
	}
	return -1;
}

/*
 * Blocks of 64 bytes that the ring of sends of a connection may have, sized as by mlx5_calc_sq_size() of rdma-core:
 * requests of one size each, in a ring that is a power of two. 0: rings of any size, of no more than was asked for.
 */
static int ring_blocks;

/* Returns how many requests the ring has that was asked for, -1 if it is too large. */
static int sized_sends(struct ibv_qp_cap *cap)
{
	size_t pieces = 192 + 16 * (size_t)cap->max_send_sge, bytes = 64; /* a bind of a window takes 192 */
	size_t within = cap->max_inline_data ? 192 + ((4 + (size_t)cap->max_inline_data + 15) & ~15UL) : 0;
	size_t request = ((pieces > within ? pieces : within) + 63) & ~63UL;

	while (bytes < cap->max_send_wr * request)
		bytes *= 2;
	return bytes / 64 > (size_t)ring_blocks ? -1 : (int)(bytes / request);
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct pair *pair;
	int sends = ring_blocks ? sized_sends(&attr->cap) : 0;

	if (fails("ibv_create_qp"))
		return NULL;
	/* the address of a datagram takes room of its payload, as in mlx5 */
	if (inline_refusal &&
	    attr->cap.max_inline_data > INLINE_BYTES - (attr->qp_type == IBV_QPT_UD ? UD_ADDRESS_BYTES : 0)) {
		errno = inline_refusal;
		return NULL;
	}
	if (sends < 0) {
		errno = EINVAL;
		return NULL;
	}
	if (sends)
		attr->cap.max_send_wr = sends;
	pair = make(sizeof *pair);
	pair->qp.context = pd->context;
	pair->qp.pd = pd;
	pair->qp.send_cq = attr->send_cq;
	pair->qp.recv_cq = attr->recv_cq;
	pair->qp.srq = attr->srq;
	pair->qp.qp_type = attr->qp_type;
	pair->qp.state = IBV_QPS_RESET;
	pair->ece = device_ece;
	pair->depth = sends;
	pthread_mutex_lock(&lock);
	pair->qp.handle = next_number++;
	pair->qp.qp_num = next_qp_number++;
	pair->next = pairs;
	pairs = pair;
	pthread_mutex_unlock(&lock);
	return &pair->qp;
}

/* What the last post by calls was, for people. */
static char posted_by_calls[200];
static uint64_t made_for; /* of the last extended queue pair */

static struct ibv_send_wr *started(struct ibv_qp_ex *qp)
{
	struct pair *pair = (struct pair *)qp;

	if (pair->starts != 1) {
		fprintf(stderr, "stub: a post was not started\n");
		abort();
	}
	pair->started.wr_id = qp->wr_id;
	pair->started.send_flags = qp->wr_flags;
	return &pair->started;
}

static void wr_start(struct ibv_qp_ex *qp)
{
	struct pair *pair = (struct pair *)qp;

	if (pair->starts++) {
		fprintf(stderr, "stub: a post was not completed\n");
		abort();
	}
	memset(&pair->started, 0, sizeof pair->started);
}

static void wr_atomic_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, const void *value)
{
	started(qp)->opcode = WR_ATOMIC_WRITE;
	snprintf(posted_by_calls, sizeof posted_by_calls, "atomic write of %016llx to %016llx of %08x",
		 *(const unsigned long long *)value, (unsigned long long)remote_addr, rkey);
}

static void wr_flush(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, size_t len, uint8_t type, uint8_t level)
{
	started(qp)->opcode = WR_FLUSH;
	snprintf(posted_by_calls, sizeof posted_by_calls, "flush of %zu at %016llx of %08x type %d level %d", len,
		 (unsigned long long)remote_addr, rkey, type, level);
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	started(qp);
	((struct pair *)qp)->starts--;
}

static int wr_complete(struct ibv_qp_ex *qp)
{
	struct ibv_send_wr *bad;
	int error = post_send(&qp->qp_base, started(qp), &bad);

	((struct pair *)qp)->starts--;
	return error == ENOMEM ? ENOSPC : error; /* as rxe */
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct pair *pair;

	if (fails("ibv_create_qp_ex"))
		return NULL;
	if (attr->qp_type == IBV_QPT_XRC_RECV) {
		if (attr->comp_mask == IBV_QP_INIT_ATTR_XRCD && attr->xrcd->context == context)
			return make_xrc_receiver(context, (struct xrc_domain *)attr->xrcd);
		errno = EINVAL;
		return NULL;
	}
	if (attr->comp_mask != (IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS) ||
	    attr->send_ops_flags & ~(EX_WITH_FLUSH | EX_WITH_ATOMIC_WRITE)) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	pair = (struct pair *)ibv_create_qp(attr->pd, (struct ibv_qp_init_attr *)attr);
	if (!pair)
		return NULL;
	made_for = attr->send_ops_flags;
	pair->is_extended = 1;
	pair->extended.wr_start = wr_start;
	pair->extended.wr_complete = wr_complete;
	pair->extended.wr_abort = wr_abort;
	if (made_for & EX_WITH_ATOMIC_WRITE)
		pair->extended.wr_atomic_write = wr_atomic_write;
	if (made_for & EX_WITH_FLUSH)
		*(void **)(pair->room + WR_FLUSH_AT) = (void *)wr_flush;
	return &pair->qp;
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	return ((struct pair *)qp)->is_extended ? (struct ibv_qp_ex *)qp : NULL;
}

/* Says what the last post by calls was. */
int stub_posted_by_calls(char *to, int size)
{
	return snprintf(to, size, "%s", posted_by_calls);
}

/* Says what the last extended queue pair was made for, IBV_QP_EX_WITH_... */
int stub_made_for(void)
{
	return (int)made_for;
}

static void set_attributes(struct ibv_qp_attr *set, struct ibv_qp_attr *attr, int mask)
{
	if (mask & IBV_QP_CUR_STATE)
		set->cur_qp_state = attr->cur_qp_state;
	if (mask & IBV_QP_EN_SQD_ASYNC_NOTIFY)
		set->en_sqd_async_notify = attr->en_sqd_async_notify;
	if (mask & IBV_QP_ACCESS_FLAGS)
		set->qp_access_flags = attr->qp_access_flags;
	if (mask & IBV_QP_PKEY_INDEX)
		set->pkey_index = attr->pkey_index;
	if (mask & IBV_QP_PORT)
		set->port_num = attr->port_num;
	if (mask & IBV_QP_QKEY)
		set->qkey = attr->qkey;
	if (mask & IBV_QP_AV)
		set->ah_attr = attr->ah_attr;
	if (mask & IBV_QP_PATH_MTU)
		set->path_mtu = attr->path_mtu;
	if (mask & IBV_QP_TIMEOUT)
		set->timeout = attr->timeout;
	if (mask & IBV_QP_RETRY_CNT)
		set->retry_cnt = attr->retry_cnt;
	if (mask & IBV_QP_RNR_RETRY)
		set->rnr_retry = attr->rnr_retry;
	if (mask & IBV_QP_RQ_PSN)
		set->rq_psn = attr->rq_psn;
	if (mask & IBV_QP_MAX_QP_RD_ATOMIC)
		set->max_rd_atomic = attr->max_rd_atomic;
	if (mask & IBV_QP_MIN_RNR_TIMER)
		set->min_rnr_timer = attr->min_rnr_timer;
	if (mask & IBV_QP_SQ_PSN)
		set->sq_psn = attr->sq_psn;
	if (mask & IBV_QP_MAX_DEST_RD_ATOMIC)
		set->max_dest_rd_atomic = attr->max_dest_rd_atomic;
	if (mask & IBV_QP_DEST_QPN)
		set->dest_qp_num = attr->dest_qp_num;
	if (mask & IBV_QP_PATH_MIG_STATE)
		set->path_mig_state = attr->path_mig_state;
	if (mask & IBV_QP_ALT_PATH) {
		set->alt_ah_attr = attr->alt_ah_attr;
		set->alt_port_num = attr->alt_port_num;
		set->alt_pkey_index = attr->alt_pkey_index;
		set->alt_timeout = attr->alt_timeout;
	}
}

int stub_async(uint32_t qp_number, int type);

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	int error = fails("ibv_modify_qp");
	int drained;

	if (error)
		return error;
	pthread_mutex_lock(&lock);
	if (mask & IBV_QP_STATE)
		qp->state = attr->qp_state;
	set_attributes(&((struct pair *)qp)->set, attr, mask);
	if (qp->state == IBV_QPS_ERR)
		release((struct pair *)qp, IBV_WC_WR_FLUSH_ERR);
	if (qp->state == IBV_QPS_RESET)
		drop((struct pair *)qp);
	drained = mask & IBV_QP_STATE && qp->state == IBV_QPS_SQD && mask & IBV_QP_EN_SQD_ASYNC_NOTIFY &&
		attr->en_sqd_async_notify && !((struct pair *)qp)->count;
	pthread_mutex_unlock(&lock);
	if (drained)
		stub_async(qp->qp_num, IBV_EVENT_SQ_DRAINED);
	return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init_attr)
{
	int error = fails("ibv_query_qp");

	if (error)
		return error;
	*attr = ((struct pair *)qp)->set;
	memset(init_attr, 0, sizeof *init_attr);
	attr->qp_state = attr->cur_qp_state = fails("state of a queue pair") ? IBV_QPS_UNKNOWN : qp->state;
	attr->sq_draining = qp->state == IBV_QPS_SQD && ((struct pair *)qp)->count > 0;
	return 0;
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	int error = fails("ibv_attach_mcast");

	if (!error)
		__atomic_add_fetch(&groups, 1, __ATOMIC_SEQ_CST);
	return error;
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	int error = fails("ibv_detach_mcast");

	if (!error)
		__atomic_sub_fetch(&groups, 1, __ATOMIC_SEQ_CST);
	return error;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct pair **at = &pairs;
	struct timespec limit;
	int error = fails("ibv_destroy_qp");

	if (qp->send_cq)
		require_polling(qp->send_cq, 0);
	if (qp->recv_cq)
		require_polling(qp->recv_cq, 0);
	if (error)
		return error;
	clock_gettime(CLOCK_REALTIME, &limit);
	limit.tv_sec += PATIENCE_SECONDS;
	pthread_mutex_lock(&lock);
	while (((struct pair *)qp)->unacknowledged && !error)
		error = pthread_cond_timedwait(&changed, &lock, &limit);
	if (error) {
		pthread_mutex_unlock(&lock);
		return EDEADLK; /* it would wait for ever */
	}
	while (*at != (struct pair *)qp)
		at = &(*at)->next;
	*at = (*at)->next;
	drop((struct pair *)qp);
	pthread_mutex_unlock(&lock);
	destroy(qp);
	return 0;
}

/* librdmacm: ids whose addresses resolve at once to the device above, and peers that answer when the test says so. */

struct channel {
	struct rdma_event_channel channel;
	struct event *events;
};

struct id {
	struct rdma_cm_id id;
	struct channel *channel;
	int unacknowledged;
	uint8_t ack_timeout; /* as rdma_set_option set it */
	struct id *next;
};

struct event {
	struct rdma_cm_event event;
	struct event *next;
};

static struct ibv_context *cm_context;
static struct id *ids;
static uint16_t next_port = 20000;
static int answers_accepts = 1;
static int obliging; /* peers answer requests to connect and to disconnect at once */
static int accepts;
static int connects;
static int disconnects;
static int disconnects_held;
static int depths = 1;

/* Under the lock, as all with this mark. */
static void raise_event(struct id *to, struct id *listener, enum rdma_cm_event_type type, int status)
{
	struct id *receiver = listener ? listener : to;
	struct event *event = calloc(1, sizeof *event);
	struct event **at = &receiver->channel->events;
	uint64_t one = 1;

	event->event.id = &to->id;
	event->event.listen_id = listener ? &listener->id : NULL;
	event->event.event = type;
	event->event.status = status;
	if (to->id.ps == RDMA_PS_UDP) {
		event->event.param.ud.ah_attr.is_global = 1;
		event->event.param.ud.ah_attr.port_num = 1; /* as the kernel: the port that the id resolved to */
		event->event.param.ud.qp_num = 0xFFFFFF;
		event->event.param.ud.qkey = RDMA_UDP_QKEY;
	} else {
		event->event.param.conn.responder_resources = depths;
		event->event.param.conn.initiator_depth = depths;
	}
	to->unacknowledged++;
	while (*at)
		at = &(*at)->next;
	*at = event;
	if (write(receiver->channel->channel.fd, &one, sizeof one) != sizeof one)
		abort();
}

static void raise_locking(struct rdma_cm_id *id, enum rdma_cm_event_type type)
{
	pthread_mutex_lock(&lock);
	raise_event((struct id *)id, NULL, type, 0);
	pthread_mutex_unlock(&lock);
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
	static struct ibv_context cm_device = { .device = &device };
	struct channel *channel = fails("rdma_create_event_channel") ? NULL : calloc(1, sizeof *channel);

	if (!channel)
		return NULL;
	channel->channel.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	pthread_mutex_lock(&lock);
	cm_context = &cm_device;
	pthread_mutex_unlock(&lock);
	return &channel->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
	pthread_mutex_lock(&lock);
	for (struct id *id = ids; id; id = id->next)
		if (id->id.channel == channel)
			id->channel = NULL;
	pthread_mutex_unlock(&lock);
	syscall(SYS_close, channel->fd);
	free(channel);
}

/* Under the lock. */
static struct id *make_id(struct channel *channel, enum rdma_port_space ps)
{
	struct id *id = calloc(1, sizeof *id);

	id->channel = channel;
	id->id.ps = ps;
	id->id.channel = &channel->channel;
	id->next = ids;
	ids = id;
	return id;
}

/* Under the lock. */
static void bind_id(struct id *id, uint16_t port)
{
	struct sockaddr_in *source = (struct sockaddr_in *)&id->id.route.addr.src_storage;

	id->id.verbs = cm_context;
	source->sin_family = AF_INET;
	source->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	source->sin_port = htons(port ? port : next_port++);
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context, enum rdma_port_space ps)
{
	if (fails("rdma_create_id"))
		return -1;
	pthread_mutex_lock(&lock);
	*id = &make_id((struct channel *)channel, ps)->id;
	pthread_mutex_unlock(&lock);
	return 0;
}

static int keeps_ids;

int rdma_destroy_id(struct rdma_cm_id *cm_id)
{
	struct id *id = (struct id *)cm_id;
	struct id **at = &ids;

	if (fails("rdma_destroy_id"))
		return -1;
	pthread_mutex_lock(&lock);
	while (id->unacknowledged || keeps_ids)
		pthread_cond_wait(&changed, &lock);
	while (*at != id)
		at = &(*at)->next;
	*at = id->next;
	pthread_mutex_unlock(&lock);
	free(id);
	return 0;
}

int rdma_set_option(struct rdma_cm_id *id, int level, int name, void *value, size_t length)
{
	if (fails("rdma_set_option"))
		return -1;
	if (level == RDMA_OPTION_ID && name == RDMA_OPTION_ID_ACK_TIMEOUT)
		((struct id *)id)->ack_timeout = *(uint8_t *)value;
	return 0;
}

int rdma_set_local_ece(struct rdma_cm_id *id, struct ibv_ece *ece)
{
	told_ece = *ece;
	return fails("rdma_set_local_ece") ? -1 : 0;
}

int rdma_get_remote_ece(struct rdma_cm_id *id, struct ibv_ece *ece)
{
	*ece = remote_ece;
	return fails("rdma_get_remote_ece") ? -1 : 0;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
	pthread_mutex_lock(&lock);
	bind_id((struct id *)id, ntohs(((struct sockaddr_in *)address)->sin_port));
	pthread_mutex_unlock(&lock);
	return 0;
}

int rdma_listen(struct rdma_cm_id *id, int backlog)
{
	return fails("rdma_listen") ? -1 : 0;
}

int rdma_resolve_addr(struct rdma_cm_id *id, struct sockaddr *source, struct sockaddr *destination, int millis)
{
	pthread_mutex_lock(&lock);
	bind_id((struct id *)id, 0);
	memcpy(&id->route.addr.dst_storage, destination, sizeof(struct sockaddr_in));
	pthread_mutex_unlock(&lock);
	raise_locking(id, RDMA_CM_EVENT_ADDR_RESOLVED);
	return 0;
}

int rdma_resolve_route(struct rdma_cm_id *id, int millis)
{
	raise_locking(id, RDMA_CM_EVENT_ROUTE_RESOLVED);
	return 0;
}

int rdma_init_qp_attr(struct rdma_cm_id *id, struct ibv_qp_attr *attr, int *mask)
{
	if (fails("rdma_init_qp_attr"))
		return -1;
	*mask = IBV_QP_STATE;
	if (attr->qp_state == IBV_QPS_RTR) {
		attr->ah_attr.is_global = 1;
		attr->ah_attr.grh.traffic_class = 4; /* the peer's */
		*mask |= IBV_QP_AV | IBV_QP_MIN_RNR_TIMER;
		attr->min_rnr_timer = 0; /* as the kernel's cm.c has it */
	}
	if (attr->qp_state == IBV_QPS_RTS) {
		attr->timeout = ((struct id *)id)->ack_timeout ? ((struct id *)id)->ack_timeout : 18; /* the route's */
		*mask |= IBV_QP_TIMEOUT;
	}
	if (attr->qp_state != IBV_QPS_INIT)
		return 0;
	attr->port_num = 1;
	attr->qkey = RDMA_UDP_QKEY;
	attr->qp_access_flags = IBV_ACCESS_REMOTE_WRITE; /* as the kernel's cm.c has it */
	*mask |= IBV_QP_PKEY_INDEX | IBV_QP_PORT | (id->ps == RDMA_PS_UDP ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS);
	return 0;
}

int rdma_connect(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	pthread_mutex_lock(&lock);
	connects++;
	pthread_mutex_unlock(&lock);
	if (fails("rdma_connect"))
		return -1;
	if (obliging)
		raise_locking(id, RDMA_CM_EVENT_ESTABLISHED);
	return 0;
}

int rdma_accept(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	pthread_mutex_lock(&lock);
	accepts++;
	pthread_mutex_unlock(&lock);
	if (answers_accepts)
		raise_locking(id, RDMA_CM_EVENT_ESTABLISHED);
	return 0;
}

/* The kernel takes the message for the confirmation of the peer. */
int rdma_notify(struct rdma_cm_id *id, enum ibv_event_type event)
{
	if (event == IBV_EVENT_COMM_EST)
		raise_locking(id, RDMA_CM_EVENT_ESTABLISHED);
	return 0;
}

int rdma_establish(struct rdma_cm_id *id)
{
	return fails("rdma_establish") ? -1 : 0;
}

int rdma_reject(struct rdma_cm_id *id, const void *data, uint8_t length)
{
	return 0;
}

int rdma_disconnect(struct rdma_cm_id *id)
{
	pthread_mutex_lock(&lock);
	disconnects++;
	while (disconnects_held)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	if (obliging)
		raise_locking(id, RDMA_CM_EVENT_DISCONNECTED);
	return 0;
}

int rdma_join_multicast(struct rdma_cm_id *id, struct sockaddr *address, void *context)
{
	if (fails("rdma_join_multicast"))
		return -1;
	raise_locking(id, RDMA_CM_EVENT_MULTICAST_JOIN);
	return 0;
}

int rdma_leave_multicast(struct rdma_cm_id *id, struct sockaddr *address)
{
	return 0;
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **event)
{
	struct channel *from = (struct channel *)channel;
	struct event *first;
	uint64_t count;

	pthread_mutex_lock(&lock);
	first = from->events;
	if (first) {
		from->events = first->next;
		if (read(channel->fd, &count, sizeof count) != sizeof count)
			abort();
	}
	pthread_mutex_unlock(&lock);
	if (!first) {
		errno = EAGAIN;
		return -1;
	}
	*event = &first->event;
	return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	int error = fails("rdma_ack_cm_event");

	pthread_mutex_lock(&lock);
	((struct id *)event->id)->unacknowledged--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	free(event);
	errno = error;
	return error ? -1 : 0;
}

/* What benchmarks say. */

/* Has every post and every notify of an idle device return this. */
void stub_post_result(int result)
{
	idle_result = result;
}

/* Has every poll of an idle device bring so many completions. */
void stub_completions(int count)
{
	idle_completions = count;
}

/* What tests say. */

/* Has calls of a function fail, after some that do not. */
void stub_fail(const char *call, int error, int after, int times)
{
	pthread_mutex_lock(&lock);
	strncpy(failing.call, call, sizeof failing.call - 1);
	failing.error = error;
	failing.after = after;
	failing.times = times;
	pthread_mutex_unlock(&lock);
}

/* Says what the device speaks, an enum ibv_transport_type: iWARP unless it is said. */
int stub_transport(int type)
{
	device.transport_type = type;
	return 0;
}

/* Says what a port is: its state, and the codes of its lanes and of their speed. */
int stub_port(int number, int state, int width, int speed)
{
	pthread_mutex_lock(&lock);
	ports[number - 1].state = state;
	ports[number - 1].width = width;
	ports[number - 1].speed = speed;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Puts the GID of an IPv4 address into a slot of a port's table, with its type and network interface; 0 empties it. */
int stub_gid(int number, int index, int address, int type, int ifindex)
{
	struct ibv_gid_entry entry = {
		.gid_index = index, .port_num = number, .gid_type = type, .ndev_ifindex = ifindex,
	};
	struct ibv_gid_entry none = {};

	entry.gid.raw[10] = entry.gid.raw[11] = 0xFF;
	*(uint32_t *)&entry.gid.raw[12] = htonl(address);
	pthread_mutex_lock(&lock);
	ports[number - 1].gids[index] = address ? entry : none;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Puts a key into a slot of a port's table of partition keys; 0 empties it. */
int stub_pkey(int number, int index, int key)
{
	pthread_mutex_lock(&lock);
	ports[number - 1].pkeys[index] = key;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Keeps a queue pair's sends from completing, or has them complete. */
int stub_hold(uint32_t qp_number, int held)
{
	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next) {
		if (pair->qp.qp_num != qp_number)
			continue;
		pair->is_held = held;
		if (!held)
			release(pair, IBV_WC_SUCCESS);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Has unsignaled sends of all queue pairs be done without a completion, or with one again. */
int stub_silent(int be_silent)
{
	pthread_mutex_lock(&lock);
	silent = be_silent;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Gives a queue pair room for so many held sends. */
int stub_depth(uint32_t qp_number, int depth)
{
	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next)
		if (pair->qp.qp_num == qp_number)
			pair->depth = depth;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Says how many sends of a queue pair are held. */
int stub_held(uint32_t qp_number)
{
	int count = 0;

	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next)
		if (pair->qp.qp_num == qp_number)
			count += pair->count;
	pthread_mutex_unlock(&lock);
	return count;
}

/* Says how many sends of a queue pair have completed. */
int stub_completed(uint32_t qp_number)
{
	int count = 0;

	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next)
		if (pair->qp.qp_num == qp_number)
			count += pair->completed;
	pthread_mutex_unlock(&lock);
	return count;
}

/* Forgets the receives that were posted, of all queues, and has room for so many more; below 0: without end. */
int stub_receive_room(int room)
{
	pthread_mutex_lock(&lock);
	memset(&receives, 0, sizeof receives);
	receives.room = room < 0 ? INT_MAX : room;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Say how often receives were posted since then, how many there are, and of one, from 0, its id and what it has. */
int stub_receive_calls(void)
{
	return receives.calls;
}

int stub_receives(void)
{
	return receives.count;
}

int stub_receive_id(int index)
{
	return (int)receives.last[index].wr_id;
}

int stub_receive_pieces(int index)
{
	return receives.last[index].num_sge;
}

int stub_receive_octets(int index)
{
	return (int)receives.last[index].octets;
}

/* Gives the device a clock of so many kHz, at 0, which goes on by so many ticks with each reading; 0 kHz: none. */
int stub_clock(int khz, int step)
{
	clock_khz = khz;
	rare.ticks = 0;
	rare.step = step;
	return 0;
}

/* Say what the last advice was, how it was to be taken, and of how many octets. */
int stub_advice(void)
{
	return rare.advice;
}

int stub_advice_flags(void)
{
	return rare.advice_flags;
}

int stub_advised(void)
{
	return rare.advised;
}

/* Say what was changed of a registration last, the rights of the last one, and the page of its tagged offset. */
int stub_changes(void)
{
	return rare.changes;
}

int stub_access(void)
{
	return rare.access;
}

int stub_iova_page(void)
{
	return rare.iova_page;
}

/* Gives new queue pairs options of a vendor's, and peers theirs; forgets what was told. */
int stub_ece(int vendor, int options, int remote_vendor, int remote_options)
{
	device_ece = (struct ibv_ece) { .vendor_id = vendor, .options = options };
	remote_ece = (struct ibv_ece) { .vendor_id = remote_vendor, .options = remote_options };
	told_ece = (struct ibv_ece) {};
	return 0;
}

/* Says which options a peer was told last, 0 if none was. */
int stub_told_ece(void)
{
	return told_ece.options;
}

/* Says how many objects are imported. */
int stub_imports(void)
{
	return imports;
}

/* Says what the header makes of a flow label. */
int stub_udp_sport(int label)
{
	return ibv_flow_label_to_udp_sport(label);
}

/* Says to how many groups queue pairs are attached. */
int stub_groups(void)
{
	return __atomic_load_n(&groups, __ATOMIC_SEQ_CST);
}

/* How many address handles there are. */
int stub_handles(void)
{
	return __atomic_load_n(&handles, __ATOMIC_SEQ_CST);
}

/* How many address handles were destroyed while a send named them. */
int stub_handles_in_use(void)
{
	return __atomic_load_n(&handles_in_use, __ATOMIC_SEQ_CST);
}

/* With which own path bits the last address handle was made. */
int stub_path_bits(void)
{
	return last_path_bits;
}

/* Completes a receive of a queue pair, as from the queue pair source: drivers say one of any transport. */
int stub_vector(void)
{
	return last_vector;
}

int stub_parent_queues(void)
{
	return parent_queues;
}

int stub_srq_max_wr(void)
{
	return srq_max_wr;
}

/* Copies what the compiler reads of the last flow to a place of so much room, and returns its length. */
int stub_flow(char *into, int room)
{
	return snprintf(into, room, "%s", flow_text);
}

/* Has packets come by each flow that has counters. */
int stub_flow_packets(int packets, int bytes)
{
	for (struct counters *each = all_counters; each; each = each->next) {
		each->packets += (uint64_t)each->bound * packets;
		each->bytes += (uint64_t)each->bound * bytes;
	}
	return 0;
}

int stub_flows(void)
{
	return flows;
}

/* Says what the last limit of a rate was: 0 the rate, 1 the burst, 2 the packet, 3 the mask. */
int stub_rate_limit(int which)
{
	uint32_t of[] = { rate_limit.rate_limit, rate_limit.max_burst_sz, rate_limit.typical_pkt_sz,
			  rate_limit.comp_mask };

	return of[which];
}

int stub_send_flags(void)
{
	return send_flags;
}

int stub_receive(uint32_t qp_number, uint32_t source)
{
	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next) {
		struct ibv_wc wc = { .opcode = IBV_WC_RECV, .byte_len = 64, .qp_num = qp_number, .src_qp = source,
				     .slid = SLID, .sl = SERVICE_LEVEL, .dlid_path_bits = DLID_PATH_BITS,
				     .wc_flags = IBV_WC_GRH };

		if (pair->qp.qp_type == IBV_QPT_RAW_PACKET)
			wc.wc_flags = source ? IBV_WC_IP_CSUM_OK : 0;
		if (pair->qp.qp_num == qp_number)
			complete(pair->qp.recv_cq, &wc, IBV_WC_SUCCESS);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Raises an asynchronous event of a queue pair, or of the completion queue of its sends if it is of that type. */
int stub_async(uint32_t qp_number, int type)
{
	uint64_t one = 1;

	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next) {
		if (pair->qp.qp_num != qp_number)
			continue;
		if (type == IBV_EVENT_CQ_ERR)
			pair_event.element.cq = pair->qp.send_cq;
		else
			pair_event.element.qp = &pair->qp;
		pair_event.event_type = type;
		pair_events++;
		if (write(pair->qp.context->async_fd, &one, sizeof one) != sizeof one)
			abort();
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Says in which state a queue pair was last taken to be, by IBV_QP_CUR_STATE. */
int stub_current_state(uint32_t qp_number)
{
	int state = 0;

	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next)
		if (pair->qp.qp_num == qp_number)
			state = pair->set.cur_qp_state;
	pthread_mutex_unlock(&lock);
	return state;
}

/*
 * Takes the device away as uverbs of Linux does: its event is DEVICE_FATAL, every command has EIO, posts reach nothing.
 * Told is whether the event comes; 0 removed brings it back.
 */
int stub_remove(int is_removed, int told)
{
	uint64_t one = 1;

	pthread_mutex_lock(&lock);
	removed = is_removed ? 2 - told : 0;
	pthread_mutex_unlock(&lock);
	if (!is_removed)
		return 0;
	if (told && write(async_fd, &one, sizeof one) != sizeof one)
		abort();
	if (channel_fd && write(channel_fd, &one, sizeof one) != sizeof one) /* a wait is woken up, and asks */
		abort();
	channel_fd = 0;
	return 0;
}

/* Has a queue pair fail by itself. */
int stub_break(uint32_t qp_number)
{
	pthread_mutex_lock(&lock);
	for (struct pair *pair = pairs; pair; pair = pair->next) {
		if (pair->qp.qp_num != qp_number)
			continue;
		pair->qp.state = IBV_QPS_ERR;
		release(pair, IBV_WC_RETRY_EXC_ERR);
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Has queue pairs for more inline data than INLINE_BYTES refused with this error; 0: none is too much. */
int stub_inline_refusal(int error)
{
	inline_refusal = error;
	return 0;
}

/* Gives rings of sends so many blocks of 64 bytes at most; 0: any. */
int stub_ring_blocks(int blocks)
{
	ring_blocks = blocks;
	return 0;
}

/* Gives the next queue pair this number. */
int stub_next_qp_number(uint32_t number)
{
	pthread_mutex_lock(&lock);
	next_qp_number = number;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Has accepted connections established at once, or never. */
int stub_answer_accepts(int answer)
{
	answers_accepts = answer;
	return 0;
}

/* Has rdma_destroy_id wait, as the kernel does while its set-up of a connection has no answer. */
int stub_keep_ids(int keep)
{
	pthread_mutex_lock(&lock);
	keeps_ids = keep;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Has requests to connect and to disconnect answered at once, or never. */
int stub_oblige(int oblige)
{
	obliging = oblige;
	return 0;
}

/* Has events tell of this many Reads and Atomics in either direction. */
int stub_depths(int value)
{
	depths = value;
	return 0;
}

/* Say how often rdma_connect, rdma_accept and rdma_disconnect were called. */
int stub_connects(void)
{
	return connects;
}

int stub_accepts(void)
{
	return accepts;
}

int stub_disconnects(void)
{
	return disconnects;
}

/* Keeps calls of rdma_disconnect in the kernel, or lets them return. */
int stub_hold_disconnects(int held)
{
	pthread_mutex_lock(&lock);
	disconnects_held = held;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Keeps calls of close in libc, with the descriptor closed, or lets them return. */
int stub_hold_closes(int held)
{
	pthread_mutex_lock(&lock);
	closes_held = held;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Says how many calls of close are kept. */
int stub_held_closes(void)
{
	int count;

	pthread_mutex_lock(&lock);
	count = closes_held ? closes_waiting : 0;
	pthread_mutex_unlock(&lock);
	return count;
}

/* Says how often a descriptor was written to that was closed. */
int stub_stale_writes(void)
{
	return __atomic_load_n(&stale_writes, __ATOMIC_SEQ_CST);
}

/* Raises count asynchronous events of the port of the device that was opened last. */
int stub_async_events(int count)
{
	uint64_t events = count;

	return write(async_fd, &events, sizeof events) == sizeof events;
}

/* Says how many of them were taken. */
int stub_async_taken(void)
{
	return __atomic_load_n(&async_taken, __ATOMIC_SEQ_CST);
}

/* Says how often a completion queue was polled. */
int stub_cq_polls(void)
{
	return cq_polls;
}

/* Says how many threads wait in poll. */
int stub_polls(void)
{
	return __atomic_load_n(&polls, __ATOMIC_SEQ_CST);
}

/* Says how many objects of libibverbs there are. */
int stub_objects(void)
{
	return objects;
}

/* Says how many ids there are. */
int stub_ids(void)
{
	int count = 0;

	pthread_mutex_lock(&lock);
	for (struct id *id = ids; id; id = id->next)
		count++;
	pthread_mutex_unlock(&lock);
	return count;
}

/* Forgets the ids whose channel was destroyed before them, and says how many they were. */
int stub_forget_orphans(void)
{
	int count = 0;

	pthread_mutex_lock(&lock);
	for (struct id **at = &ids; *at;) {
		struct id *id = *at;

		if (id->channel) {
			at = &id->next;
			continue;
		}
		*at = id->next;
		free(id);
		count++;
	}
	pthread_mutex_unlock(&lock);
	return count;
}

/* Raises an event for the id that has the local port; 0 if there is none. */
int stub_event(int port, int type, int status)
{
	int found = 0;

	pthread_mutex_lock(&lock);
	for (struct id *id = ids; id; id = id->next) {
		if (ntohs(((struct sockaddr_in *)&id->id.route.addr.src_storage)->sin_port) != port)
			continue;
		raise_event(id, NULL, type, status);
		found = 1;
		break;
	}
	pthread_mutex_unlock(&lock);
	return found;
}

/* Says the local port of the id that was made last, 0 if it has none. */
int stub_last_port(void)
{
	int port;

	pthread_mutex_lock(&lock);
	port = ids ? ntohs(((struct sockaddr_in *)&ids->id.route.addr.src_storage)->sin_port) : 0;
	pthread_mutex_unlock(&lock);
	return port;
}

/* Has a peer ask for a connection at the listener that has the local port; returns the local port of the request's id. */
int stub_request(int port)
{
	int child_port = 0;

	pthread_mutex_lock(&lock);
	for (struct id *id = ids; id; id = id->next) {
		struct sockaddr_in *peer;
		struct id *child;

		if (ntohs(((struct sockaddr_in *)&id->id.route.addr.src_storage)->sin_port) != port)
			continue;
		child = make_id(id->channel, id->id.ps);
		bind_id(child, 0);
		child_port = ntohs(((struct sockaddr_in *)&child->id.route.addr.src_storage)->sin_port);
		peer = (struct sockaddr_in *)&child->id.route.addr.dst_storage;
		peer->sin_family = AF_INET;
		peer->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		peer->sin_port = htons(9);
		raise_event(child, id, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
		break;
	}
	pthread_mutex_unlock(&lock);
	return child_port;
}
