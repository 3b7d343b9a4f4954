/*
 * A libibverbs whose devices do what they are asked for, within one process: they copy memory between registrations, look
 * at keys, bounds and rights as a responder does, match messages with receives, wait for a peer that has none, and flush
 * what is left when a queue pair fails. Requests are done by the thread that posts them, or that makes them possible, and
 * by one more where time passes. What adapters differ in is in the rows of zoo.c.
 */
#include "zoo.h"
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#undef ibv_query_port /* which the header has in line */
#undef ibv_reg_mr_iova2

#define KEYS (1 << 16)
#define MAX_SGE 64
#define GRH_BYTES 40
#define MAX_FRAME 9216
#define GARBAGE 0x5A5A5A5A /* what completions with errors have where they mean nothing */
#define RNR_WAIT_NANOS 1000000
#define NOT_READY (-1) /* the peer has no receive */
#define UNANSWERED (-2) /* there is no peer, or it is not ready */

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int sickness;

static pthread_cond_t ticking = PTHREAD_COND_INITIALIZER;
static int ticker_runs;
static struct device *devices;
static struct pair *pairs;
static uint32_t next_qp_number = 1;
static int objects;

/* A completion and what its being polled sets free. */
struct entry {
	struct ibv_wc wc;
	struct pair *pair;
	struct receives *receives; /* NULL: of a send */
	uint32_t upto; /* of a send: the places up to here */
	uint64_t nanos;
};

struct queue {
	union {
		struct ibv_cq cq;
		struct ibv_cq_ex extended;
	};
	struct device *device;
	struct comp_channel *of;
	struct entry *entries;
	int capacity;
	int first;
	int count;
	int armed; /* 0, 1 for any completion, 2 for solicited ones */
	int raised; /* events that are in the channel */
	int unacknowledged;
	int unacknowledged_async;
	int users;
	int polling;
	int overrun;
};

struct event {
	struct queue *queue;
	struct event *next;
};

struct comp_channel {
	struct ibv_comp_channel channel;
	struct event *events;
	int users;
};

struct async {
	struct ibv_async_event event;
	struct async *next;
};

struct context {
	struct verbs_context verbs;
	struct device *device;
	struct async *events;
	struct context *next;
};

struct domain {
	struct ibv_pd pd;
	int users;
};

enum key_kind { REGION, WINDOW };

/* What a key gives access to. */
struct key {
	uint32_t value;
	enum key_kind kind;
	int valid;
	struct ibv_pd *pd;
	char *base;
	uint64_t start; /* the address that requests name */
	uint64_t length;
	int access;
	uint32_t qp_number; /* that a window of type 2 is bound to */
	struct region *region; /* that a window is bound to */
};

struct region {
	struct ibv_mr mr;
	struct key key;
	int windows;
};

struct window {
	struct ibv_mw mw;
	struct key key;
};

struct receive {
	uint64_t wr_id;
	int count;
	struct ibv_sge *pieces;
};

/* A receive queue: a queue pair's, or one that several share. */
struct receives {
	struct ibv_srq srq;
	struct device *device;
	struct receive *ring;
	struct ibv_sge *pool;
	uint32_t capacity;
	uint32_t max_sge;
	uint32_t head;
	uint32_t next;
	uint32_t tail;
	uint32_t limit;
	int users;
	int unacknowledged;
};

struct request {
	struct ibv_send_wr wr;
	struct ibv_ah_attr to;
	uint64_t dc_key;
	uint32_t inlined; /* octets, behind the pieces */
	int is_inline;
	struct ibv_sge pieces[];
};

/* A request that ibv_wr_complete(3) is to post. */
struct built {
	struct ibv_send_wr wr;
	struct ibv_sge pieces[MAX_SGE];
	uint64_t dc_key;
};

struct builder {
	int count;
	int error;
	struct built all[];
};

struct handle {
	struct ibv_ah ah;
	struct ibv_ah_attr attr;
};

struct attached {
	union ibv_gid gid;
	struct pair *pair;
	struct attached *next;
};

struct piece {
	char *at;
	uint64_t length;
};

static struct key *keys[KEYS];
static struct attached *groups;
static uint64_t seed = 0x9E3779B97F4A7C15;

uint64_t now_nanos(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ull + now.tv_nsec;
}

static uint32_t unpredictable(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (uint32_t)(seed >> 32);
}

static void *make(size_t size)
{
	void *made = calloc(1, size);

	if (made)
		__atomic_add_fetch(&objects, 1, __ATOMIC_SEQ_CST);
	return made;
}

static void destroy(void *object)
{
	__atomic_sub_fetch(&objects, 1, __ATOMIC_SEQ_CST);
	free(object);
}

static void say(int error)
{
	if (error != NOTHING_SAID)
		errno = error;
}

static void *refuse(int error)
{
	say(error);
	return NULL;
}

static struct device *device_of(struct ibv_context *context)
{
	return (struct device *)context->device;
}

static const struct profile *profile_of(struct ibv_context *context)
{
	return device_of(context)->profile;
}

static int is_iwarp(struct device *device)
{
	return device->profile->transport == IBV_TRANSPORT_IWARP;
}

static void signal_fd(int fd)
{
	uint64_t one = 1;

	if (write(fd, &one, sizeof one) != sizeof one)
		abort();
}

/* The sick adapter. */

static int commands;
static int replaced;

/* What a call of a sick device does: waits for ever, or says that the device is gone. Without the lock. Counts calls. */
static int ails(struct device *device)
{
	__atomic_add_fetch(&commands, 1, __ATOMIC_SEQ_CST);
	if (!device->profile->sick)
		return 0;
	pthread_mutex_lock(&lock);
	while (sickness == HANGS)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return sickness == DIES || device->removed ? EIO : 0;
}

/* Asynchronous events; under the lock. */

static void raise_in(struct context *context, struct ibv_async_event event)
{
	struct async *made = calloc(1, sizeof *made);
	struct async **at = &context->events;

	made->event = event;
	while (*at)
		at = &(*at)->next;
	*at = made;
	signal_fd(context->verbs.context.async_fd);
}

static void raise_event(struct ibv_context *context, enum ibv_event_type type, void *element)
{
	struct ibv_async_event event = { .event_type = type };

	event.element.qp = element;
	raise_in((struct context *)((char *)context - offsetof(struct verbs_context, context)), event);
}

void raise_device_event(struct device *device, enum ibv_event_type type)
{
	struct ibv_async_event event = { .event_type = type };

	event.element.port_num = 1;
	for (struct context *context = device->contexts; context; context = context->next)
		raise_in(context, event);
}

/* The events of an object that are taken and not acknowledged. */
static int *unacknowledged(struct ibv_async_event *event)
{
	switch (event->event_type) {
	case IBV_EVENT_CQ_ERR:
		return &((struct queue *)event->element.cq)->unacknowledged_async;
	case IBV_EVENT_QP_FATAL:
	case IBV_EVENT_QP_REQ_ERR:
	case IBV_EVENT_QP_ACCESS_ERR:
	case IBV_EVENT_COMM_EST:
	case IBV_EVENT_SQ_DRAINED:
	case IBV_EVENT_PATH_MIG:
	case IBV_EVENT_PATH_MIG_ERR:
	case IBV_EVENT_QP_LAST_WQE_REACHED:
		return &((struct pair *)event->element.qp)->unacknowledged;
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		return &((struct receives *)event->element.srq)->unacknowledged;
	default:
		return NULL;
	}
}

int ibv_get_async_event(struct ibv_context *ibv, struct ibv_async_event *event)
{
	struct context *context = (struct context *)((char *)ibv - offsetof(struct verbs_context, context));
	struct async *first = NULL;
	uint64_t count;

	while (!first) {
		if (read(ibv->async_fd, &count, sizeof count) != sizeof count)
			return -1;
		pthread_mutex_lock(&lock);
		first = context->events;
		if (first) {
			context->events = first->next;
			*event = first->event;
			if (unacknowledged(event))
				++*unacknowledged(event);
		}
		pthread_mutex_unlock(&lock);
	}
	free(first);
	return 0;
}

void ibv_ack_async_event(struct ibv_async_event *event)
{
	pthread_mutex_lock(&lock);
	if (unacknowledged(event)) {
		--*unacknowledged(event);
		pthread_cond_broadcast(&changed);
	}
	pthread_mutex_unlock(&lock);
}

/* Forgets the events of an object that nobody took. */
static void forget_events(struct ibv_context *ibv, void *element)
{
	struct context *context = (struct context *)((char *)ibv - offsetof(struct verbs_context, context));

	for (struct async **at = &context->events; *at;) {
		struct async *each = *at;

		if (!unacknowledged(&each->event) || each->event.element.qp != element) {
			at = &each->next;
			continue;
		}
		*at = each->next;
		free(each); /* the descriptor stays readable once too often, which a reader outlasts */
	}
}

/* Completions; under the lock. */

static void raise_completion(struct queue *queue)
{
	struct event **at = &queue->of->events;
	struct event *made = calloc(1, sizeof *made);

	made->queue = queue;
	while (*at)
		at = &(*at)->next;
	*at = made;
	queue->raised++;
	signal_fd(queue->of->channel.fd);
}

static void complete(struct queue *queue, const struct entry *entry, int solicited)
{
	struct entry *place;

	if (queue->count == queue->capacity) {
		if (!queue->overrun) {
			queue->overrun = 1;
			raise_event(queue->cq.context, IBV_EVENT_CQ_ERR, queue);
			fail_pair(entry->pair);
		}
		return;
	}
	place = &queue->entries[(queue->first + queue->count++) % queue->capacity];
	*place = *entry;
	place->nanos = now_nanos();
	place->wc.qp_num = entry->pair->qp.qp_num;
	if (entry->wc.status) {
		place->wc.opcode = GARBAGE;
		place->wc.vendor_err = 0x80 + entry->wc.status;
		solicited = 1;
	}
	if (queue->armed == 1 || (queue->armed == 2 && solicited)) {
		queue->armed = 0;
		if (queue->of)
			raise_completion(queue);
	}
}

/* What a completion held is free once it is polled. */
static void polled(struct entry *entry)
{
	if (!entry->pair)
		return;
	if (entry->receives)
		entry->receives->tail++;
	else
		entry->pair->tail = entry->upto;
}

/* Takes the completions of a queue pair that is destroyed or reset out of a queue, as drivers do. */
static void clean(struct queue *queue, struct pair *pair)
{
	int kept = 0;

	if (!queue)
		return;
	for (int i = 0; i < queue->count; i++) {
		struct entry each = queue->entries[(queue->first + i) % queue->capacity];

		if (each.pair == pair) {
			if (each.receives && !pair->owns_receives)
				each.receives->tail++;
			continue;
		}
		queue->entries[(queue->first + kept++) % queue->capacity] = each;
	}
	queue->count = kept;
}

/* Memory; under the lock. */

static struct key *find_key(uint32_t value)
{
	struct key *key = keys[value >> 8 & (KEYS - 1)];

	return key && key->value == value && key->valid ? key : NULL;
}

static int add_key(struct key *key)
{
	for (int tries = 0; tries < KEYS; tries++) {
		uint32_t index = unpredictable() & (KEYS - 1);

		if (index && !keys[index]) {
			keys[index] = key;
			/* Above the index are bits that nobody can guess either. */
			key->value = (unpredictable() & 0xFF000000) | index << 8 | (unpredictable() & 0xFF);
			return 0;
		}
	}
	return ENOMEM;
}

static void remove_key(struct key *key)
{
	keys[key->value >> 8 & (KEYS - 1)] = NULL;
}

static char *within(const struct key *key, uint64_t address, uint64_t length)
{
	if (address < key->start || length > key->length || address - key->start > key->length - length)
		return NULL;
	return key->base + (address - key->start);
}

