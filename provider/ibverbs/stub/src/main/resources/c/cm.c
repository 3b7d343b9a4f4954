/*
 * A librdmacm whose ids connect queue pairs of fabric.c's devices within the process. Each device has the addresses
 * 127.0.9.N and fd00::9:N, N being one more than its index. What the kernel's connection manager does is done at once, by the
 * thread that calls; drivers/infiniband/core/cma.c, cm.c and iwcm.c say what.
 */
#include "zoo.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#define FIRST_PORT 33000
#define LAST_PORT 60999
#define REQUEST_BYTES 56 /* IB_CM_REQ_PRIVATE_DATA_SIZE less what cma.c has in front */
#define REPLY_BYTES 196 /* IB_CM_REP_PRIVATE_DATA_SIZE */
#define REJECT_BYTES 148 /* IB_CM_REJ_PRIVATE_DATA_SIZE */
#define SIDR_REQUEST_BYTES 180 /* IB_CM_SIDR_REQ_PRIVATE_DATA_SIZE, likewise less */
#define SIDR_REPLY_BYTES 136 /* IB_CM_SIDR_REP_PRIVATE_DATA_SIZE */
#define REJ_TIMEOUT 4
#define REJ_INVALID_SERVICE_ID 8
#define REJ_CONSUMER_DEFINED 28
#define SIDR_UNSUPPORTED 1
#define SIDR_REJECT 2

enum state {
	IDLE,
	BOUND,
	LISTENING,
	RESOLVED,
	REQUEST_SENT,
	REQUEST_CAME,
	REPLY_SENT,
	REPLY_CAME,
	CONNECTED,
	ASKED_TO_END, /* the peer has disconnected, and waits for this side */
	ENDING, /* this side has */
	ENDED,
};

struct channel {
	struct rdma_event_channel channel;
	struct happened *events;
};

struct id {
	struct rdma_cm_id id;
	struct channel *channel;
	enum state state;
	struct id *peer;
	struct id *listener; /* of a request that came */
	struct device *device;
	uint32_t qp_number;
	uint8_t responder_resources;
	uint8_t initiator_depth;
	uint8_t retry_count;
	uint8_t rnr_retry_count;
	uint8_t ack_timeout;
	int reuse;
	int v6_only; /* or of IPv4: it leaves the port of the other family */
	int unacknowledged;
	struct id *next;
};

struct happened {
	struct rdma_cm_event event;
	struct id *of;
	uint8_t data[256];
	struct happened *next;
};

static struct id *ids;
static uint16_t next_port = FIRST_PORT;

static int fail(int error)
{
	errno = error;
	return -1;
}

static int is_iwarp(struct id *id)
{
	return id->device && id->device->profile->transport == IBV_TRANSPORT_IWARP;
}

static int is_datagrams(struct id *id)
{
	return id->id.ps == RDMA_PS_UDP;
}

/* Addresses. */

static struct sockaddr *source_of(struct id *id)
{
	return (struct sockaddr *)&id->id.route.addr.src_storage;
}

static struct sockaddr *destination_of(struct id *id)
{
	return (struct sockaddr *)&id->id.route.addr.dst_storage;
}

static uint16_t *port_of(struct sockaddr *address)
{
	return address->sa_family == AF_INET6 ? &((struct sockaddr_in6 *)address)->sin6_port :
						&((struct sockaddr_in *)address)->sin_port;
}

static int is_any(const struct sockaddr *address)
{
	if (address->sa_family == AF_INET6)
		return IN6_IS_ADDR_UNSPECIFIED(&((const struct sockaddr_in6 *)address)->sin6_addr);
	return ((const struct sockaddr_in *)address)->sin_addr.s_addr == 0;
}

static void copy_address(struct sockaddr *to, const struct sockaddr *from)
{
	memcpy(to, from, from->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in));
}

static int is_same_host(const struct sockaddr *one, const struct sockaddr *other)
{
	if (one->sa_family != other->sa_family)
		return 0;
	if (one->sa_family == AF_INET6)
		return !memcmp(&((const struct sockaddr_in6 *)one)->sin6_addr,
			       &((const struct sockaddr_in6 *)other)->sin6_addr, sizeof(struct in6_addr));
	return ((const struct sockaddr_in *)one)->sin_addr.s_addr ==
	       ((const struct sockaddr_in *)other)->sin_addr.s_addr;
}

