/*
 * The zoo: adapters as their drivers show them, in one process. fabric.c has the device that does what it is asked for,
 * cm.c what connects its queue pairs, and zoo.c a row for each adapter: what it has, what it refuses and how.
 */
#ifndef ZOO_H
#define ZOO_H

#include <errno.h>
#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stddef.h>
#include <stdint.h>

#define KIND(type) (1 << (type))
/* What is made by a vendor's own call, all of type IBV_QPT_DRIVER. */
#define KIND_SRD (1 << 20) /* efadv_create_qp_ex(3) */
#define KIND_DCI (1 << 21) /* mlx5dv_create_qp(3): the initiator of DC */
#define KIND_DCT (1 << 22) /* its target */
#define MAX_PORTS 16
#define GIDS 4

/* What a call that fails leaves in errno: an error number, or nothing at all. */
#define NOTHING_SAID (-1)

enum doorbell {
	STORE, /* a store to a mapped page */
	STORE_AND_WAIT, /* likewise, after waiting for the device where it is congested */
	SYSTEM_CALL, /* a system call, at least in some states of a queue */
};

/* The rings of a queue pair, which may have more room than the call says that they have. */
struct rings {
	uint32_t sends;
	uint32_t receives;
};

/* A row. Errors are what the call leaves or returns, some below 0; 0 where there is nothing to refuse. */
struct profile {
	const char *driver;
	const char *device;
	enum ibv_node_type node;
	enum ibv_transport_type transport;
	int ports;
	int vectors;
	struct ibv_device_attr limits;
	uint32_t max_inline;
	/* Sizes the rings that cap asks for, and says in it what the caller hears; returns an error number or 0. */
	int (*size)(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		    struct rings *rings);
	uint32_t (*cqe)(uint32_t asked); /* how many completions a queue of so many holds */
	int types; /* of queue pairs, by KIND */
	int vendor_types; /* which of the vendor's own, by KIND_ */
	int type_error;
	int modified; /* the types that leave RESET, if not all do */
	int modify_error; /* of the others */
	int unmanaged; /* whether rdma_cm knows nothing of it */
	int gidless; /* whether its ports have no GIDs */
	int srq_error; /* of ibv_create_srq(3); 0: it has them */
	uint32_t (*srq_wr)(uint32_t asked); /* how many receives a shared queue holds */
	int windows; /* types of memory windows, by bits 1 and 2 */
	int window_error;
	int atomics;
	int immediate; /* data beside messages */
	int resize_error; /* of ibv_resize_cq(3) */
	uint64_t cq_fields; /* of ibv_create_cq_ex(3); 0: the call is not there */
	int cq_fields_error;
	uint32_t create_flags; /* of ibv_create_qp_ex(3); 0: the call is not there */
	int moderation;
	int rereg_error;
	int dmabuf_error;
	int multicast_error; /* of ibv_attach_mcast(3) */
	int peer_invalidate; /* sends that have the peer do it */
	int local_invalidate;
	int cq_error; /* of whatever is wrong with ibv_create_cq(3); 0: EINVAL */
	int full_post_error; /* of a post to a queue that is full */
	int opcode_post_error; /* of an operation that is not offered */
	int inline_post_error; /* of a post of more inline data than was granted */
	int sge_post_error; /* of a send of more pieces than were granted */
	int sge_receive_error; /* of a receive of more pieces */
	int signaled_only; /* whether sends without a completion are refused */
	int state_post_error; /* of a post of a send before the queue pair is ready; 0: it waits in the ring */
	int failed_post_error; /* of a post to a queue pair that failed; 0: it is flushed */
	int failed_if_told; /* whether that is only after ibv_modify_qp(3), which the library's half has seen */
	enum doorbell doorbell;
	int refuses_in_call; /* of iWARP: rdma_connect(3) itself says that nobody listens */
	int reject_status; /* of iWARP: what a peer's rejection is; 0: -ECONNRESET */
	int own_depths; /* of iWARP: established connections tell this side's depths as if they were the peer's */
	int sick; /* whether it does what zoo_sick() says */
};

extern const struct profile profiles[];
extern const int profile_count;

struct context;

struct device {
	struct ibv_device ibv;
	const struct profile *profile;
	int index;
	int removed;
	struct ibv_gid_entry gids[GIDS]; /* of its first port */
	struct ibv_context cm; /* what ids of it are bound to */
	struct context *contexts;
};

struct id;

struct request;
struct receives;
struct builder;

struct pair {
	union {
		struct ibv_qp qp;
		struct ibv_qp_ex extended;
		char room[sizeof(struct ibv_qp_ex) + 8 * sizeof(void *)];
	};
	struct device *device;
	struct ibv_qp_cap cap;
	struct ibv_qp_attr set; /* what was set last of each attribute */
	int signal_all;
	uint32_t create_flags;
	int kind; /* by KIND or KIND_ */
	uint64_t dc_key; /* of a target */
	struct builder *builder; /* of an initiator */
	char *ring;
	uint32_t places;
	size_t stride;
	uint32_t head; /* posted */
	uint32_t next; /* to be done */
	uint32_t tail; /* whose places are free again */
	uint32_t doorbell;
	struct receives *receives; /* its own or a shared queue's */
	int owns_receives;
	int unacknowledged; /* events */
	int told_failed; /* by ibv_modify_qp(3) */
	int established; /* whether a message has come in RTR */
	int drain_told;
	uint64_t deadline; /* of the request that waits for the peer, in nanoseconds; 0: none */
	int tries;
	struct id *id; /* of iWARP: the connection */
	struct pair *next_pair;
};

extern pthread_mutex_t lock;
extern pthread_cond_t changed;

/* Which fault the sick adapter has. */
enum sickness { WELL, HANGS, DIES, REMOVED, LATE };
extern int sickness;

struct device *device_at(int index);
int device_count(void);
struct pair *find_pair(uint32_t number); /* under the lock, as all that follow */
void fail_pair(struct pair *pair);
void ready_pair(struct pair *pair, const struct ibv_qp_attr *attr);
void progress_all(void);
void end_connection(struct id *id); /* of iWARP, by its queue pair's failure */
uint64_t now_nanos(void);
void raise_device_event(struct device *device, enum ibv_event_type type);
void remove_connections(struct device *device);

#endif