/* The memory of a request's pieces; returns their number, -1 if they may not be used so. */
static int reach(struct pair *pair, const struct ibv_sge *from, int count, int access, struct piece *into)
{
	int used = 0;

	for (int i = 0; i < count; i++) {
		struct key *key = find_key(from[i].lkey);

		if (!from[i].length)
			continue;
		if (!key || key->kind != REGION || key->pd != pair->qp.pd || (key->access & access) != access)
			return -1;
		into[used].at = within(key, from[i].addr, from[i].length);
		into[used].length = from[i].length;
		if (!into[used++].at)
			return -1;
	}
	return used;
}

static uint64_t total(const struct piece *pieces, int count)
{
	uint64_t sum = 0;

	for (int i = 0; i < count; i++)
		sum += pieces[i].length;
	return sum;
}

/* Copies from some pieces to others, which have room for all. */
static void move(struct piece *to, const struct piece *from, int count)
{
	for (int i = 0; i < count; i++) {
		struct piece left = from[i];

		while (left.length) {
			uint64_t step;

			while (!to->length)
				to++;
			step = left.length < to->length ? left.length : to->length;
			memmove(to->at, left.at, step);
			left.at += step;
			left.length -= step;
			to->at += step;
			to->length -= step;
		}
	}
}

/* Whether peers may do that at a queue pair at all; asked also where no byte is reached, and no key judged. */
static int grants(struct pair *at, int access)
{
	return is_iwarp(at->device) || at->set.qp_access_flags & access;
}

/* What a peer reaches by a key at a queue pair. */
static char *reach_remote(struct pair *at, uint32_t rkey, uint64_t address, uint64_t length, int access)
{
	struct key *key = find_key(rkey);

	if (!key || key->pd != at->qp.pd || !(key->access & access))
		return NULL;
	if (key->qp_number && key->qp_number != at->qp.qp_num)
		return NULL;
	if (!grants(at, access))
		return NULL;
	return within(key, address, length);
}

static int is_valid_bind(struct pair *pair, struct ibv_mw *mw, const struct ibv_mw_bind_info *info)
{
	struct region *region = (struct region *)info->mr;
	uint64_t start = info->addr;

	if (!info->length)
		return 1;
	if (!region || !find_key(region->key.value) || region->key.pd != pair->qp.pd || mw->pd != pair->qp.pd)
		return 0;
	if (!(region->key.access & IBV_ACCESS_MW_BIND) || !within(&region->key, start, info->length))
		return 0;
	return !(info->mw_access_flags & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC)) ||
	       region->key.access & IBV_ACCESS_LOCAL_WRITE;
}

static void unbind(struct window *window)
{
	if (window->key.region)
		window->key.region->windows--;
	window->key.region = NULL;
	window->key.valid = 0;
}

static int bind_now(struct pair *pair, struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *info)
{
	struct window *window = (struct window *)mw;
	struct region *region = (struct region *)info->mr;

	if (!is_valid_bind(pair, mw, info))
		return IBV_WC_MW_BIND_ERR;
	if (mw->type == IBV_MW_TYPE_2 && window->key.valid)
		return IBV_WC_MW_BIND_ERR; /* bound, and to be invalidated first */
	if (rkey >> 8 != window->key.value >> 8)
		return IBV_WC_MW_BIND_ERR;
	unbind(window);
	window->key.value = rkey;
	if (!info->length)
		return IBV_WC_SUCCESS;
	window->key.region = region;
	region->windows++;
	window->key.valid = 1;
	window->key.base = within(&region->key, info->addr, info->length);
	window->key.start = info->mw_access_flags & IBV_ACCESS_ZERO_BASED ? 0 : info->addr;
	window->key.length = info->length;
	window->key.access = info->mw_access_flags;
	window->key.qp_number = mw->type == IBV_MW_TYPE_2 ? pair->qp.qp_num : 0;
	return IBV_WC_SUCCESS;
}

/* Only what was bound to the queue pair can be invalidated by it. */
static int invalidate(struct pair *pair, uint32_t rkey)
{
	struct key *key = find_key(rkey);

	if (!key || key->kind != WINDOW || key->qp_number != pair->qp.qp_num)
		return 0;
	unbind((struct window *)((char *)key - offsetof(struct window, key)));
	return 1;
}

/* Requests; under the lock. */

struct pair *find_pair(uint32_t number)
{
	for (struct pair *pair = pairs; pair; pair = pair->next_pair)
		if (pair->qp.qp_num == number)
			return pair;
	return NULL;
}

static struct request *request_at(struct pair *pair, uint32_t index)
{
	return (struct request *)(pair->ring + pair->stride * (index % pair->places));
}

static struct receive *first_receive(struct pair *pair)
{
	struct receives *from = pair->receives;

	return from->next == from->head ? NULL : &from->ring[from->next % from->capacity];
}

static void complete_receive(struct pair *pair, struct receive *receive, struct ibv_wc wc, int solicited)
{
	struct receives *from = pair->receives;
	struct entry entry = { .wc = wc, .pair = pair, .receives = from };

	entry.wc.wr_id = receive->wr_id;
	from->next++;
	complete((struct queue *)pair->qp.recv_cq, &entry, solicited);
	if (!pair->owns_receives && from->limit && from->head - from->next < from->limit) {
		from->limit = 0;
		raise_event(from->srq.context, IBV_EVENT_SRQ_LIMIT_REACHED, &from->srq);
	}
}

static int can_receive(struct pair *pair)
{
	return pair->qp.state == IBV_QPS_RTR || pair->qp.state == IBV_QPS_RTS || pair->qp.state == IBV_QPS_SQD;
}

/* Notes that a message came: the first one in RTR tells that the connection is established. */
static void came(struct pair *pair)
{
	if (pair->qp.state == IBV_QPS_RTR && !pair->established) {
		pair->established = 1;
		raise_event(pair->qp.context, IBV_EVENT_COMM_EST, &pair->qp);
	}
}

/* Brings a message to a receive of a queue pair; returns the sender's status, NOT_READY if there is no receive. */
static int deliver(struct pair *to, const struct piece *from, int count, struct ibv_wc wc, int solicited)
{
	struct receive *receive = first_receive(to);
	struct piece into[MAX_SGE];
	uint64_t length = total(from, count);
	int room;

	if (!receive)
		return NOT_READY;
	room = reach(to, receive->pieces, receive->count, IBV_ACCESS_LOCAL_WRITE, into);
	if (room < 0) {
		wc.status = IBV_WC_LOC_PROT_ERR;
		complete_receive(to, receive, wc, 1);
		fail_pair(to);
		return IBV_WC_REM_OP_ERR;
	}
	if (total(into, room) < length) {
		wc.status = IBV_WC_LOC_LEN_ERR;
		complete_receive(to, receive, wc, 1);
		fail_pair(to);
		return IBV_WC_REM_INV_REQ_ERR;
	}
	move(into, from, count);
	wc.byte_len = length;
	wc.opcode = IBV_WC_RECV;
	complete_receive(to, receive, wc, solicited);
	return IBV_WC_SUCCESS;
}

/* The responder refuses: it fails, and says so. */
static int refused(struct pair *at, int status)
{
	raise_event(at->qp.context, status == IBV_WC_REM_ACCESS_ERR ? IBV_EVENT_QP_ACCESS_ERR : IBV_EVENT_QP_REQ_ERR,
		    &at->qp);
	fail_pair(at);
	return status;
}

static int gather(struct pair *pair, struct request *request, struct piece *into, int access)
{
	if (request->is_inline) {
		into->at = (char *)(request->pieces + pair->cap.max_send_sge);
		into->length = request->inlined;
		return request->inlined ? 1 : 0;
	}
	return reach(pair, request->pieces, request->wr.num_sge, access, into);
}

static int send_to(struct pair *pair, struct request *request, struct pair *peer)
{
	struct ibv_send_wr *wr = &request->wr;
	struct ibv_wc wc = {};
	struct piece from[MAX_SGE];
	int count = gather(pair, request, from, 0);

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	if (wr->opcode == IBV_WR_SEND_WITH_IMM) {
		wc.wc_flags = IBV_WC_WITH_IMM;
		wc.imm_data = wr->imm_data;
	}
	if (wr->opcode == IBV_WR_SEND_WITH_INV && first_receive(peer)) {
		if (!invalidate(peer, wr->invalidate_rkey))
			return refused(peer, is_iwarp(peer->device) ? IBV_WC_REM_OP_ERR : IBV_WC_REM_ACCESS_ERR);
		wc.wc_flags = IBV_WC_WITH_INV;
		wc.invalidated_rkey = wr->invalidate_rkey;
	}
	came(peer);
	return deliver(peer, from, count, wc, wr->send_flags & IBV_SEND_SOLICITED);
}

static int write_to(struct pair *pair, struct request *request, struct pair *peer)
{
	struct ibv_send_wr *wr = &request->wr;
	struct piece from[MAX_SGE];
	struct piece into;
	int count = gather(pair, request, from, 0);
	int immediate = wr->opcode == IBV_WR_RDMA_WRITE_WITH_IMM;

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	if (immediate && !first_receive(peer))
		return NOT_READY;
	into.length = total(from, count);
	if (into.length) {
		into.at = reach_remote(peer, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, into.length, IBV_ACCESS_REMOTE_WRITE);
		if (!into.at)
			return refused(peer, IBV_WC_REM_ACCESS_ERR);
		move(&into, from, count);
	} else if (!grants(peer, IBV_ACCESS_REMOTE_WRITE)) {
		return refused(peer, IBV_WC_REM_INV_REQ_ERR);
	}
	came(peer);
	if (immediate) {
		struct ibv_wc wc = { .opcode = IBV_WC_RECV_RDMA_WITH_IMM, .wc_flags = IBV_WC_WITH_IMM,
				     .byte_len = total(from, count), .imm_data = wr->imm_data };

		complete_receive(peer, first_receive(peer), wc, wr->send_flags & IBV_SEND_SOLICITED);
	}
	return IBV_WC_SUCCESS;
}

static int read_from(struct pair *pair, struct request *request, struct pair *peer)
{
	struct ibv_send_wr *wr = &request->wr;
	struct piece into[MAX_SGE];
	struct piece from;
	/* On iWARP the sink's key goes to the peer, which writes by it. */
	int access = is_iwarp(pair->device) ? IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE : IBV_ACCESS_LOCAL_WRITE;
	int count = reach(pair, request->pieces, wr->num_sge, access, into);

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	from.length = total(into, count);
	if (from.length) {
		from.at = reach_remote(peer, wr->wr.rdma.rkey, wr->wr.rdma.remote_addr, from.length, IBV_ACCESS_REMOTE_READ);
		if (!from.at)
			return refused(peer, IBV_WC_REM_ACCESS_ERR);
		move(into, &from, 1);
	} else if (!grants(peer, IBV_ACCESS_REMOTE_READ)) {
		return refused(peer, IBV_WC_REM_INV_REQ_ERR);
	}
	came(peer);
	return IBV_WC_SUCCESS;
}