static void gid_of(const struct sockaddr *address, union ibv_gid *gid)
{
	memset(gid, 0, sizeof *gid);
	if (address->sa_family == AF_INET6) {
		memcpy(gid, &((const struct sockaddr_in6 *)address)->sin6_addr, sizeof *gid);
		return;
	}
	gid->raw[10] = gid->raw[11] = 0xFF;
	memcpy(gid->raw + 12, &((const struct sockaddr_in *)address)->sin_addr, 4);
}

/* The device that has an address, and which of its GIDs it is. */
static struct device *device_of(const struct sockaddr *address, int *index)
{
	union ibv_gid gid;

	gid_of(address, &gid);
	for (int i = 0; i < device_count(); i++)
		for (int slot = 0; slot < GIDS; slot++)
			if (device_at(i)->gids[slot].port_num && !memcmp(&device_at(i)->gids[slot].gid, &gid, sizeof gid)) {
				if (index)
					*index = slot;
				return device_at(i)->removed || device_at(i)->profile->unmanaged ? NULL : device_at(i);
			}
	return NULL;
}

/* Events; under the lock. */

static struct happened *happens(struct id *to, enum rdma_cm_event_type type, int status)
{
	struct id *receiver = to->listener && type == RDMA_CM_EVENT_CONNECT_REQUEST ? to->listener : to;
	struct happened *made = calloc(1, sizeof *made);
	struct happened **at;
	uint64_t one = 1;

	made->of = to;
	made->event.id = &to->id;
	made->event.listen_id = receiver == to ? NULL : &receiver->id;
	made->event.event = type;
	made->event.status = status;
	to->unacknowledged++;
	if (receiver != to)
		receiver->unacknowledged++;
	for (at = &receiver->channel->events; *at;)
		at = &(*at)->next;
	*at = made;
	if (write(receiver->channel->channel.fd, &one, sizeof one) != sizeof one)
		abort();
	return made;
}

/* Has an event bring private data: on InfiniBand always as many octets as the message has room for. */
static void bring(struct happened *event, const void *data, uint8_t length, int room)
{
	if (length)
		memcpy(event->data, data, length);
	event->event.param.conn.private_data = event->data;
	event->event.param.conn.private_data_len = is_iwarp(event->of) ? length : room;
}

/* What the peer says of itself, as this side sees it. */
static void bring_depths(struct happened *event, const struct id *peer)
{
	event->event.param.conn.responder_resources = peer->initiator_depth;
	event->event.param.conn.initiator_depth = peer->responder_resources;
	event->event.param.conn.qp_num = peer->qp_number;
}

/* Of iWARP: what was agreed on. */
static void bring_agreed(struct happened *event, const struct id *own)
{
	int swapped = own->device->profile->own_depths;

	event->event.param.conn.responder_resources = swapped ? own->initiator_depth : own->responder_resources;
	event->event.param.conn.initiator_depth = swapped ? own->responder_resources : own->initiator_depth;
}

static void path_to(struct id *id, const struct sockaddr *address, struct ibv_ah_attr *attr)
{
	int own = 0;

	memset(attr, 0, sizeof *attr);
	device_of(source_of(id), &own);
	attr->is_global = 1;
	attr->port_num = id->id.port_num;
	attr->grh.sgid_index = own;
	attr->grh.hop_limit = 64;
	gid_of(address, &attr->grh.dgid);
}

static void bring_datagrams(struct happened *event, const struct sockaddr *to, uint32_t number)
{
	path_to(event->of, to, &event->event.param.ud.ah_attr);
	event->event.param.ud.qp_num = number;
	event->event.param.ud.qkey = RDMA_UDP_QKEY;
}

struct rdma_event_channel *rdma_create_event_channel(void)
{
	struct channel *made = calloc(1, sizeof *made);

	made->channel.fd = eventfd(0, EFD_CLOEXEC | EFD_SEMAPHORE);
	return &made->channel;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
	close(channel->fd);
	free(channel);
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **event)
{
	struct channel *from = (struct channel *)channel;
	struct happened *first = NULL;
	uint64_t count;

	while (!first) {
		if (read(channel->fd, &count, sizeof count) != sizeof count)
			return -1;
		pthread_mutex_lock(&lock);
		first = from->events;
		if (first)
			from->events = first->next;
		pthread_mutex_unlock(&lock);
	}
	*event = &first->event;
	return 0;
}