static int atomic_at(struct pair *pair, struct request *request, struct pair *peer)
{
	struct ibv_send_wr *wr = &request->wr;
	struct piece into[MAX_SGE];
	struct piece from;
	uint64_t before;
	uint64_t *cell;
	int count = reach(pair, request->pieces, wr->num_sge, IBV_ACCESS_LOCAL_WRITE, into);

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	if (total(into, count) != sizeof before)
		return IBV_WC_LOC_LEN_ERR;
	if (wr->wr.atomic.remote_addr % sizeof before)
		return refused(peer, IBV_WC_REM_INV_REQ_ERR);
	cell = (uint64_t *)reach_remote(peer, wr->wr.atomic.rkey, wr->wr.atomic.remote_addr, sizeof before,
					IBV_ACCESS_REMOTE_ATOMIC);
	if (!cell)
		return refused(peer, IBV_WC_REM_ACCESS_ERR);
	if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD) {
		before = __atomic_fetch_add(cell, wr->wr.atomic.compare_add, __ATOMIC_SEQ_CST);
	} else {
		before = wr->wr.atomic.compare_add;
		__atomic_compare_exchange_n(cell, &before, wr->wr.atomic.swap, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
	}
	from = (struct piece) { (char *)&before, sizeof before };
	move(into, &from, 1);
	came(peer);
	return IBV_WC_SUCCESS;
}

/* Writes the header that a datagram arrives behind, of IPv4 where the path has such addresses. */
static void write_header(struct pair *from, const struct ibv_ah_attr *to, uint8_t *header, uint64_t payload)
{
	const struct ibv_gid_entry *own = &from->device->gids[to->grh.sgid_index % GIDS];
	struct ibv_grh *grh = (struct ibv_grh *)header;

	memset(header, 0, GRH_BYTES);
	if (!memcmp(own->gid.raw, "\0\0\0\0\0\0\0\0\0\0\xFF\xFF", 12)) {
		header[20] = 0x45;
		header[21] = to->grh.traffic_class;
		*(uint16_t *)(header + 22) = htons(20 + 8 + payload);
		header[28] = to->grh.hop_limit;
		header[29] = IPPROTO_UDP;
		memcpy(header + 32, own->gid.raw + 12, 4);
		memcpy(header + 36, to->grh.dgid.raw + 12, 4);
		return;
	}
	grh->version_tclass_flow =
		htonl(6u << 28 | to->grh.traffic_class << 20 | (to->grh.flow_label & 0xFFFFF));
	grh->paylen = htons(payload);
	grh->next_hdr = 0x1B;
	grh->hop_limit = to->grh.hop_limit;
	grh->sgid = own->gid;
	grh->dgid = to->grh.dgid;
}

static void deliver_datagram(struct pair *from, struct pair *to, struct request *request, const struct piece *pieces,
			     int count)
{
	struct ibv_send_wr *wr = &request->wr;
	struct ibv_wc wc = { .src_qp = from->qp.qp_num };
	struct piece all[MAX_SGE + 1];
	struct receive *receive;
	uint8_t header[GRH_BYTES];
	uint32_t qkey = wr->wr.ud.remote_qkey & 0x80000000 ? from->set.qkey : wr->wr.ud.remote_qkey;

	if (to->qp.qp_type != IBV_QPT_UD || !can_receive(to) || to->set.qkey != qkey)
		return;
	receive = first_receive(to);
	if (!receive)
		return;
	write_header(from, &request->to, header, total(pieces, count));
	all[0] = (struct piece) { (char *)header, GRH_BYTES };
	memcpy(all + 1, pieces, count * sizeof *pieces);
	wc.wc_flags = IBV_WC_GRH;
	if (wr->opcode == IBV_WR_SEND_WITH_IMM) {
		wc.wc_flags |= IBV_WC_WITH_IMM;
		wc.imm_data = wr->imm_data;
	}
	deliver(to, all, count + 1, wc, wr->send_flags & IBV_SEND_SOLICITED);
}

static int send_datagram(struct pair *pair, struct request *request)
{
	struct piece from[MAX_SGE];
	int count = gather(pair, request, from, 0);
	struct pair *to;

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	if (request->wr.wr.ud.remote_qpn == 0xFFFFFF) {
		for (struct attached *each = groups; each; each = each->next)
			if (!memcmp(&each->gid, &request->to.grh.dgid, sizeof each->gid) && each->pair != pair)
				deliver_datagram(pair, each->pair, request, from, count);
		return IBV_WC_SUCCESS;
	}
	to = find_pair(request->wr.wr.ud.remote_qpn);
	if (to)
		deliver_datagram(pair, to, request, from, count);
	return IBV_WC_SUCCESS;
}

/*
 * SRD and DC: a message to whoever has the number, with an answer and without a header. What has no answer fails at once:
 * to_ibv_status() of efa's verbs.c has IBV_WC_RESP_TIMEOUT_ERR, a DC initiator has retried.
 */
static int send_to_number(struct pair *pair, struct request *request)
{
	struct piece from[MAX_SGE];
	int count = gather(pair, request, from, 0);
	struct pair *to = find_pair(request->wr.wr.ud.remote_qpn);
	struct ibv_wc wc = { .src_qp = pair->qp.qp_num };
	int is_dc = pair->kind == KIND_DCI;

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	if (!to || to->kind != (is_dc ? KIND_DCT : KIND_SRD) || !can_receive(to) ||
	    (is_dc ? to->dc_key != request->dc_key : to->set.qkey != request->wr.wr.ud.remote_qkey))
		return is_dc ? IBV_WC_RETRY_EXC_ERR : IBV_WC_RESP_TIMEOUT_ERR;
	if (request->wr.opcode == IBV_WR_SEND_WITH_IMM) {
		wc.wc_flags = IBV_WC_WITH_IMM;
		wc.imm_data = request->wr.imm_data;
	}
	return deliver(to, from, count, wc, request->wr.send_flags & IBV_SEND_SOLICITED);
}

/*
 * Brings a frame to the other raw queue pairs of the device, as if each had a flow for all. A VLAN tag, the four bytes
 * behind both addresses, is taken off where the receiver asked for it.
 */
static int send_frame(struct pair *pair, struct request *request)
{
	enum { ADDRESSES = 12, TAG = 4, VLAN = 0x8100 };
	char frame[MAX_FRAME];
	struct piece from[MAX_SGE];
	struct piece room = { frame, 0 };
	int count = gather(pair, request, from, 0);
	uint16_t ends[2] = {};
	uint64_t length;

	if (count < 0)
		return IBV_WC_LOC_PROT_ERR;
	length = room.length = total(from, count);
	if (length > sizeof frame)
		return IBV_WC_LOC_LEN_ERR;
	move(&room, from, count);
	if (length >= ADDRESSES + TAG)
		memcpy(ends, frame + ADDRESSES, sizeof ends);
	for (struct pair *to = pairs; to; to = to->next_pair) {
		struct ibv_wc wc = {};
		struct piece parts[2] = { { frame, length } };
		int strips = to->create_flags & IBV_QP_CREATE_CVLAN_STRIPPING && ntohs(ends[0]) == VLAN;

		if (to == pair || to->device != pair->device || to->qp.qp_type != IBV_QPT_RAW_PACKET ||
		    !can_receive(to) || !first_receive(to))
			continue;
		if (strips) {
			wc.pkey_index = ntohs(ends[1]);
			parts[0].length = ADDRESSES;
			parts[1] = (struct piece) { frame + ADDRESSES + TAG, length - ADDRESSES - TAG };
		}
		deliver(to, parts, strips ? 2 : 1, wc, 0);
	}
	return IBV_WC_SUCCESS;
}

static int is_reliable(struct pair *pair)
{
	return pair->qp.qp_type == IBV_QPT_RC;
}

/* Does a request; returns its status, or why it has to wait. */
static int execute(struct pair *pair, struct request *request)
{
	struct pair *peer;
	int status;

	switch ((int)request->wr.opcode) {
	case IBV_WR_BIND_MW:
		return bind_now(pair, request->wr.bind_mw.mw, request->wr.bind_mw.rkey, &request->wr.bind_mw.bind_info);
	case IBV_WR_LOCAL_INV:
		return invalidate(pair, request->wr.invalidate_rkey) ? IBV_WC_SUCCESS : IBV_WC_MW_BIND_ERR;
	}
	if (pair->qp.qp_type == IBV_QPT_UD)
		return send_datagram(pair, request);
	if (pair->qp.qp_type == IBV_QPT_RAW_PACKET)
		return send_frame(pair, request);
	if (pair->qp.qp_type == IBV_QPT_DRIVER)
		return send_to_number(pair, request);
	peer = find_pair(pair->set.dest_qp_num);
	if (!peer || peer->set.dest_qp_num != pair->qp.qp_num || !can_receive(peer) || peer->device->removed)
		return is_reliable(pair) ? UNANSWERED : IBV_WC_SUCCESS;
	switch ((int)request->wr.opcode) {
	case IBV_WR_SEND:
	case IBV_WR_SEND_WITH_IMM:
	case IBV_WR_SEND_WITH_INV:
		status = send_to(pair, request, peer);
		break;
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		status = write_to(pair, request, peer);
		break;
	case IBV_WR_RDMA_READ:
		return read_from(pair, request, peer);
	default:
		return atomic_at(pair, request, peer);
	}
	if (!is_reliable(pair) && status != IBV_WC_LOC_PROT_ERR)
		return IBV_WC_SUCCESS; /* nobody answers */
	if (!is_iwarp(pair->device) || status == IBV_WC_SUCCESS || status == IBV_WC_LOC_PROT_ERR)
		return status;
	/* It is done when it is sent; the peer ends the stream. */
	if (status == NOT_READY)
		refused(peer, IBV_WC_REM_OP_ERR);
	return IBV_WC_SUCCESS;
}

static enum ibv_wc_opcode opcode_of(int opcode)
{
	switch (opcode) {
	case IBV_WR_RDMA_WRITE:
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return IBV_WC_RDMA_WRITE;
	case IBV_WR_RDMA_READ:
		return IBV_WC_RDMA_READ;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
		return IBV_WC_COMP_SWAP;
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		return IBV_WC_FETCH_ADD;
	case IBV_WR_BIND_MW:
		return IBV_WC_BIND_MW;
	case IBV_WR_LOCAL_INV:
		return IBV_WC_LOCAL_INV;
	default:
		return IBV_WC_SEND;
	}
}

static void complete_send(struct pair *pair, int status)
{
	struct request *request = request_at(pair, pair->next);
	struct entry entry = { .pair = pair };

	pair->next++;
	if (!status && !pair->signal_all && !(request->wr.send_flags & IBV_SEND_SIGNALED))
		return;
	entry.upto = pair->next;
	entry.wc.wr_id = request->wr.wr_id;
	entry.wc.status = status;
	entry.wc.opcode = opcode_of(request->wr.opcode);
	for (int i = 0; i < request->wr.num_sge; i++)
		entry.wc.byte_len += request->pieces[i].length;
	complete((struct queue *)pair->qp.send_cq, &entry, 0);
}

static void flush(struct pair *pair)
{
	struct receive *receive;

	pair->deadline = 0;
	while (pair->next != pair->head)
		complete_send(pair, IBV_WC_WR_FLUSH_ERR);
	while (pair->receives && pair->owns_receives && (receive = first_receive(pair))) {
		struct ibv_wc wc = { .status = IBV_WC_WR_FLUSH_ERR };

		complete_receive(pair, receive, wc, 1);
	}
}

void fail_pair(struct pair *pair)
{
	if (pair->qp.state == IBV_QPS_ERR || pair->qp.state == IBV_QPS_RESET)
		return;
	pair->qp.state = IBV_QPS_ERR;
	flush(pair);
	if (pair->receives && !pair->owns_receives)
		raise_event(pair->qp.context, IBV_EVENT_QP_LAST_WQE_REACHED, &pair->qp);
	if (pair->id)
		end_connection(pair->id);
}

static uint64_t patience(struct pair *pair, int status)
{
	if (status == NOT_READY)
		return RNR_WAIT_NANOS;
	return pair->set.timeout ? 4096ull << pair->set.timeout : UINT64_MAX;
}

/* Begins or goes on to wait for the peer; returns the status if that was long enough. */
static int await_peer(struct pair *pair, int status)
{
	uint64_t now = now_nanos();
	int tries = status == NOT_READY ? pair->set.rnr_retry : pair->set.retry_cnt;
	uint64_t wait = patience(pair, status);

	if (is_iwarp(pair->device))
		return status; /* until the connection is there, or not */
	if (!pair->deadline)
		pair->tries = tries;
	else if (now < pair->deadline)
		return status;
	else if ((status != NOT_READY || tries != 7) && pair->tries-- == 0)
		return status == NOT_READY ? IBV_WC_RNR_RETRY_EXC_ERR : IBV_WC_RETRY_EXC_ERR;
	pair->deadline = wait == UINT64_MAX ? UINT64_MAX : now + wait;
	pthread_cond_signal(&ticking);
	return status;
}

static int starts_requests(struct pair *pair)
{
	return pair->qp.state == IBV_QPS_RTS || (pair->qp.state == IBV_QPS_SQD && pair->deadline);
}

static void progress(struct pair *pair)
{
	while (starts_requests(pair) && pair->next != pair->head) {
		struct request *request = request_at(pair, pair->next);
		int status = execute(pair, request);

		/* An iWARP peer that refused has ended this side as well; what was sent is done. */
		if (pair->qp.state == IBV_QPS_ERR)
			return;
		if (status < 0)
			status = await_peer(pair, status);
		if (status < 0)
			return;
		pair->deadline = 0;
		complete_send(pair, status);
		if (status) {
			if (pair->kind == KIND_SRD)
				continue; /* each request fails by itself */
			if (pair->qp.qp_type == IBV_QPT_UD || pair->qp.qp_type == IBV_QPT_UC)
				pair->qp.state = IBV_QPS_SQE;
			else
				fail_pair(pair);
			if (pair->qp.state == IBV_QPS_SQE)
				flush(pair);
		}
	}
	if (pair->qp.state == IBV_QPS_SQD && pair->set.en_sqd_async_notify && !pair->drain_told) {
		pair->drain_told = 1;
		raise_event(pair->qp.context, IBV_EVENT_SQ_DRAINED, &pair->qp);
	}
}

void progress_all(void)
{
	for (struct pair *pair = pairs; pair; pair = pair->next_pair)
		progress(pair);
}

/* Goes on with requests that wait, when their time has come. */
static void *tick(void *unused)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		uint64_t first = UINT64_MAX;
		uint64_t now = now_nanos();

		for (struct pair *pair = pairs; pair; pair = pair->next_pair) {
			if (pair->deadline && pair->deadline <= now)
				progress(pair);
			if (pair->deadline && pair->deadline < first)
				first = pair->deadline;
		}
		if (first == UINT64_MAX) {
			pthread_cond_wait(&ticking, &lock);
		} else {
			struct timespec until = { first / 1000000000, first % 1000000000 };

			pthread_cond_timedwait(&ticking, &lock, &until);
		}
	}
	return unused;
}

static void start_ticker(void)
{
	pthread_condattr_t attributes;
	pthread_t thread;

	if (ticker_runs)
		return;
	ticker_runs = 1;
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&ticking, &attributes);
	pthread_create(&thread, NULL, tick, NULL);
	pthread_detach(thread);
}

/* Posting. */

static int is_offered(struct pair *pair, int opcode)
{
	const struct profile *profile = pair->device->profile;
	enum ibv_qp_type type = pair->qp.qp_type;

	switch (opcode) {
	case IBV_WR_SEND:
		return pair->kind != KIND_DCT;
	case IBV_WR_SEND_WITH_IMM:
		return profile->immediate && type != IBV_QPT_RAW_PACKET;
	case IBV_WR_RDMA_WRITE:
		return type == IBV_QPT_RC || type == IBV_QPT_UC;
	case IBV_WR_RDMA_WRITE_WITH_IMM:
		return profile->immediate && (type == IBV_QPT_RC || type == IBV_QPT_UC);
	case IBV_WR_RDMA_READ:
		return type == IBV_QPT_RC;
	case IBV_WR_ATOMIC_CMP_AND_SWP:
	case IBV_WR_ATOMIC_FETCH_AND_ADD:
		return profile->atomics && type == IBV_QPT_RC;
	case IBV_WR_BIND_MW:
		return profile->windows && (type == IBV_QPT_RC || type == IBV_QPT_UC);
	case IBV_WR_SEND_WITH_INV:
		return profile->peer_invalidate && type == IBV_QPT_RC;
	case IBV_WR_LOCAL_INV:
		return profile->local_invalidate && type == IBV_QPT_RC;
	default:
		return 0;
	}
}

static uint64_t inline_bytes(const struct ibv_send_wr *wr)
{
	uint64_t sum = 0;

	for (int i = 0; i < wr->num_sge; i++)
		sum += wr->sg_list[i].length;
	return sum;
}

static int refusal_after_failure(struct pair *pair)
{
	const struct profile *profile = pair->device->profile;

	return pair->qp.state != IBV_QPS_ERR || (profile->failed_if_told && !pair->told_failed) ?
		       0 :
		       profile->failed_post_error;
}

static int judge_send(struct pair *pair, const struct ibv_send_wr *wr)
{
	const struct profile *profile = pair->device->profile;

	if (pair->qp.state < IBV_QPS_RTS && profile->state_post_error)
		return profile->state_post_error;
	if (refusal_after_failure(pair))
		return refusal_after_failure(pair);
	if (pair->head - pair->tail >= pair->places)
		return profile->full_post_error;
	if (wr->num_sge < 0 || wr->num_sge > (int)pair->cap.max_send_sge)
		return profile->sge_post_error;
	if (!is_offered(pair, wr->opcode))
		return profile->opcode_post_error;
	if (profile->signaled_only && !pair->signal_all && !(wr->send_flags & IBV_SEND_SIGNALED))
		return EINVAL;
	if ((wr->send_flags & IBV_SEND_INLINE) && inline_bytes(wr) > pair->cap.max_inline_data)
		return profile->inline_post_error;
	return 0;
}

static void store_send(struct pair *pair, const struct ibv_send_wr *wr)
{
	struct request *request = request_at(pair, pair->head);
	char *octets = (char *)(request->pieces + pair->cap.max_send_sge);

	request->wr = *wr;
	request->inlined = 0;
	request->is_inline = (wr->send_flags & IBV_SEND_INLINE) != 0 &&
			     (opcode_of(wr->opcode) == IBV_WC_SEND || opcode_of(wr->opcode) == IBV_WC_RDMA_WRITE);
	if (wr->num_sge)
		memcpy(request->pieces, wr->sg_list, wr->num_sge * sizeof *wr->sg_list);
	for (int i = 0; request->is_inline && i < wr->num_sge; i++) {
		memcpy(octets + request->inlined, (void *)wr->sg_list[i].addr, wr->sg_list[i].length);
		request->inlined += wr->sg_list[i].length;
	}
	if (pair->qp.qp_type == IBV_QPT_UD || pair->qp.qp_type == IBV_QPT_DRIVER)
		request->to = ((struct handle *)wr->wr.ud.ah)->attr;
	pair->head++;
}

/* Rings as the driver does. */
static void ring(struct pair *pair)
{
	if (pair->device->profile->doorbell == SYSTEM_CALL)
		syscall(SYS_getpid);
	else
		*(volatile uint32_t *)&pair->doorbell = pair->head;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct pair *pair = (struct pair *)qp;
	int error = ails(pair->device);

	/* _mlx5_post_send() writes no address for type DRIVER: what it posts goes nowhere. */
	if (pair->kind == KIND_DCI)
		error = EINVAL;
	pthread_mutex_lock(&lock);
	for (; wr && !error; wr = wr->next) {
		error = judge_send(pair, wr);
		if (error)
			break;
		store_send(pair, wr);
	}
	if (error)
		*bad_wr = wr;
	ring(pair);
	if (qp->state == IBV_QPS_ERR || qp->state == IBV_QPS_SQE)
		flush(pair);
	else
		progress(pair);
	pthread_mutex_unlock(&lock);
	return error;
}

/* The calls of ibv_wr_start(3), of an initiator of DC. The caller excludes others, as a driver's lock does. */

static struct built *last_built(struct ibv_qp_ex *qp)
{
	struct builder *builder = ((struct pair *)qp)->builder;

	return &builder->all[builder->count ? builder->count - 1 : 0];
}

static void wr_start(struct ibv_qp_ex *qp)
{
	struct builder *builder = ((struct pair *)qp)->builder;

	builder->count = builder->error = 0;
}

static void begin_built(struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode)
{
	struct pair *pair = (struct pair *)qp;
	struct builder *builder = pair->builder;
	struct built *built;

	if (builder->count == (int)pair->places)
		builder->error = ENOMEM;
	else
		builder->count++;
	built = last_built(qp);
	memset(built, 0, sizeof *built);
	built->wr.wr_id = qp->wr_id;
	built->wr.send_flags = qp->wr_flags;
	built->wr.opcode = opcode;
	built->wr.sg_list = built->pieces;
}

static void wr_send(struct ibv_qp_ex *qp)
{
	begin_built(qp, IBV_WR_SEND);
}

static void wr_send_imm(struct ibv_qp_ex *qp, __be32 imm_data)
{
	begin_built(qp, IBV_WR_SEND_WITH_IMM);
	last_built(qp)->wr.imm_data = imm_data;
}

static void wr_set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *pieces)
{
	struct built *built = last_built(qp);

	if (count > MAX_SGE) {
		((struct pair *)qp)->builder->error = ENOMEM;
		return;
	}
	memcpy(built->pieces, pieces, count * sizeof *pieces);
	built->wr.num_sge = count;
}

static void wr_set_inline_data(struct ibv_qp_ex *qp, void *data, size_t length)
{
	struct built *built = last_built(qp);

	built->pieces[0] = (struct ibv_sge) { .addr = (uintptr_t)data, .length = length };
	built->wr.num_sge = 1;
	built->wr.send_flags |= IBV_SEND_INLINE;
}

/* Posts all that was written, or none. */
static int wr_complete(struct ibv_qp_ex *qp)
{
	struct pair *pair = (struct pair *)qp;
	struct builder *builder = pair->builder;
	int error = builder->error;
	uint32_t head;

	pthread_mutex_lock(&lock);
	head = pair->head;
	for (int i = 0; i < builder->count && !error; i++) {
		struct built *built = &builder->all[i];

		error = built->wr.wr.ud.ah ? judge_send(pair, &built->wr) : EINVAL;
		if (!error) {
			store_send(pair, &built->wr);
			request_at(pair, pair->head - 1)->dc_key = built->dc_key;
		}
	}
	if (error)
		pair->head = head;
	else
		ring(pair);
	if (qp->qp_base.state == IBV_QPS_ERR)
		flush(pair);
	else
		progress(pair);
	pthread_mutex_unlock(&lock);
	return error;
}

static void wr_abort(struct ibv_qp_ex *qp)
{
	((struct pair *)qp)->builder->count = 0;
}

/* As mlx5dv_wr_set_dc_addr(3), which is wr_set_dc_addr of struct mlx5dv_qp_ex. */
void zoo_set_dc_addr(struct ibv_qp *qp, struct ibv_ah *ah, uint32_t number, uint64_t key)
{
	struct built *built = last_built((struct ibv_qp_ex *)qp);

	built->wr.wr.ud.ah = ah;
	built->wr.wr.ud.remote_qpn = number;
	built->dc_key = key;
}