int rdma_ack_cm_event(struct rdma_cm_event *event)
{
	pthread_mutex_lock(&lock);
	((struct id *)event->id)->unacknowledged--;
	if (event->listen_id)
		((struct id *)event->listen_id)->unacknowledged--;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&lock);
	free(event);
	return 0;
}

/* Ids. */

static struct id *make_id(struct channel *channel, void *context, enum rdma_port_space ps)
{
	struct id *id = calloc(1, sizeof *id);

	id->channel = channel;
	id->id.channel = &channel->channel;
	id->id.context = context;
	id->id.ps = ps;
	id->next = ids;
	ids = id;
	return id;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id, void *context, enum rdma_port_space ps)
{
	pthread_mutex_lock(&lock);
	*id = &make_id((struct channel *)channel, context, ps)->id;
	pthread_mutex_unlock(&lock);
	return 0;
}

/* Forgets the events of an id that nobody took; a request that waits with its listener is destroyed with it. */
static void drop_events(struct id *id)
{
	for (struct happened **at = &id->channel->events; *at;) {
		struct happened *each = *at;

		if (each->of != id) {
			at = &each->next;
			continue;
		}
		*at = each->next;
		id->unacknowledged--;
		if (each->event.listen_id)
			((struct id *)each->event.listen_id)->unacknowledged--;
		free(each);
	}
}

static void reject(struct id *id, const void *data, uint8_t length);