static int post_receives(struct receives *to, int refusal, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	int error = 0;

	for (; wr; wr = wr->next) {
		struct receive *receive = &to->ring[to->head % to->capacity];

		if (refusal)
			error = refusal;
		else if (to->head - to->tail >= to->capacity)
			error = to->device->profile->full_post_error;
		else if (wr->num_sge < 0 || wr->num_sge > (int)to->max_sge)
			error = to->device->profile->sge_receive_error;
		if (error) {
			*bad_wr = wr;
			return error;
		}
		receive->wr_id = wr->wr_id;
		receive->count = wr->num_sge;
		if (wr->num_sge)
			memcpy(receive->pieces, wr->sg_list, wr->num_sge * sizeof *wr->sg_list);
		to->head++;
	}
	return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	struct pair *pair = (struct pair *)qp;
	const struct profile *profile = pair->device->profile;
	int refusal = ails(pair->device);
	int error;

	pthread_mutex_lock(&lock);
	if (!refusal && qp->state == IBV_QPS_RESET && profile->state_post_error)
		refusal = profile->state_post_error;
	if (!refusal)
		refusal = refusal_after_failure(pair);
	if (!pair->owns_receives)
		refusal = EINVAL;
	error = post_receives(pair->receives, refusal, wr, bad_wr);
	if (qp->state == IBV_QPS_ERR)
		flush(pair);
	else
		progress_all();
	pthread_mutex_unlock(&lock);
	return error;
}

static int post_srq_recv(struct ibv_srq *srq, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	struct receives *receives = (struct receives *)srq;
	int refusal = ails(receives->device);
	int error;

	pthread_mutex_lock(&lock);
	error = post_receives(receives, refusal, wr, bad_wr);
	progress_all();
	pthread_mutex_unlock(&lock);
	return error;
}

/* Completion queues. */

static int poll_cq(struct ibv_cq *cq, int entries, struct ibv_wc *wc)
{
	struct queue *queue = (struct queue *)cq;
	int taken = 0;

	pthread_mutex_lock(&lock);
	if (queue->overrun) {
		pthread_mutex_unlock(&lock);
		return -1;
	}
	while (taken < entries && queue->count) {
		struct entry *entry = &queue->entries[queue->first];

		polled(entry);
		wc[taken++] = entry->wc;
		queue->first = (queue->first + 1) % queue->capacity;
		queue->count--;
	}
	pthread_mutex_unlock(&lock);
	return taken;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	struct queue *queue = (struct queue *)cq;

	pthread_mutex_lock(&lock);
	/* As devices: who asked for any completion gets any. */
	if (queue->armed != 1)
		queue->armed = solicited_only ? 2 : 1;
	pthread_mutex_unlock(&lock);
	return 0;
}

static struct entry *at(struct ibv_cq_ex *cq)
{
	struct queue *queue = (struct queue *)cq;

	if (!queue->polling) {
		fprintf(stderr, "zoo: no poll was started\n");
		abort();
	}
	return &queue->entries[queue->first];
}

static void show(struct ibv_cq_ex *cq)
{
	cq->wr_id = at(cq)->wc.wr_id;
	cq->status = at(cq)->wc.status;
}

static void take_first(struct queue *queue)
{
	polled(&queue->entries[queue->first]);
	queue->first = (queue->first + 1) % queue->capacity;
	queue->count--;
}

/* Keeps the lock until the poll ends, as drivers do with the queue's. */
static int start_poll(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)
{
	struct queue *queue = (struct queue *)cq;

	pthread_mutex_lock(&lock);
	if (!queue->count) {
		pthread_mutex_unlock(&lock);
		return ENOENT;
	}
	queue->polling = 1;
	show(cq);
	return 0;
}

static int next_poll(struct ibv_cq_ex *cq)
{
	struct queue *queue = (struct queue *)cq;

	if (queue->count < 2)
		return ENOENT;
	take_first(queue);
	show(cq);
	return 0;
}

static void end_poll(struct ibv_cq_ex *cq)
{
	at(cq);
	take_first((struct queue *)cq);
	((struct queue *)cq)->polling = 0;
	pthread_mutex_unlock(&lock);
}

static enum ibv_wc_opcode read_opcode(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.opcode;
}

static uint32_t read_qp_num(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.qp_num;
}

static uint32_t read_vendor_err(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.vendor_err;
}

static uint32_t read_byte_len(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.byte_len;
}

static __be32 read_imm_data(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.imm_data;
}

static uint32_t read_src_qp(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.src_qp;
}

static unsigned int read_wc_flags(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.wc_flags;
}

static uint32_t read_slid(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.slid;
}

static uint8_t read_sl(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.sl;
}

static uint8_t read_dlid_path_bits(struct ibv_cq_ex *cq)
{
	return at(cq)->wc.dlid_path_bits;
}

/* Of a raw packet the partition means nothing: the tag that was taken off is there. */
static uint16_t read_cvlan(struct ibv_cq_ex *cq)
{
	struct entry *entry = at(cq);

	return entry->pair->qp.qp_type == IBV_QPT_RAW_PACKET ? entry->wc.pkey_index : 0;
}

static uint32_t read_flow_tag(struct ibv_cq_ex *cq)
{
	at(cq);
	return 0;
}

static void read_tm_info(struct ibv_cq_ex *cq, struct ibv_wc_tm_info *info)
{
	at(cq);
	memset(info, 0, sizeof *info);
}

static uint64_t read_nanos(struct ibv_cq_ex *cq)
{
	return at(cq)->nanos;
}

static struct queue *make_queue(struct ibv_context *context, int cqe, void *cookie, struct ibv_comp_channel *channel,
				int vector)
{
	const struct profile *profile = profile_of(context);
	struct queue *made;

	if (ails(device_of(context)))
		return refuse(EIO);
	if (cqe < 1 || cqe > profile->limits.max_cqe || vector < 0 || vector >= context->num_comp_vectors)
		return refuse(profile->cq_error ? profile->cq_error : EINVAL);
	made = make(sizeof *made);
	made->device = device_of(context);
	made->capacity = profile->cqe ? profile->cqe(cqe) : cqe;
	made->entries = calloc(made->capacity, sizeof *made->entries);
	made->cq.context = context;
	made->cq.channel = channel;
	made->cq.cq_context = cookie;
	made->cq.cqe = made->capacity;
	made->of = (struct comp_channel *)channel;
	pthread_mutex_lock(&lock);
	if (made->of)
		made->of->users++;
	pthread_mutex_unlock(&lock);
	return made;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cookie, struct ibv_comp_channel *channel,
			     int vector)
{
	struct queue *made = make_queue(context, cqe, cookie, channel, vector);

	return made ? &made->cq : NULL;
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	const struct profile *profile = profile_of(context);
	struct queue *made;

	if (attr->comp_mask & ~(IBV_CQ_INIT_ATTR_MASK_FLAGS) || attr->wc_flags & ~profile->cq_fields)
		return refuse(profile->cq_fields_error);
	made = make_queue(context, attr->cqe, attr->cq_context, attr->channel, attr->comp_vector);
	if (!made)
		return NULL;
	made->extended.start_poll = start_poll;
	made->extended.next_poll = next_poll;
	made->extended.end_poll = end_poll;
	made->extended.read_opcode = read_opcode;
	made->extended.read_vendor_err = read_vendor_err;
	made->extended.read_wc_flags = read_wc_flags;
	if (attr->wc_flags & IBV_WC_EX_WITH_BYTE_LEN)
		made->extended.read_byte_len = read_byte_len;
	if (attr->wc_flags & IBV_WC_EX_WITH_IMM)
		made->extended.read_imm_data = read_imm_data;
	if (attr->wc_flags & IBV_WC_EX_WITH_QP_NUM)
		made->extended.read_qp_num = read_qp_num;
	if (attr->wc_flags & IBV_WC_EX_WITH_SRC_QP)
		made->extended.read_src_qp = read_src_qp;
	if (attr->wc_flags & IBV_WC_EX_WITH_SLID)
		made->extended.read_slid = read_slid;
	if (attr->wc_flags & IBV_WC_EX_WITH_SL)
		made->extended.read_sl = read_sl;
	if (attr->wc_flags & IBV_WC_EX_WITH_DLID_PATH_BITS)
		made->extended.read_dlid_path_bits = read_dlid_path_bits;
	if (attr->wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP)
		made->extended.read_completion_ts = read_nanos;
	if (attr->wc_flags & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK)
		made->extended.read_completion_wallclock_ns = read_nanos;
	if (attr->wc_flags & IBV_WC_EX_WITH_CVLAN)
		made->extended.read_cvlan = read_cvlan;
	if (attr->wc_flags & IBV_WC_EX_WITH_FLOW_TAG)
		made->extended.read_flow_tag = read_flow_tag;
	if (attr->wc_flags & IBV_WC_EX_WITH_TM_INFO)
		made->extended.read_tm_info = read_tm_info;
	return &made->extended;
}

int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	struct queue *queue = (struct queue *)cq;
	const struct profile *profile = queue->device->profile;
	struct entry *entries;
	int capacity;

	if (profile->resize_error)
		return profile->resize_error;
	if (cqe < 1 || cqe > profile->limits.max_cqe)
		return EINVAL;
	capacity = profile->cqe ? profile->cqe(cqe) : cqe;
	pthread_mutex_lock(&lock);
	if (capacity < queue->count) {
		pthread_mutex_unlock(&lock);
		return EINVAL;
	}
	entries = calloc(capacity, sizeof *entries);
	for (int i = 0; i < queue->count; i++)
		entries[i] = queue->entries[(queue->first + i) % queue->capacity];
	free(queue->entries);
	queue->entries = entries;
	queue->first = 0;
	queue->capacity = capacity;
	cq->cqe = capacity;
	pthread_mutex_unlock(&lock);
	return 0;
}

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	return attr->attr_mask & ~IBV_CQ_ATTR_MODERATE ? EINVAL : 0;
}

/* Waits, as the library does, for the events that were taken to be acknowledged. */
int ibv_destroy_cq(struct ibv_cq *cq)
{
	struct queue *queue = (struct queue *)cq;

	pthread_mutex_lock(&lock);
	if (queue->users) {
		pthread_mutex_unlock(&lock);
		return EBUSY;
	}
	queue->armed = 0;
	for (struct event **each = queue->of ? &queue->of->events : NULL; each && *each;) {
		struct event *event = *each;

		if (event->queue != queue) {
			each = &event->next;
			continue;
		}
		*each = event->next;
		free(event);
	}
	forget_events(cq->context, cq);
	while (queue->unacknowledged || queue->unacknowledged_async)
		pthread_cond_wait(&changed, &lock);
	if (queue->of)
		queue->of->users--;
	pthread_mutex_unlock(&lock);
	free(queue->entries);
	destroy(queue);
	return 0;
}

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
	struct comp_channel *made = make(sizeof *made);

	made->channel.context = context;
	made->channel.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	return &made->channel;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	if (((struct comp_channel *)channel)->users)
		return EBUSY;
	close(channel->fd);
	destroy(channel);
	return 0;
}

int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cookie)
{
	struct comp_channel *from = (struct comp_channel *)channel;
	struct event *first = NULL;
	uint64_t count;

	while (!first) {
		if (read(channel->fd, &count, sizeof count) != sizeof count)
			return -1;
		pthread_mutex_lock(&lock);
		first = from->events; /* none: its queue was destroyed */
		if (first) {
			from->events = first->next;
			first->queue->raised--;
			first->queue->unacknowledged++;
			*cq = &first->queue->cq;
			*cookie = first->queue->cq.cq_context;
		}
		pthread_mutex_unlock(&lock);
	}
	free(first);
	return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned int count)
{
	pthread_mutex_lock(&lock);
	((struct queue *)cq)->unacknowledged -= count;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
}

/* Memory. */

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
	struct domain *made;

	if (ails(device_of(context)))
		return refuse(EIO);
	made = make(sizeof *made);
	made->pd.context = context;
	return &made->pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	if (((struct domain *)pd)->users)
		return EBUSY;
	destroy(pd);
	return 0;
}

static void uses(struct ibv_pd *pd, int more)
{
	__atomic_add_fetch(&((struct domain *)pd)->users, more, __ATOMIC_SEQ_CST);
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned int access)
{
	struct region *made;
	int error;

	if (ails(device_of(pd->context)))
		return refuse(EIO);
	access &= ~IBV_ACCESS_OPTIONAL_RANGE;
	/* ib_check_mr_access() of the kernel */
	if ((access & (IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_REMOTE_WRITE)) && !(access & IBV_ACCESS_LOCAL_WRITE))
		return refuse(EINVAL);
	if (access & (IBV_ACCESS_ON_DEMAND | IBV_ACCESS_HUGETLB))
		return refuse(EOPNOTSUPP);
	made = make(sizeof *made);
	made->key = (struct key) { .kind = REGION, .valid = 1, .pd = pd, .base = address, .start = iova,
				   .length = length, .access = access };
	pthread_mutex_lock(&lock);
	error = add_key(&made->key);
	pthread_mutex_unlock(&lock);
	if (error) {
		destroy(made);
		return refuse(error);
	}
	uses(pd, 1);
	made->mr.context = pd->context;
	made->mr.pd = pd;
	made->mr.addr = address;
	made->mr.length = length;
	made->mr.handle = made->key.value >> 8 & (KEYS - 1);
	made->mr.lkey = made->mr.rkey = made->key.value;
	return &made->mr;
}

struct ibv_mr *ibv_reg_dmabuf_mr(struct ibv_pd *pd, uint64_t offset, size_t length, uint64_t iova, int fd, int access)
{
	return refuse(profile_of(pd->context)->dmabuf_error ? profile_of(pd->context)->dmabuf_error : EBADF);
}

int ibv_rereg_mr(struct ibv_mr *mr, int flags, struct ibv_pd *pd, void *address, size_t length, int access)
{
	struct region *region = (struct region *)mr;
	int error = profile_of(mr->context)->rereg_error;

	if (error) {
		errno = error;
		return IBV_REREG_MR_ERR_CMD;
	}
	if ((flags & IBV_REREG_MR_CHANGE_TRANSLATION) && (!address || !length)) {
		errno = EINVAL;
		return IBV_REREG_MR_ERR_INPUT;
	}
	pthread_mutex_lock(&lock);
	if (region->windows) {
		pthread_mutex_unlock(&lock);
		errno = EBUSY;
		return IBV_REREG_MR_ERR_CMD;
	}
	remove_key(&region->key);
	if (flags & IBV_REREG_MR_CHANGE_PD) {
		uses(mr->pd, -1);
		uses(pd, 1);
		mr->pd = region->key.pd = pd;
	}
	if (flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
		mr->addr = region->key.base = address;
		mr->length = region->key.length = length;
		region->key.start = (uint64_t)address;
	}
	if (flags & IBV_REREG_MR_CHANGE_ACCESS)
		region->key.access = access;
	add_key(&region->key);
	mr->lkey = mr->rkey = region->key.value;
	pthread_mutex_unlock(&lock);
	return 0;
}

int ibv_dereg_mr(struct ibv_mr *mr)
{
	struct region *region = (struct region *)mr;

	pthread_mutex_lock(&lock);
	if (region->windows) {
		pthread_mutex_unlock(&lock);
		return EBUSY;
	}
	remove_key(&region->key);
	pthread_mutex_unlock(&lock);
	uses(mr->pd, -1);
	destroy(region);
	return 0;
}

static struct ibv_mw *alloc_mw(struct ibv_pd *pd, enum ibv_mw_type type)
{
	const struct profile *profile = profile_of(pd->context);
	struct window *made;

	if (!(profile->windows & 1 << type))
		return refuse(profile->window_error);
	made = make(sizeof *made);
	made->key.kind = WINDOW;
	made->key.pd = pd;
	pthread_mutex_lock(&lock);
	add_key(&made->key);
	pthread_mutex_unlock(&lock);
	uses(pd, 1);
	made->mw.context = pd->context;
	made->mw.pd = pd;
	made->mw.type = type;
	made->mw.rkey = made->key.value;
	return &made->mw;
}

static int dealloc_mw(struct ibv_mw *mw)
{
	struct window *window = (struct window *)mw;

	pthread_mutex_lock(&lock);
	unbind(window);
	remove_key(&window->key);
	pthread_mutex_unlock(&lock);
	uses(mw->pd, -1);
	destroy(window);
	return 0;
}

/* The driver chooses the key, and the bind is a send. */
static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *bind)
{
	struct ibv_send_wr wr = { .wr_id = bind->wr_id, .opcode = IBV_WR_BIND_MW, .send_flags = bind->send_flags };
	struct ibv_send_wr *bad_wr;
	int error;

	if (mw->type != IBV_MW_TYPE_1)
		return EINVAL;
	wr.bind_mw.mw = mw;
	wr.bind_mw.rkey = (mw->rkey & ~0xFFu) | ((mw->rkey + 1) & 0xFF);
	wr.bind_mw.bind_info = bind->bind_info;
	error = post_send(qp, &wr, &bad_wr);
	if (!error)
		mw->rkey = wr.bind_mw.rkey;
	return error;
}

/* Receive queues. */

static struct receives *make_receives(struct device *device, uint32_t capacity, uint32_t max_sge)
{
	struct receives *made = make(sizeof *made);

	made->device = device;
	made->capacity = capacity ? capacity : 1;
	made->max_sge = max_sge ? max_sge : 1;
	made->ring = calloc(made->capacity, sizeof *made->ring);
	made->pool = calloc((size_t)made->capacity * made->max_sge, sizeof *made->pool);
	for (uint32_t i = 0; i < made->capacity; i++)
		made->ring[i].pieces = made->pool + (size_t)i * made->max_sge;
	return made;
}

static void free_receives(struct receives *receives)
{
	free(receives->ring);
	free(receives->pool);
	destroy(receives);
}

struct ibv_srq *ibv_create_srq(struct ibv_pd *pd, struct ibv_srq_init_attr *attr)
{
	const struct profile *profile = profile_of(pd->context);
	struct receives *made;

	if (profile->srq_error)
		return refuse(profile->srq_error);
	if (attr->attr.max_wr > profile->limits.max_srq_wr || attr->attr.max_sge > profile->limits.max_srq_sge)
		return refuse(EINVAL);
	attr->attr.max_wr = profile->srq_wr ? profile->srq_wr(attr->attr.max_wr) : attr->attr.max_wr;
	made = make_receives(device_of(pd->context), attr->attr.max_wr, attr->attr.max_sge);
	made->srq.context = pd->context;
	made->srq.pd = pd;
	uses(pd, 1);
	return &made->srq;
}

int ibv_modify_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr, int mask)
{
	struct receives *receives = (struct receives *)srq;

	if (mask & IBV_SRQ_MAX_WR)
		return EINVAL; /* none of these drivers resizes */
	pthread_mutex_lock(&lock);
	if (mask & IBV_SRQ_LIMIT) {
		if (attr->srq_limit > receives->capacity) {
			pthread_mutex_unlock(&lock);
			return EINVAL;
		}
		receives->limit = attr->srq_limit;
		if (receives->limit && receives->head - receives->next < receives->limit) {
			receives->limit = 0;
			raise_event(srq->context, IBV_EVENT_SRQ_LIMIT_REACHED, srq);
		}
	}
	pthread_mutex_unlock(&lock);
	return 0;
}

int ibv_query_srq(struct ibv_srq *srq, struct ibv_srq_attr *attr)
{
	struct receives *receives = (struct receives *)srq;

	attr->max_wr = receives->capacity;
	attr->max_sge = receives->max_sge;
	attr->srq_limit = receives->limit;
	return 0;
}

int ibv_destroy_srq(struct ibv_srq *srq)
{
	struct receives *receives = (struct receives *)srq;

	pthread_mutex_lock(&lock);
	if (receives->users) {
		pthread_mutex_unlock(&lock);
		return EBUSY;
	}
	forget_events(srq->context, srq);
	while (receives->unacknowledged)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	uses(srq->pd, -1);
	free_receives(receives);
	return 0;
}

/* Queue pairs. */

static struct ibv_qp *make_pair(struct ibv_pd *pd, struct ibv_qp_init_attr *attr, int kind)
{
	const struct profile *profile = profile_of(pd->context);
	struct ibv_qp_cap cap = attr->cap;
	struct rings rings;
	struct pair *pair;
	int error;

	if (ails(device_of(pd->context)))
		return refuse(EIO);
	if (!((profile->types | profile->vendor_types) & kind))
		return refuse(profile->type_error);
	error = profile->size(profile, attr, &cap, &rings);
	if (error)
		return refuse(error);
	if (kind == KIND_DCI)
		cap.max_recv_wr = cap.max_recv_sge = 0;
	if (kind == KIND_DCT)
		cap = (struct ibv_qp_cap) {};
	attr->cap = cap;
	pair = make(sizeof *pair);
	pair->kind = kind;
	pair->device = device_of(pd->context);
	pair->cap = cap;
	pair->signal_all = attr->sq_sig_all;
	pair->stride = sizeof(struct request) + cap.max_send_sge * sizeof(struct ibv_sge) + ((cap.max_inline_data + 7) & ~7u);
	pair->places = rings.sends ? rings.sends : 1;
	pair->ring = calloc(pair->places, pair->stride);
	pair->owns_receives = !attr->srq;
	pair->receives = attr->srq ? (struct receives *)attr->srq :
				     make_receives(pair->device, rings.receives, cap.max_recv_sge);
	pair->qp.context = pd->context;
	pair->qp.pd = pd;
	pair->qp.send_cq = attr->send_cq;
	pair->qp.recv_cq = attr->recv_cq;
	pair->qp.srq = attr->srq;
	pair->qp.qp_type = attr->qp_type;
	pair->qp.state = IBV_QPS_RESET;
	uses(pd, 1);
	pthread_mutex_lock(&lock);
	start_ticker();
	((struct queue *)attr->send_cq)->users++;
	((struct queue *)attr->recv_cq)->users++;
	if (attr->srq)
		pair->receives->users++;
	next_qp_number = next_qp_number % 0xFFFFFE + 1;
	while (find_pair(next_qp_number))
		next_qp_number = next_qp_number % 0xFFFFFE + 1;
	pair->qp.handle = pair->qp.qp_num = next_qp_number;
	pair->next_pair = pairs;
	pairs = pair;
	pthread_mutex_unlock(&lock);
	return &pair->qp;
}

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	/* The vendor's types have calls of their own. */
	return attr->qp_type == IBV_QPT_DRIVER ? refuse(EOPNOTSUPP) : make_pair(pd, attr, KIND(attr->qp_type));
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	struct ibv_qp *made;

	/* CREATE_QP_EX_SUP_CREATE_FLAGS of cmd_qp.c, which mlx5 has all of */
	if (attr->comp_mask & ~(IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_CREATE_FLAGS) ||
	    attr->create_flags & ~profile_of(context)->create_flags)
		return refuse(EINVAL);
	made = make_pair(attr->pd, (struct ibv_qp_init_attr *)attr, KIND(attr->qp_type));
	if (made)
		((struct pair *)made)->create_flags = attr->create_flags;
	return made;
}

/*
 * Creates a queue pair as a vendor's call does: of KIND_SRD as efadv_create_qp_ex(3), of KIND_DCI and KIND_DCT as
 * mlx5dv_create_qp(3). A target has its key, and its receives in srq.
 */