/* The two sides of an id know each other no more; the other one hears why. */
static void leave_peer(struct id *id)
{
	struct id *peer = id->peer;

	switch (id->state) {
	case REQUEST_CAME:
	case REPLY_SENT:
	case REPLY_CAME:
		reject(id, NULL, 0);
		break;
	case REQUEST_SENT:
		if (peer && peer->state == REQUEST_CAME && !is_datagrams(id)) {
			peer->state = ENDED;
			if (!is_iwarp(id))
				happens(peer, RDMA_CM_EVENT_REJECTED, REJ_TIMEOUT);
		}
		break;
	case CONNECTED:
		if (is_iwarp(id)) {
			end_connection(id);
		} else if (peer) {
			peer->state = ASKED_TO_END;
			happens(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
		}
		break;
	case ASKED_TO_END:
		if (peer && peer->state == ENDING) {
			peer->state = ENDED;
			happens(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
		}
		break;
	default:
		break;
	}
	if (id->peer)
		id->peer->peer = NULL;
	id->peer = NULL;
}

static void forget_id(struct id *id)
{
	struct id **at = &ids;
	struct pair *pair = id->qp_number ? find_pair(id->qp_number) : NULL;

	if (pair && pair->id == id)
		pair->id = NULL;
	while (*at != id)
		at = &(*at)->next;
	*at = id->next;
}

int rdma_destroy_id(struct rdma_cm_id *cm_id)
{
	struct id *id = (struct id *)cm_id;
	int again = 1;

	pthread_mutex_lock(&lock);
	/* Requests that nobody has heard of. */
	while (id->state == LISTENING && again) {
		again = 0;
		for (struct happened *each = id->channel->events; each && !again; each = each->next) {
			struct id *child = each->of;

			if (each->event.listen_id != cm_id)
				continue;
			again = 1;
			drop_events(child);
			leave_peer(child);
			forget_id(child);
			free(child);
		}
	}
	leave_peer(id);
	id->state = ENDED;
	drop_events(id);
	while (id->unacknowledged)
		pthread_cond_wait(&changed, &lock);
	for (struct id *each = ids; each; each = each->next)
		if (each->listener == id)
			each->listener = NULL;
	forget_id(id);
	pthread_mutex_unlock(&lock);
	free(id);
	return 0;
}

int rdma_set_option(struct rdma_cm_id *cm_id, int level, int name, void *value, size_t length)
{
	struct id *id = (struct id *)cm_id;

	if (level != RDMA_OPTION_ID)
		return fail(EINVAL);
	switch (name) {
	case RDMA_OPTION_ID_TOS:
		return 0;
	case RDMA_OPTION_ID_REUSEADDR:
		id->reuse = *(int *)value;
		return 0;
	case RDMA_OPTION_ID_AFONLY:
		id->v6_only = *(int *)value;
		return 0;
	case RDMA_OPTION_ID_ACK_TIMEOUT:
		id->ack_timeout = *(uint8_t *)value;
		return 0;
	default:
		return fail(ENOSYS);
	}
}

/* cma_check_port() of the kernel. */
static int is_taken(struct id *id, const struct sockaddr *address, uint16_t port)
{
	for (struct id *each = ids; each; each = each->next) {
		struct sockaddr *its = source_of(each);

		if (each == id || each->listener || each->id.ps != id->id.ps || !its->sa_family || *port_of(its) != port)
			continue;
		if (id->reuse && each->reuse && each->state != LISTENING)
			continue;
		if (id->v6_only && each->v6_only && its->sa_family != address->sa_family)
			continue;
		if (!is_any(address) && !is_any(its) && !is_same_host(address, its))
			continue;
		return 1;
	}
	return 0;
}

static int bind_to(struct id *id, const struct sockaddr *address)
{
	struct device *device = NULL;
	struct sockaddr_storage wanted;
	uint16_t *port = port_of((struct sockaddr *)&wanted);

	if (id->state != IDLE)
		return EINVAL;
	copy_address((struct sockaddr *)&wanted, address);
	port = port_of((struct sockaddr *)&wanted);
	if (!is_any(address)) {
		device = device_of(address, NULL);
		if (!device)
			return EADDRNOTAVAIL;
	}
	id->v6_only |= address->sa_family == AF_INET;
	if (*port && is_taken(id, address, *port))
		return EADDRINUSE;
	while (!*port) {
		uint16_t next = next_port == LAST_PORT ? FIRST_PORT : next_port + 1;

		if (!is_taken(id, address, htons(next_port)))
			*port = htons(next_port);
		next_port = next;
	}
	copy_address(source_of(id), (struct sockaddr *)&wanted);
	id->device = device;
	id->id.verbs = device ? &device->cm : NULL;
	id->id.port_num = device ? device->gids[0].port_num : 0;
	id->state = BOUND;
	return 0;
}

int rdma_bind_addr(struct rdma_cm_id *id, struct sockaddr *address)
{
	int error;

	pthread_mutex_lock(&lock);
	error = bind_to((struct id *)id, address);
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_listen(struct rdma_cm_id *cm_id, int backlog)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state != BOUND)
		error = EINVAL;
	else if (is_taken(id, source_of(id), *port_of(source_of(id))))
		error = EADDRINUSE;
	else
		id->state = LISTENING;
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_resolve_addr(struct rdma_cm_id *cm_id, struct sockaddr *source, struct sockaddr *destination, int millis)
{
	struct id *id = (struct id *)cm_id;
	struct sockaddr_storage own;
	struct device *device;
	int error = 0;

	pthread_mutex_lock(&lock);
	device = device_of(destination, NULL);
	if (id->state == IDLE) {
		/* The way to a host of this machine begins there. */
		copy_address((struct sockaddr *)&own, source && !is_any(source) ? source : destination);
		*port_of((struct sockaddr *)&own) = source ? *port_of(source) : 0;
		if (device || (source && !is_any(source)))
			error = bind_to(id, (struct sockaddr *)&own);
	} else if (id->state != BOUND) {
		error = EINVAL;
	}
	if (!error) {
		copy_address(destination_of(id), destination);
		if (device && !id->device) {
			id->device = device;
			id->id.verbs = &device->cm;
			id->id.port_num = device->gids[0].port_num;
			*port_of((struct sockaddr *)&own) = *port_of(source_of(id));
			copy_address((struct sockaddr *)&own, destination);
			*port_of((struct sockaddr *)&own) = *port_of(source_of(id));
			copy_address(source_of(id), (struct sockaddr *)&own);
		}
		if (device) {
			id->state = RESOLVED;
			happens(id, RDMA_CM_EVENT_ADDR_RESOLVED, 0);
		} else {
			happens(id, RDMA_CM_EVENT_ADDR_ERROR, -EHOSTUNREACH);
		}
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_resolve_route(struct rdma_cm_id *cm_id, int millis)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state == RESOLVED)
		happens(id, RDMA_CM_EVENT_ROUTE_RESOLVED, 0);
	else
		error = EINVAL;
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_init_qp_attr(struct rdma_cm_id *cm_id, struct ibv_qp_attr *attr, int *mask)
{
	struct id *id = (struct id *)cm_id;
	enum ibv_qp_state to = attr->qp_state;
	int error = 0;

	pthread_mutex_lock(&lock);
	*mask = IBV_QP_STATE;
	if (!id->device) {
		error = EINVAL;
	} else if (to == IBV_QPS_INIT || is_iwarp(id)) {
		attr->port_num = id->id.port_num;
		attr->pkey_index = 0;
		attr->qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
		attr->qkey = RDMA_UDP_QKEY;
		*mask |= IBV_QP_PKEY_INDEX | IBV_QP_PORT | (is_datagrams(id) ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS);
	} else if (!id->peer) {
		error = EINVAL; /* cm.c: no state that has a peer */
	} else if (to == IBV_QPS_RTR) {
		path_to(id, destination_of(id), &attr->ah_attr);
		attr->path_mtu = IBV_MTU_4096;
		attr->dest_qp_num = id->peer->qp_number;
		attr->rq_psn = 1;
		attr->max_dest_rd_atomic = id->responder_resources;
		attr->min_rnr_timer = 0;
		*mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
			 IBV_QP_MIN_RNR_TIMER;
	} else if (to == IBV_QPS_RTS) {
		attr->sq_psn = 1;
		attr->retry_cnt = id->state == REPLY_CAME ? id->retry_count : id->peer->retry_count;
		attr->rnr_retry = id->state == REPLY_CAME ? id->peer->rnr_retry_count : id->peer->rnr_retry_count;
		attr->timeout = id->ack_timeout ? id->ack_timeout : 14;
		attr->max_rd_atomic = id->initiator_depth;
		*mask |= IBV_QP_SQ_PSN | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_TIMEOUT | IBV_QP_MAX_QP_RD_ATOMIC;
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

/* Connections. */

static struct id *listener_at(const struct id *asking)
{
	const struct sockaddr *to = (const struct sockaddr *)&asking->id.route.addr.dst_storage;
	struct id *found = NULL;

	for (struct id *each = ids; each; each = each->next) {
		struct sockaddr *its = source_of(each);

		if (each->state != LISTENING || each->id.ps != asking->id.ps ||
		    *port_of(its) != *port_of((struct sockaddr *)to))
			continue;
		if (is_same_host(its, to))
			return each;
		if (is_any(its) && (its->sa_family == to->sa_family || (its->sa_family == AF_INET6 && !each->v6_only)))
			found = each;
	}
	return found;
}

static void take_parameters(struct id *id, const struct rdma_conn_param *param)
{
	id->qp_number = param->qp_num;
	id->responder_resources = param->responder_resources;
	id->initiator_depth = param->initiator_depth;
	id->retry_count = param->retry_count & 7;
	id->rnr_retry_count = param->rnr_retry_count & 7;
}

static void nobody_listens(struct id *id)
{
	if (is_datagrams(id))
		happens(id, RDMA_CM_EVENT_UNREACHABLE, SIDR_UNSUPPORTED);
	else
		happens(id, RDMA_CM_EVENT_REJECTED, is_iwarp(id) ? -ECONNREFUSED : REJ_INVALID_SERVICE_ID);
	id->state = ENDED;
}

int rdma_connect(struct rdma_cm_id *cm_id, struct rdma_conn_param *param)
{
	struct id *id = (struct id *)cm_id;
	int room = is_datagrams(id) ? SIDR_REQUEST_BYTES : REQUEST_BYTES;
	struct id *listener;
	struct id *child;
	struct happened *request;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state != RESOLVED || (!is_iwarp(id) && param->private_data_len > room))
		error = EINVAL;
	if (!error && is_iwarp(id) && !find_pair(param->qp_num))
		error = EINVAL;
	if (!error) {
		take_parameters(id, param);
		id->state = REQUEST_SENT;
		listener = listener_at(id);
		if (!listener && is_iwarp(id) && id->device->profile->refuses_in_call) {
			id->state = ENDED;
			error = ECONNREFUSED;
		} else if (!listener) {
			nobody_listens(id);
		} else {
			child = make_id(listener->channel, listener->id.context, id->id.ps);
			child->listener = listener;
			child->device = id->device;
			child->id.verbs = id->id.verbs;
			child->id.port_num = id->id.port_num;
			copy_address(source_of(child), destination_of(id));
			copy_address(destination_of(child), source_of(id));
			child->peer = id;
			id->peer = child;
			child->state = REQUEST_CAME;
			request = happens(child, RDMA_CM_EVENT_CONNECT_REQUEST, 0);
			if (is_datagrams(id))
				bring_datagrams(request, source_of(id), 0);
			else
				bring_depths(request, id);
			bring(request, param->private_data, param->private_data_len, room);
		}
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

static void make_ready(struct id *id, struct id *peer)
{
	struct ibv_qp_attr attr = { .dest_qp_num = peer->qp_number, .max_rd_atomic = id->initiator_depth,
				    .max_dest_rd_atomic = id->responder_resources };
	struct pair *pair = find_pair(id->qp_number);

	if (!pair)
		return;
	pair->id = id;
	ready_pair(pair, &attr);
}

static void accepted_by_iwarp(struct id *id, const struct rdma_conn_param *param)
{
	struct id *peer = id->peer;
	struct happened *answer;

	/* What both can: the lesser of what one takes and the other has. */
	if (peer->initiator_depth > id->responder_resources)
		peer->initiator_depth = id->responder_resources;
	if (peer->responder_resources < id->initiator_depth)
		id->initiator_depth = peer->responder_resources;
	id->state = peer->state = CONNECTED;
	make_ready(id, peer);
	make_ready(peer, id);
	bring_agreed(happens(id, RDMA_CM_EVENT_ESTABLISHED, 0), id);
	answer = happens(peer, RDMA_CM_EVENT_ESTABLISHED, 0);
	bring_agreed(answer, peer);
	bring(answer, param->private_data, param->private_data_len, 0);
}

int rdma_accept(struct rdma_cm_id *cm_id, struct rdma_conn_param *param)
{
	struct id *id = (struct id *)cm_id;
	struct happened *answer;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state != REQUEST_CAME || !id->peer) {
		error = is_iwarp(id) ? ECONNRESET : EINVAL;
	} else if (is_datagrams(id)) {
		answer = happens(id->peer, RDMA_CM_EVENT_ESTABLISHED, 0);
		bring_datagrams(answer, destination_of(id->peer), param->qp_num);
		bring(answer, param->private_data, param->private_data_len, SIDR_REPLY_BYTES);
		id->peer->state = ENDED;
		id->state = ENDED;
	} else if (!find_pair(param->qp_num)) {
		error = EINVAL;
	} else {
		take_parameters(id, param);
		if (is_iwarp(id)) {
			accepted_by_iwarp(id, param);
		} else {
			id->state = REPLY_SENT;
			id->peer->state = REPLY_CAME;
			answer = happens(id->peer, RDMA_CM_EVENT_CONNECT_RESPONSE, 0);
			bring_depths(answer, id);
			bring(answer, param->private_data, param->private_data_len, REPLY_BYTES);
		}
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

static void establish(struct id *id)
{
	id->state = CONNECTED;
	happens(id, RDMA_CM_EVENT_ESTABLISHED, 0);
}

int rdma_establish(struct rdma_cm_id *cm_id)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state != REPLY_CAME || !id->peer) {
		error = EINVAL;
	} else {
		id->state = CONNECTED;
		if (id->peer->state == REPLY_SENT)
			establish(id->peer);
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

/* The kernel takes the first message for the confirmation of the peer. */
int rdma_notify(struct rdma_cm_id *cm_id, enum ibv_event_type event)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (event != IBV_EVENT_COMM_EST)
		error = EINVAL;
	else if (id->state == REPLY_SENT)
		establish(id);
	else if (id->state != CONNECTED)
		error = EINVAL;
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

static int rejection(struct id *id)
{
	int said = id->device->profile->reject_status;

	return is_iwarp(id) ? said ? said : -ECONNRESET : REJ_CONSUMER_DEFINED;
}

static void reject(struct id *id, const void *data, uint8_t length)
{
	struct id *peer = id->peer;
	struct happened *answer;

	id->state = ENDED;
	if (!peer || peer->state == ENDED)
		return;
	peer->state = ENDED;
	if (is_datagrams(id)) {
		answer = happens(peer, RDMA_CM_EVENT_UNREACHABLE, SIDR_REJECT);
		bring(answer, data, length, SIDR_REPLY_BYTES);
		return;
	}
	answer = happens(peer, RDMA_CM_EVENT_REJECTED, rejection(id));
	bring(answer, data, length, REJECT_BYTES);
}

int rdma_reject(struct rdma_cm_id *cm_id, const void *data, uint8_t length)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (id->state != REQUEST_CAME && id->state != REPLY_CAME)
		error = EINVAL;
	else if (!is_iwarp(id) && length > (is_datagrams(id) ? SIDR_REPLY_BYTES : REJECT_BYTES))
		error = EINVAL;
	else
		reject(id, data, length);
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_disconnect(struct rdma_cm_id *cm_id)
{
	struct id *id = (struct id *)cm_id;
	struct id *peer;
	int error = 0;

	pthread_mutex_lock(&lock);
	peer = id->peer;
	if (id->state == CONNECTED && is_iwarp(id)) {
		end_connection(id);
	} else if (id->state == CONNECTED) {
		id->state = peer ? ENDING : ENDED;
		if (!peer) {
			happens(id, RDMA_CM_EVENT_DISCONNECTED, 0);
		} else if (peer->state == ENDING) {
			/* Both asked at once. */
			peer->state = id->state = ENDED;
			happens(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
			happens(id, RDMA_CM_EVENT_DISCONNECTED, 0);
		} else {
			peer->state = ASKED_TO_END;
			happens(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
		}
	} else if (id->state == ASKED_TO_END) {
		id->state = ENDED;
		if (peer && peer->state == ENDING) {
			peer->state = ENDED;
			happens(peer, RDMA_CM_EVENT_DISCONNECTED, 0);
		}
	} else {
		error = EINVAL;
	}
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

/* Of iWARP: the stream is gone, at both ends. */
void end_connection(struct id *id)
{
	struct id *sides[] = { id, id->peer };

	if (id->state != CONNECTED)
		return;
	for (int i = 0; i < 2; i++)
		if (sides[i])
			sides[i]->state = ENDED;
	for (int i = 0; i < 2; i++) {
		struct pair *pair = sides[i] ? find_pair(sides[i]->qp_number) : NULL;

		if (!sides[i])
			continue;
		if (pair && pair->id == sides[i])
			fail_pair(pair);
		happens(sides[i], RDMA_CM_EVENT_DISCONNECTED, 0);
	}
}

void remove_connections(struct device *device)
{
	for (struct id *id = ids; id; id = id->next)
		if (id->device == device)
			happens(id, RDMA_CM_EVENT_DEVICE_REMOVAL, 0);
}

/* Groups. */

int rdma_join_multicast(struct rdma_cm_id *cm_id, struct sockaddr *address, void *context)
{
	struct id *id = (struct id *)cm_id;
	int error = 0;

	pthread_mutex_lock(&lock);
	if (!id->device || (id->state != BOUND && id->state != RESOLVED))
		error = EINVAL;
	else if (address->sa_family == AF_INET6)
		error = 524; /* ENOTSUPP, which cma_iboe_join_multicast() lets out */
	else
		bring_datagrams(happens(id, RDMA_CM_EVENT_MULTICAST_JOIN, 0), address, 0xFFFFFF);
	pthread_mutex_unlock(&lock);
	return error ? fail(error) : 0;
}

int rdma_join_multicast_ex(struct rdma_cm_id *id, struct rdma_cm_join_mc_attr_ex *attr, void *context)
{
	return rdma_join_multicast(id, attr->addr, context);
}

int rdma_leave_multicast(struct rdma_cm_id *id, struct sockaddr *address)
{
	return 0;
}

/* Says how many ids there are. */
int zoo_ids(void)
{
	int count = 0;

	pthread_mutex_lock(&lock);
	for (struct id *id = ids; id; id = id->next)
		count++;
	pthread_mutex_unlock(&lock);
	return count;
}