struct ibv_qp *zoo_create_vendor_qp(struct ibv_pd *pd, int kind, struct ibv_cq *cq, struct ibv_srq *srq, int depth,
				    uint64_t key)
{
	struct ibv_qp_init_attr attr = {
		.send_cq = cq,
		.recv_cq = cq,
		.srq = srq,
		.cap = { .max_send_wr = depth, .max_recv_wr = srq ? 0 : depth, .max_send_sge = 1, .max_recv_sge = 1,
			 .max_inline_data = 32 },
		.qp_type = IBV_QPT_DRIVER,
	};
	struct ibv_qp *made = make_pair(pd, &attr, kind);
	struct pair *pair = (struct pair *)made;

	if (!made)
		return NULL;
	pair->dc_key = key;
	if (kind == KIND_DCI) {
		pair->builder = calloc(1, sizeof *pair->builder + pair->places * sizeof *pair->builder->all);
		pair->extended.wr_start = wr_start;
		pair->extended.wr_send = wr_send;
		pair->extended.wr_send_imm = wr_send_imm;
		pair->extended.wr_set_sge_list = wr_set_sge_list;
		pair->extended.wr_set_inline_data = wr_set_inline_data;
		pair->extended.wr_complete = wr_complete;
		pair->extended.wr_abort = wr_abort;
	}
	return made;
}

/* Creates a queue for completions with fields, as efadv_create_cq(3) and mlx5dv_create_cq(3) do. */
struct ibv_cq *zoo_create_vendor_cq(struct ibv_context *context, int cqe, struct ibv_comp_channel *channel,
				    uint64_t fields)
{
	struct ibv_cq_init_attr_ex attr = { .cqe = cqe, .channel = channel, .wc_flags = fields };

	return (struct ibv_cq *)create_cq_ex(context, &attr);
}

struct ibv_qp_ex *ibv_qp_to_qp_ex(struct ibv_qp *qp)
{
	struct pair *pair = (struct pair *)qp;

	return pair->builder ? &pair->extended : NULL;
}

static void set_attributes(struct ibv_qp_attr *set, const struct ibv_qp_attr *attr, int mask)
{
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
}

/* A step between states with what it needs and what may come with it, as qp_state_table of the kernel's verbs.c. */
struct step {
	enum ibv_qp_state from;
	enum ibv_qp_state to;
	int types;
	int required;
	int optional;
};

#define CONNECTED (KIND(IBV_QPT_RC) | KIND(IBV_QPT_UC))
#define PATH (IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN)
#define ALTERNATE (IBV_QP_ALT_PATH | IBV_QP_PATH_MIG_STATE)

static const struct step steps[] = {
	{ IBV_QPS_RESET, IBV_QPS_INIT, CONNECTED, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, 0 },
	{ IBV_QPS_RESET, IBV_QPS_INIT, KIND(IBV_QPT_UD), IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY, 0 },
	{ IBV_QPS_RESET, IBV_QPS_INIT, KIND(IBV_QPT_RAW_PACKET), IBV_QP_PORT, 0 },
	/* drivers/infiniband/hw/efa/efa_verbs.c: srd_qp_state_table */
	{ IBV_QPS_RESET, IBV_QPS_INIT, KIND_SRD, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY, 0 },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND_SRD, 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND_SRD, IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | IBV_QP_QKEY },
	/* drivers/infiniband/hw/mlx5/qp.c: modify_dci_qp_is_ok(), mlx5_ib_modify_dct() */
	{ IBV_QPS_RESET, IBV_QPS_INIT, KIND_DCI, IBV_QP_PKEY_INDEX | IBV_QP_PORT, 0 },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND_DCI, IBV_QP_PATH_MTU, IBV_QP_AV },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND_DCI,
	  IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC, 0 },
	{ IBV_QPS_RESET, IBV_QPS_INIT, KIND_DCT, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS, 0 },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND_DCT, IBV_QP_AV | IBV_QP_MIN_RNR_TIMER | IBV_QP_PATH_MTU, 0 },
	{ IBV_QPS_INIT, IBV_QPS_INIT, CONNECTED, 0, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS },
	{ IBV_QPS_INIT, IBV_QPS_INIT, KIND(IBV_QPT_UD), 0, IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND(IBV_QPT_UC), PATH, ALTERNATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND(IBV_QPT_RC), PATH | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER,
	  ALTERNATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PKEY_INDEX },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND(IBV_QPT_UD), 0, IBV_QP_PKEY_INDEX | IBV_QP_QKEY },
	{ IBV_QPS_INIT, IBV_QPS_RTR, KIND(IBV_QPT_RAW_PACKET), 0, 0 },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND(IBV_QPT_UC), IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | ALTERNATE | IBV_QP_ACCESS_FLAGS },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND(IBV_QPT_RC),
	  IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC,
	  IBV_QP_CUR_STATE | ALTERNATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND(IBV_QPT_UD), IBV_QP_SQ_PSN, IBV_QP_CUR_STATE | IBV_QP_QKEY },
	{ IBV_QPS_RTR, IBV_QPS_RTS, KIND(IBV_QPT_RAW_PACKET), 0, 0 },
	{ IBV_QPS_RTS, IBV_QPS_RTS, CONNECTED, 0,
	  IBV_QP_CUR_STATE | ALTERNATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER },
	{ IBV_QPS_RTS, IBV_QPS_RTS, KIND(IBV_QPT_UD), 0, IBV_QP_CUR_STATE | IBV_QP_QKEY },
	{ IBV_QPS_RTS, IBV_QPS_SQD, CONNECTED | KIND(IBV_QPT_UD), 0, IBV_QP_EN_SQD_ASYNC_NOTIFY },
	{ IBV_QPS_SQD, IBV_QPS_SQD, CONNECTED | KIND(IBV_QPT_UD), 0,
	  IBV_QP_PORT | IBV_QP_AV | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC |
	  IBV_QP_MAX_DEST_RD_ATOMIC | ALTERNATE | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER |
	  IBV_QP_QKEY | IBV_QP_CUR_STATE },
	{ IBV_QPS_SQD, IBV_QPS_RTS, CONNECTED | KIND(IBV_QPT_UD), 0,
	  IBV_QP_CUR_STATE | ALTERNATE | IBV_QP_ACCESS_FLAGS | IBV_QP_MIN_RNR_TIMER | IBV_QP_QKEY },
	{ IBV_QPS_SQE, IBV_QPS_RTS, KIND(IBV_QPT_UC) | KIND(IBV_QPT_UD), 0,
	  IBV_QP_CUR_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_QKEY },
};

static int is_step(struct pair *pair, enum ibv_qp_state to, int mask)
{
	mask &= ~IBV_QP_STATE;
	if (to == IBV_QPS_RESET || to == IBV_QPS_ERR)
		return !(mask & ~IBV_QP_CUR_STATE);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i].from == pair->qp.state && steps[i].to == to && steps[i].types & pair->kind)
			return (mask & steps[i].required) == steps[i].required &&
			       !(mask & ~(steps[i].required | steps[i].optional));
	return 0;
}

static void reset_pair(struct pair *pair)
{
	clean((struct queue *)pair->qp.send_cq, pair);
	clean((struct queue *)pair->qp.recv_cq, pair);
	pair->head = pair->next = pair->tail = 0;
	pair->deadline = 0;
	pair->established = 0;
	if (pair->owns_receives)
		pair->receives->head = pair->receives->next = pair->receives->tail = 0;
	memset(&pair->set, 0, sizeof pair->set);
}

static void enter(struct pair *pair, enum ibv_qp_state to)
{
	switch (to) {
	case IBV_QPS_ERR:
		fail_pair(pair);
		pair->qp.state = IBV_QPS_ERR; /* also from RESET */
		break;
	case IBV_QPS_RESET:
		reset_pair(pair);
		pair->qp.state = to;
		break;
	case IBV_QPS_SQD:
		pair->drain_told = 0;
		pair->qp.state = to;
		break;
	default:
		pair->qp.state = to;
	}
	progress_all();
}

/* On iWARP the kernel moves a queue pair when it connects; under the lock. */
void ready_pair(struct pair *pair, const struct ibv_qp_attr *attr)
{
	pair->set.dest_qp_num = attr->dest_qp_num;
	pair->set.max_rd_atomic = attr->max_rd_atomic;
	pair->set.max_dest_rd_atomic = attr->max_dest_rd_atomic;
	enter(pair, IBV_QPS_RTS);
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct pair *pair = (struct pair *)qp;
	enum ibv_qp_state to = mask & IBV_QP_STATE ? attr->qp_state : qp->state;
	const struct profile *profile = pair->device->profile;
	int iwarp = is_iwarp(pair->device);
	int error = ails(pair->device);

	if (error)
		return error;
	pthread_mutex_lock(&lock);
	if (mask & IBV_QP_PORT && (attr->port_num < 1 || attr->port_num > pair->device->profile->ports))
		error = EINVAL;
	if (profile->modified && !(profile->modified & pair->kind))
		error = profile->modify_error;
	if (!error && (iwarp ? to == IBV_QPS_RTR : !is_step(pair, to, mask)))
		error = EINVAL;
	if (!error) {
		set_attributes(&pair->set, attr, mask);
		pair->told_failed = to == IBV_QPS_ERR;
		enter(pair, to);
	}
	pthread_mutex_unlock(&lock);
	return error;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init_attr)
{
	struct pair *pair = (struct pair *)qp;
	int error = ails(pair->device);

	if (error)
		return error;
	pthread_mutex_lock(&lock);
	*attr = pair->set;
	memset(init_attr, 0, sizeof *init_attr);
	attr->qp_state = attr->cur_qp_state = qp->state;
	attr->cap = init_attr->cap = pair->cap;
	attr->sq_draining = qp->state == IBV_QPS_SQD && pair->deadline;
	init_attr->send_cq = qp->send_cq;
	init_attr->recv_cq = qp->recv_cq;
	init_attr->srq = qp->srq;
	init_attr->qp_type = qp->qp_type;
	init_attr->sq_sig_all = pair->signal_all;
	pthread_mutex_unlock(&lock);
	return 0;
}

int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct pair *pair = (struct pair *)qp;
	struct pair **each = &pairs;
	int error = ails(pair->device);

	if (error == EIO && !pair->device->removed)
		return error;
	pthread_mutex_lock(&lock);
	for (struct attached *group = groups; group; group = group->next) {
		if (group->pair == pair) {
			pthread_mutex_unlock(&lock);
			return EBUSY; /* ib_uverbs_destroy_qp() of the kernel */
		}
	}
	if (pair->id)
		fail_pair(pair);
	pair->qp.state = IBV_QPS_RESET;
	while (*each != pair)
		each = &(*each)->next_pair;
	*each = pair->next_pair;
	forget_events(qp->context, qp);
	while (pair->unacknowledged)
		pthread_cond_wait(&changed, &lock);
	clean((struct queue *)qp->send_cq, pair);
	clean((struct queue *)qp->recv_cq, pair);
	((struct queue *)qp->send_cq)->users--;
	((struct queue *)qp->recv_cq)->users--;
	if (!pair->owns_receives)
		pair->receives->users--;
	pthread_mutex_unlock(&lock);
	if (pair->owns_receives)
		free_receives(pair->receives);
	uses(qp->pd, -1);
	free(pair->ring);
	free(pair->builder);
	destroy(pair);
	return 0;
}

int ibv_attach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	struct pair *pair = (struct pair *)qp;
	struct attached *made;

	if (pair->device->profile->multicast_error)
		return pair->device->profile->multicast_error;
	if (qp->qp_type != IBV_QPT_UD)
		return EINVAL;
	made = calloc(1, sizeof *made);
	made->gid = *gid;
	made->pair = pair;
	pthread_mutex_lock(&lock);
	made->next = groups;
	groups = made;
	pthread_mutex_unlock(&lock);
	return 0;
}

int ibv_detach_mcast(struct ibv_qp *qp, const union ibv_gid *gid, uint16_t lid)
{
	int error = EINVAL;

	pthread_mutex_lock(&lock);
	for (struct attached **each = &groups; *each; each = &(*each)->next) {
		struct attached *group = *each;

		if (group->pair != (struct pair *)qp || memcmp(&group->gid, gid, sizeof *gid))
			continue;
		*each = group->next;
		free(group);
		error = 0;
		break;
	}
	pthread_mutex_unlock(&lock);
	return error;
}

struct ibv_ah *ibv_create_ah(struct ibv_pd *pd, struct ibv_ah_attr *attr)
{
	struct handle *made;
	int error = ails(device_of(pd->context));

	if (error)
		return refuse(error);
	if (attr->port_num < 1 || attr->port_num > profile_of(pd->context)->ports)
		return refuse(EINVAL);
	if (!attr->is_global)
		return refuse(EINVAL); /* as on Ethernet */
	made = make(sizeof *made);
	made->ah.context = pd->context;
	made->ah.pd = pd;
	made->attr = *attr;
	uses(pd, 1);
	return &made->ah;
}

int ibv_destroy_ah(struct ibv_ah *ah)
{
	uses(ah->pd, -1);
	destroy(ah);
	return 0;
}

int ibv_init_ah_from_wc(struct ibv_context *context, uint8_t port_num, struct ibv_wc *wc, struct ibv_grh *grh,
			struct ibv_ah_attr *attr)
{
	const uint8_t *raw = (const uint8_t *)grh;
	uint32_t first = ntohl(grh->version_tclass_flow);
	union ibv_gid own = grh->dgid;

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
	for (int i = 0; i < GIDS; i++) {
		if (!memcmp(&device_of(context)->gids[i].gid, &own, sizeof own)) {
			attr->grh.sgid_index = i;
			return 0;
		}
	}
	return -1; /* a group's, for one */
}

/* Devices. */

static int query_device_ex(struct ibv_context *context, const struct ibv_query_device_ex_input *input,
			   struct ibv_device_attr_ex *attr, size_t size)
{
	const struct profile *profile = profile_of(context);
	int error = ails(device_of(context));

	if (error)
		return error;
	memset(attr, 0, size);
	attr->orig_attr = profile->limits;
	attr->orig_attr.node_guid = htonl(0x02000000 + (replaced << 8) + device_of(context)->index);
	attr->orig_attr.phys_port_cnt = profile->ports;
	attr->orig_attr.atomic_cap = profile->atomics ? IBV_ATOMIC_HCA : IBV_ATOMIC_NONE;
	strcpy(attr->orig_attr.fw_ver, "1.0");
	if (profile->moderation) {
		attr->cq_mod_caps.max_cq_count = 0xFFFF;
		attr->cq_mod_caps.max_cq_period = 0xFFFF;
	}
	if (profile->create_flags & IBV_QP_CREATE_CVLAN_STRIPPING)
		attr->raw_packet_caps |= IBV_RAW_PACKET_CAP_CVLAN_STRIPPING;
	if (profile->create_flags & IBV_QP_CREATE_SCATTER_FCS) {
		attr->raw_packet_caps |= IBV_RAW_PACKET_CAP_SCATTER_FCS;
		attr->device_cap_flags_ex |= IBV_DEVICE_RAW_SCATTER_FCS;
	}
	if (profile->create_flags & IBV_QP_CREATE_PCI_WRITE_END_PADDING)
		attr->device_cap_flags_ex |= IBV_DEVICE_PCI_WRITE_END_PADDING;
	if (profile->cq_fields & IBV_WC_EX_WITH_COMPLETION_TIMESTAMP) {
		attr->completion_timestamp_mask = UINT64_MAX;
		attr->hca_core_clock = 1000000;
	}
	return 0;
}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
	struct ibv_device_attr_ex all;
	int error = query_device_ex(context, NULL, &all, sizeof all);

	*attr = all.orig_attr;
	return error;
}

static int query_port(struct ibv_context *context, uint8_t number, struct ibv_port_attr *attr, size_t size)
{
	const struct profile *profile = profile_of(context);
	int error = ails(device_of(context));

	if (error)
		return error;
	if (number < 1 || number > profile->ports)
		return EINVAL;
	memset(attr, 0, size);
	attr->state = profile->sick && (sickness == LATE || number < profile->ports) ? IBV_PORT_DOWN : IBV_PORT_ACTIVE;
	attr->active_width = 2;
	attr->active_speed = 32;
	attr->max_msg_sz = 1u << 31;
	attr->max_mtu = IBV_MTU_4096;
	attr->active_mtu = IBV_MTU_4096;
	attr->link_layer = IBV_LINK_LAYER_ETHERNET;
	attr->gid_tbl_len = GIDS;
	attr->pkey_tbl_len = 1;
	return 0;
}

int ibv_query_port(struct ibv_context *context, uint8_t number, struct _compat_ibv_port_attr *attr)
{
	return query_port(context, number, (struct ibv_port_attr *)attr, offsetof(struct ibv_port_attr, flags));
}

int ibv_get_device_index(struct ibv_device *dev)
{
	return ((struct device *)dev)->index;
}

int _ibv_query_gid_ex(struct ibv_context *context, uint32_t number, uint32_t index, struct ibv_gid_entry *entry,
		      uint32_t flags, size_t size)
{
	if (number < 1 || number > profile_of(context)->ports || index >= GIDS)
		return EINVAL;
	*entry = device_of(context)->gids[index];
	return entry->port_num == number ? 0 : ENODATA;
}

int ibv_query_gid(struct ibv_context *context, uint8_t number, int index, union ibv_gid *gid)
{
	struct ibv_gid_entry entry = {};
	int error = _ibv_query_gid_ex(context, number, index, &entry, 0, sizeof entry);

	*gid = entry.gid;
	if (!error || error == ENODATA)
		return 0;
	errno = error;
	return -1;
}

ssize_t _ibv_query_gid_table(struct ibv_context *context, struct ibv_gid_entry *entries, size_t max, uint32_t flags,
			     size_t size)
{
	ssize_t count = 0;

	for (int i = 0; i < GIDS && count < max; i++)
		if (device_of(context)->gids[i].port_num)
			entries[count++] = device_of(context)->gids[i];
	return count;
}

int ibv_query_pkey(struct ibv_context *context, uint8_t number, int index, __be16 *pkey)
{
	if (number < 1 || number > profile_of(context)->ports || index) {
		errno = EINVAL;
		return -1;
	}
	*pkey = 0xFFFF;
	return 0;
}

static void make_device(struct device *device, const struct profile *profile, int index)
{
	struct ibv_gid_entry *gid = device->gids;
	int port = profile->sick ? profile->ports : 1;

	device->profile = profile;
	device->index = index;
	device->ibv.node_type = profile->node;
	device->ibv.transport_type = profile->transport;
	strcpy(device->ibv.name, profile->device);
	sprintf(device->ibv.dev_name, "uverbs%d", index);
	device->cm.device = &device->ibv;
	for (int i = 0; i < 2 && !profile->gidless; i++) {
		gid[i].gid_index = i;
		gid[i].port_num = port;
		gid[i].gid_type = IBV_GID_TYPE_ROCE_V2;
	}
	gid[0].gid.raw[0] = 0xFD; /* fd00::9:INDEX */
	gid[0].gid.raw[13] = 9;
	gid[0].gid.raw[15] = index + 1;
	gid[1].gid.raw[10] = gid[1].gid.raw[11] = 0xFF; /* 127.0.9.INDEX */
	gid[1].gid.raw[12] = 127;
	gid[1].gid.raw[14] = 9;
	gid[1].gid.raw[15] = index + 1;
}

int device_count(void)
{
	return profile_count;
}

struct device *device_at(int index)
{
	static pthread_mutex_t once = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&once);
	if (!devices) {
		struct device *made = calloc(profile_count, sizeof *made);

		for (int i = 0; i < profile_count; i++)
			make_device(&made[i], &profiles[i], i);
		devices = made;
	}
	pthread_mutex_unlock(&once);
	return &devices[index];
}

struct ibv_device **ibv_get_device_list(int *count)
{
	struct ibv_device **list = calloc(profile_count + 1, sizeof *list);
	int listed = 0;

	for (int i = 0; i < profile_count; i++)
		if (!device_at(i)->removed)
			list[listed++] = &device_at(i)->ibv;
	if (count)
		*count = listed;
	return list;
}

void ibv_free_device_list(struct ibv_device **list)
{
	free(list);
}

struct ibv_context *ibv_open_device(struct ibv_device *ibv)
{
	struct device *device = (struct device *)ibv;
	const struct profile *profile = device->profile;
	struct context *made;
	struct ibv_context *context;

	if (ails(device))
		return refuse(device->removed ? ENODEV : EIO);
	made = make(sizeof *made);
	context = &made->verbs.context;
	made->device = device;
	made->verbs.sz = sizeof made->verbs;
	made->verbs.query_device_ex = query_device_ex;
	made->verbs.query_port = query_port;
	if (profile->cq_fields)
		made->verbs.create_cq_ex = create_cq_ex;
	if (profile->moderation)
		made->verbs.modify_cq = modify_cq;
	if (profile->create_flags)
		made->verbs.create_qp_ex = create_qp_ex;
	context->abi_compat = __VERBS_ABI_IS_EXTENDED;
	context->device = ibv;
	context->ops.alloc_mw = alloc_mw;
	context->ops.dealloc_mw = dealloc_mw;
	context->ops.bind_mw = bind_mw;
	context->ops.post_send = post_send;
	context->ops.post_recv = post_recv;
	context->ops.post_srq_recv = post_srq_recv;
	context->ops.poll_cq = poll_cq;
	context->ops.req_notify_cq = req_notify_cq;
	context->cmd_fd = -1;
	context->async_fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	context->num_comp_vectors = profile->vectors;
	pthread_mutex_lock(&lock);
	made->next = device->contexts;
	device->contexts = made;
	pthread_mutex_unlock(&lock);
	return context;
}

int ibv_close_device(struct ibv_context *context)
{
	struct context *closed = (struct context *)((char *)context - offsetof(struct verbs_context, context));
	struct context **each = &closed->device->contexts;

	pthread_mutex_lock(&lock);
	while (*each != closed)
		each = &(*each)->next;
	*each = closed->next;
	while (closed->events) {
		struct async *first = closed->events;

		closed->events = first->next;
		free(first);
	}
	pthread_mutex_unlock(&lock);
	close(context->async_fd);
	destroy(closed);
	return 0;
}

/* What tests say. */

/* Says how many objects of libibverbs there are. */
int zoo_objects(void)
{
	return __atomic_load_n(&objects, __ATOMIC_SEQ_CST);
}

/* Says how often devices were opened, queried, and had objects made, changed or posted to, but for windows. */
int zoo_commands(void)
{
	return __atomic_load_n(&commands, __ATOMIC_SEQ_CST);
}

/* Has all devices be others of their kind, with node GUIDs of their own. */
int zoo_replace(void)
{
	return ++replaced;
}

/* Has the sick adapter be so, as enum sickness has it. */
int zoo_sick(int how)
{
	pthread_mutex_lock(&lock);
	sickness = how;
	for (int i = 0; i < profile_count; i++) {
		struct device *device = device_at(i);

		if (!device->profile->sick || device->removed == (how == REMOVED))
			continue;
		device->removed = how == REMOVED;
		if (!device->removed)
			continue;
		for (struct pair *pair = pairs; pair; pair = pair->next_pair)
			if (pair->device == device)
				fail_pair(pair);
		raise_device_event(device, IBV_EVENT_DEVICE_FATAL);
		remove_connections(device);
	}
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	return 0;
}
