/*
 * The rows of the zoo: what each adapter has, what it refuses, and how, as its drivers have it. providers/ is rdma-core's of
 * version 65, drivers/ is Linux's. docs/results/adapters.md has the facts in words, each with its function; what depends on
 * the model, as most limits do, is that of a common one.
 */
#include "zoo.h"

static uint32_t power(uint64_t least)
{
	uint32_t result = 1;

	while (result < least)
		result <<= 1;
	return result;
}

static uint32_t align(uint32_t value, uint32_t to)
{
	return (value + to - 1) / to * to;
}

static uint32_t most(uint32_t one, uint32_t other)
{
	return one > other ? one : other;
}

static int exceeds(const struct profile *profile, const struct ibv_qp_cap *cap)
{
	return cap->max_send_wr > profile->limits.max_qp_wr || cap->max_recv_wr > profile->limits.max_qp_wr ||
	       cap->max_send_sge > profile->limits.max_sge || cap->max_recv_sge > profile->limits.max_sge;
}

/* As much as was asked for. */
static int size_exact(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		      struct rings *rings)
{
	if (exceeds(profile, cap) || cap->max_inline_data > profile->max_inline)
		return EINVAL;
	*rings = (struct rings) { cap->max_send_wr, cap->max_recv_wr };
	return 0;
}

/* mlx5: providers/mlx5/verbs.c, mlx5_calc_sq_size() and mlx5_calc_rq_size(). */

#define MLX5_BLOCK 64
#define MLX5_BLOCKS 32768
#define MLX5_SEND_BYTES 1024
#define MLX5_RECEIVE_BYTES 512
#define MLX5_SEGMENT 16

/* _sq_overhead(): the headers of the longest operation that the type has. */
static uint32_t mlx5_overhead(enum ibv_qp_type type)
{
	switch (type) {
	case IBV_QPT_UD:
		return 16 + 48;
	case IBV_QPT_RAW_PACKET:
		return 16 + 16;
	default:
		return 16 + 48 + 64 + 64; /* a bind's */
	}
}

static int size_mlx5(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		     struct rings *rings)
{
	uint32_t overhead = mlx5_overhead(attr->qp_type);
	uint32_t inlined = cap->max_inline_data ? overhead + align(4 + cap->max_inline_data, MLX5_SEGMENT) : 0;
	uint32_t request = most(overhead + cap->max_send_sge * MLX5_SEGMENT, inlined);
	uint32_t receive = power(most(cap->max_recv_sge, 1) * MLX5_SEGMENT);
	uint64_t octets;

	if (request > MLX5_SEND_BYTES || (!attr->srq && receive > MLX5_RECEIVE_BYTES))
		return EINVAL;
	request = align(request, MLX5_BLOCK);
	octets = power((uint64_t)cap->max_send_wr * request);
	if (cap->max_send_wr > INT32_MAX / MLX5_SEND_BYTES || octets / MLX5_BLOCK > MLX5_BLOCKS ||
	    cap->max_recv_wr > profile->limits.max_qp_wr)
		return EINVAL;
	cap->max_inline_data = request - overhead - 4;
	cap->max_send_wr = octets / request;
	if (!attr->srq && cap->max_recv_wr) {
		cap->max_recv_wr = most(power(cap->max_recv_wr), MLX5_BLOCK / receive);
		cap->max_recv_sge = receive / MLX5_SEGMENT;
	}
	*rings = (struct rings) { cap->max_send_wr, cap->max_recv_wr };
	return 0;
}

/* mlx5_resize_cq() and create_cq(): align_queue_size(cqe + 1), one of which stays free. */
static uint32_t cqe_mlx5(uint32_t asked)
{
	return power((uint64_t)asked + 1) - 1;
}

/* mlx5_alloc_srq_buf() */
static uint32_t srq_mlx5(uint32_t asked)
{
	return power((uint64_t)asked + 1) - 1;
}

/* bnxt_re: providers/bnxt_re/verbs.c, bnxt_re_check_qp_limits(), bnxt_re_get_sqmem_size(): NULL, and errno as it was. */

#define BNXT_SLOT 16
#define BNXT_HEADER 32
#define BNXT_SGE 6

static int size_bnxt(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		     struct rings *rings)
{
	if (exceeds(profile, cap) ||
	    BNXT_HEADER + align(cap->max_inline_data, BNXT_HEADER) > BNXT_HEADER + BNXT_SGE * BNXT_SLOT)
		return NOTHING_SAID;
	/* bnxt_re_init_depth(): kernels of today take rings of any size. */
	rings->sends = cap->max_send_wr + 1;
	rings->receives = cap->max_recv_wr + 1;
	return 0;
}

/* bnxt_re_create_cq() doubles small queues. */
static uint32_t cqe_bnxt(uint32_t asked)
{
	return asked < (1 << 18) ? 2 * asked : asked;
}

/* irdma: providers/irdma/uverbs.c, irdma_ucreate_qp(); uk.c, irdma_get_wqe_shift() and irdma_get_sqdepth(). */

#define IRDMA_SGE 13
#define IRDMA_INLINE 101
#define IRDMA_QUANTA 32768
#define IRDMA_LEAST 8
#define IRDMA_SEND_RESERVE 258
#define IRDMA_RECEIVE_RESERVE 1

static int irdma_shift(uint32_t sge, uint32_t inlined)
{
	if (sge <= 1 && inlined <= 8)
		return 0;
	if (sge < 4 && inlined <= 39)
		return 1;
	return sge < 8 && inlined <= IRDMA_INLINE ? 2 : 3;
}

static int size_irdma(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		      struct rings *rings)
{
	int shift;
	uint32_t quanta;

	if (attr->srq) {
		cap->max_recv_sge = IRDMA_SGE;
		cap->max_recv_wr = 1;
	}
	if (cap->max_send_sge > IRDMA_SGE || cap->max_recv_sge > IRDMA_SGE || cap->max_send_wr > IRDMA_QUANTA ||
	    cap->max_recv_wr > IRDMA_QUANTA || cap->max_inline_data > IRDMA_INLINE)
		return EINVAL;
	shift = irdma_shift(cap->max_send_sge + 1, cap->max_inline_data); /* one more for immediate data */
	quanta = most(power(((uint64_t)cap->max_send_wr << shift) + IRDMA_SEND_RESERVE), IRDMA_LEAST << shift);
	if (quanta > IRDMA_QUANTA)
		return EINVAL;
	cap->max_send_wr = (quanta - IRDMA_SEND_RESERVE) >> shift;
	shift = irdma_shift(cap->max_recv_sge, 0);
	quanta = most(power(((uint64_t)cap->max_recv_wr << shift) + IRDMA_RECEIVE_RESERVE), IRDMA_LEAST << shift);
	if (quanta > IRDMA_QUANTA)
		return EINVAL;
	cap->max_recv_wr = (quanta - IRDMA_RECEIVE_RESERVE) >> shift;
	*rings = (struct rings) { cap->max_send_wr, cap->max_recv_wr };
	return 0;
}

/* hns: providers/hns/hns_roce_u_verbs.c, verify_qp_create_cap() and hns_roce_set_qp_params(). */

#define HNS_LEAST 64

static int size_hns(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		    struct rings *rings)
{
	if (!cap->max_send_wr || exceeds(profile, cap))
		return EINVAL;
	cap->max_send_wr = power(most(cap->max_send_wr, HNS_LEAST));
	if (attr->srq) {
		cap->max_recv_wr = cap->max_recv_sge = 0;
	} else if (cap->max_recv_wr) {
		if (!cap->max_recv_sge)
			return EINVAL;
		cap->max_recv_wr = power(most(cap->max_recv_wr, HNS_LEAST));
		cap->max_recv_sge = power(cap->max_recv_sge);
	}
	/* get_max_inline_data(): what is too much is cut, not refused. */
	if (cap->max_inline_data)
		cap->max_inline_data = power(cap->max_inline_data) < profile->max_inline ?
					       power(cap->max_inline_data) :
					       profile->max_inline;
	*rings = (struct rings) { cap->max_send_wr, cap->max_recv_wr };
	return 0;
}

/* verify_cq_create_attr() */
static uint32_t cqe_hns(uint32_t asked)
{
	return most(HNS_LEAST, power(asked));
}

/* efa: providers/efa/verbs.c, efa_check_qp_limits() and efa_setup_qp(). */

#define EFA_SEND_SGE 2
#define EFA_RECEIVE_SGE 3
#define EFA_LEAST_SENDS 16

static int size_efa(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		    struct rings *rings)
{
	if (attr->srq || cap->max_send_sge > EFA_SEND_SGE || cap->max_recv_sge > EFA_RECEIVE_SGE ||
	    cap->max_send_wr > profile->limits.max_qp_wr ||
	    (uint64_t)cap->max_recv_wr * most(cap->max_recv_sge, 1) > profile->limits.max_qp_wr ||
	    cap->max_inline_data > profile->max_inline)
		return EINVAL;
	cap->max_send_wr = power(most(cap->max_send_wr, EFA_LEAST_SENDS));
	cap->max_recv_wr = power((uint64_t)cap->max_recv_sge * cap->max_recv_wr) / most(cap->max_recv_sge, 1);
	*rings = (struct rings) { cap->max_send_wr, cap->max_recv_wr };
	return 0;
}

static uint32_t cqe_power(uint32_t asked)
{
	return power(asked);
}

/* erdma: drivers/infiniband/hw/erdma/erdma_verbs.c, erdma_qp_validate_cap(); providers/erdma/erdma_verbs.c. */

#define ERDMA_SEND_SGE 6
#define ERDMA_RECEIVE_SGE 1

static int size_erdma(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		      struct rings *rings)
{
	if (attr->srq)
		return EOPNOTSUPP; /* erdma_qp_validate_attr() */
	if (!cap->max_send_wr || !cap->max_recv_wr || cap->max_send_wr > profile->limits.max_qp_wr ||
	    cap->max_recv_wr > profile->limits.max_qp_wr || cap->max_send_sge > ERDMA_SEND_SGE ||
	    cap->max_recv_sge > ERDMA_RECEIVE_SGE || cap->max_inline_data > profile->max_inline)
		return EINVAL;
	/* Room for the longest requests: shorter ones find more. */
	*rings = (struct rings) { power(cap->max_send_wr), power(cap->max_recv_wr) };
	return 0;
}

/* erdma_create_cq() */
static uint32_t cqe_erdma(uint32_t asked)
{
	return most(64, power(asked));
}

/* cxgb4: drivers/infiniband/hw/cxgb4/qp.c, c4iw_create_qp(). */

#define CXGB4_LEAST 8

static int size_cxgb4(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap,
		      struct rings *rings)
{
	if (cap->max_inline_data > profile->max_inline)
		return EINVAL;
	if (cap->max_send_wr > profile->limits.max_qp_wr || cap->max_recv_wr > profile->limits.max_qp_wr)
		return E2BIG;
	rings->sends = most(CXGB4_LEAST, cap->max_send_wr + 1) - 1;
	rings->receives = most(CXGB4_LEAST, cap->max_recv_wr + 1) - 1;
	return 0;
}

/* drivers/infiniband/hw/cxgb4/cq.c, c4iw_create_cq(): one for the status page, one to tell full from empty, in sixteens. */
static uint32_t cqe_cxgb4(uint32_t asked)
{
	return align(asked + 2, 16) - 2;
}

#define GENERAL_LIMITS                                                                                                  \
	.max_mr_size = UINT64_MAX, .page_size_cap = 0xFFFFF000, .max_qp = 16384, .max_cq = 16384, .max_mr = 16384,      \
	.max_pd = 16384, .max_qp_rd_atom = 16, .max_qp_init_rd_atom = 16, .max_res_rd_atom = 1 << 16, .max_ah = 1 << 16

#define GENERAL_SRQ .max_srq = 1024, .max_srq_wr = 16384, .max_srq_sge = 30

#define GENERAL_ROCE .node = IBV_NODE_CA, .transport = IBV_TRANSPORT_IB, .vectors = 4

#define GENERAL_IWARP                                                                                                   \
	.node = IBV_NODE_RNIC, .transport = IBV_TRANSPORT_IWARP, .ports = 1, .vectors = 4

#define GENERAL_ERRORS                                                                                                  \
	.full_post_error = ENOMEM, .opcode_post_error = EINVAL, .inline_post_error = EINVAL, .sge_post_error = EINVAL,  \
	.sge_receive_error = EINVAL

/* What the InfiniBand Architecture describes, and nothing of any adapter. */
#define ROCE                                                                                                            \
	GENERAL_ROCE,                                                                                                   \
		.limits = { GENERAL_LIMITS, GENERAL_SRQ, .vendor_id = 1, .max_qp_wr = 16384, .max_sge = 30,             \
			    .max_sge_rd = 30, .max_cqe = 1 << 20, .max_mw = 16384, .max_mcast_grp = 64,                 \
			    .max_mcast_qp_attach = 64, .max_total_mcast_qp_attach = 4096,                               \
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |                 \
						IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_RC_RNR_NAK_GEN },            \
		.max_inline = 512, .size = size_exact,                                                                  \
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UC) | KIND(IBV_QPT_UD), .type_error = EOPNOTSUPP,              \
		.windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2, .atomics = 1, .immediate = 1,                       \
		.cq_fields = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,                               \
		.cq_fields_error = EOPNOTSUPP, .moderation = 1, .dmabuf_error = EOPNOTSUPP, .peer_invalidate = 1,       \
		.local_invalidate = 1, GENERAL_ERRORS, .state_post_error = EINVAL, .doorbell = STORE

/* ConnectX with the driver mlx5, which keeps what is posted too early in the ring (_mlx5_post_send()). */
#define MLX5                                                                                                            \
	GENERAL_ROCE,                                                                                                   \
		.limits = { GENERAL_LIMITS, .vendor_id = 0x2c9, .max_qp_wr = 32768, .max_sge = 30, .max_sge_rd = 30,    \
			    .max_cqe = (1 << 22) - 1, .max_mw = 1 << 24, .max_srq = 1 << 23, .max_srq_wr = 32767,       \
			    .max_srq_sge = 31, .max_mcast_grp = 1 << 21, .max_mcast_qp_attach = 240,                    \
			    .max_total_mcast_qp_attach = 503316480,                                                     \
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |                 \
						IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_RC_RNR_NAK_GEN },            \
		.size = size_mlx5, .cqe = cqe_mlx5, .srq_wr = srq_mlx5,                                                 \
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UC) | KIND(IBV_QPT_UD) | KIND(IBV_QPT_RAW_PACKET),             \
		.vendor_types = KIND_DCI | KIND_DCT,                                                                    \
		.type_error = EOPNOTSUPP, .windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2, .atomics = 1,             \
		.immediate = 1,                                                                                         \
		.cq_fields = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP | IBV_WC_EX_WITH_CVLAN |       \
			     IBV_WC_EX_WITH_FLOW_TAG | IBV_WC_EX_WITH_TM_INFO |                                         \
			     IBV_WC_EX_WITH_COMPLETION_TIMESTAMP_WALLCLOCK,                                             \
		.create_flags = IBV_QP_CREATE_BLOCK_SELF_MCAST_LB | IBV_QP_CREATE_SCATTER_FCS |                         \
				IBV_QP_CREATE_CVLAN_STRIPPING | IBV_QP_CREATE_PCI_WRITE_END_PADDING,                    \
		.cq_fields_error = ENOTSUP, .moderation = 1, .peer_invalidate = 1, .local_invalidate = 1,               \
		.full_post_error = ENOMEM, .opcode_post_error = EINVAL, .inline_post_error = ENOMEM,                    \
		.sge_post_error = ENOMEM, .sge_receive_error = EINVAL, .doorbell = STORE

const struct profile profiles[] = {
	{ .driver = "roce", .device = "roce0", ROCE, .ports = 1 },
	{
		/* What the RFCs of iWARP describe. */
		.driver = "iwarp",
		.device = "iwarp0",
		GENERAL_IWARP,
		.limits = { GENERAL_LIMITS, GENERAL_SRQ, .vendor_id = 1, .max_qp_wr = 16384, .max_sge = 30,
			    .max_sge_rd = 1, .max_cqe = 1 << 20, .max_mw = 16384,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
						IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = 512,
		.size = size_exact,
		.types = KIND(IBV_QPT_RC),
		.type_error = EOPNOTSUPP,
		.windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2,
		.dmabuf_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		.peer_invalidate = 1,
		.local_invalidate = 1,
		GENERAL_ERRORS,
		.state_post_error = EINVAL,
		.doorbell = STORE,
		.refuses_in_call = 1,
		.own_depths = 1,
	},
	{ .driver = "mlx5", .device = "mlx5_0", MLX5, .ports = 1 },
	{
		/* devlink's enable_roce is off: queue pairs of all types are made, and RAW_PACKET alone leaves RESET. */
		.driver = "mlx5",
		.device = "mlx5_1",
		MLX5,
		.ports = 1,
		.modified = KIND(IBV_QPT_RAW_PACKET),
		.modify_error = EOPNOTSUPP,
		.unmanaged = 1,
		.gidless = 1,
	},
	{
		.driver = "bnxt_re",
		.device = "bnxt_re0",
		GENERAL_ROCE,
		.ports = 1,
		/* Windows are claimed, and the library makes none. */
		.limits = { GENERAL_LIMITS, GENERAL_SRQ, .vendor_id = 0x14e4, .max_qp_wr = 8191, .max_sge = BNXT_SGE,
			    .max_sge_rd = BNXT_SGE, .max_cqe = (1 << 19) - 1, .max_mw = 1 << 16,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
						IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_RC_RNR_NAK_GEN },
		.max_inline = BNXT_SGE * BNXT_SLOT,
		.size = size_bnxt,
		.cqe = cqe_bnxt,
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UD) | KIND(IBV_QPT_RAW_PACKET),
		.type_error = NOTHING_SAID,
		.window_error = EOPNOTSUPP,
		.immediate = 1,
		.rereg_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		.peer_invalidate = 1,
		.full_post_error = ENOMEM,
		.opcode_post_error = -EINVAL,
		.inline_post_error = ENOMEM,
		.sge_post_error = ENOMEM,
		.sge_receive_error = ENOMEM,
		.doorbell = STORE_AND_WAIT,
	},
	{
		/* An E810 that speaks RoCE. */
		.driver = "irdma",
		.device = "irdma0",
		GENERAL_ROCE,
		.ports = 1,
		.limits = { GENERAL_LIMITS, .vendor_id = 0x8086, .max_qp_wr = 4063, .max_sge = IRDMA_SGE,
			    .max_sge_rd = IRDMA_SGE, .max_cqe = 1048574, .max_mw = 1 << 20, .max_mcast_grp = 1 << 16,
			    .max_mcast_qp_attach = 8, .max_total_mcast_qp_attach = 1 << 16,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
						IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = IRDMA_INLINE,
		.size = size_irdma,
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UD),
		.type_error = EOPNOTSUPP,
		.srq_error = EOPNOTSUPP,
		.windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2,
		.immediate = 1,
		.cq_fields = IBV_WC_EX_WITH_BYTE_LEN | IBV_WC_EX_WITH_IMM | IBV_WC_EX_WITH_QP_NUM |
			     IBV_WC_EX_WITH_SRC_QP | IBV_WC_EX_WITH_SLID | IBV_WC_EX_WITH_SL,
		.cq_fields_error = EOPNOTSUPP,
		.peer_invalidate = 1,
		.local_invalidate = 1,
		GENERAL_ERRORS,
		.doorbell = STORE,
	},
	{
		/* Of the third generation, HIP09. */
		.driver = "hns",
		.device = "hns_0",
		GENERAL_ROCE,
		.ports = 1,
		.limits = { GENERAL_LIMITS, GENERAL_SRQ, .vendor_id = 0x19e5, .max_qp_wr = 32768, .max_sge = 64,
			    .max_sge_rd = 1, .max_cqe = 1 << 22,
			    .device_cap_flags = IBV_DEVICE_RC_RNR_NAK_GEN | IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = 1024,
		.size = size_hns,
		.cqe = cqe_hns,
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UD),
		.type_error = EOPNOTSUPP,
		.window_error = EOPNOTSUPP,
		.atomics = 1,
		.immediate = 1,
		.resize_error = EOPNOTSUPP,
		.cq_fields = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_CVLAN,
		.cq_fields_error = EOPNOTSUPP,
		.moderation = 1,
		.dmabuf_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		.peer_invalidate = 1,
		GENERAL_ERRORS,
		.state_post_error = EINVAL,
		.doorbell = STORE,
	},
	{
		/* Queue pairs of ibv_create_qp(3) are of type UD alone; SRD are made by efadv_create_qp_ex(3). */
		.driver = "efa",
		.device = "efa_0",
		.node = IBV_NODE_UNSPECIFIED,
		.transport = IBV_TRANSPORT_UNSPECIFIED,
		.ports = 1,
		.vectors = 4,
		.limits = { GENERAL_LIMITS, .vendor_id = 0x1d0f, .max_qp_wr = 4096, .max_sge = EFA_SEND_SGE,
			    .max_sge_rd = 1, .max_cqe = 1 << 15 },
		.max_inline = 32,
		.size = size_efa,
		.cqe = cqe_power,
		.types = KIND(IBV_QPT_UD),
		.vendor_types = KIND_SRD,
		.type_error = EOPNOTSUPP,
		.unmanaged = 1,
		.srq_error = EOPNOTSUPP,
		.window_error = EOPNOTSUPP,
		.immediate = 1,
		.resize_error = EOPNOTSUPP,
		.cq_fields = IBV_WC_STANDARD_FLAGS,
		.cq_fields_error = EOPNOTSUPP,
		.rereg_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		GENERAL_ERRORS,
		.signaled_only = 1,
		.state_post_error = EINVAL,
		.doorbell = STORE,
	},
	{
		/* Says errors of posts below 0, and refuses what is posted to a queue pair that failed. */
		.driver = "erdma",
		.device = "erdma_0",
		GENERAL_IWARP,
		.limits = { GENERAL_LIMITS, .vendor_id = 0x1ded, .max_qp_wr = 8192, .max_sge = ERDMA_RECEIVE_SGE,
			    .max_sge_rd = 1, .max_cqe = 1 << 20,
			    .device_cap_flags = IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = ERDMA_SEND_SGE * 16,
		.size = size_erdma,
		.cqe = cqe_erdma,
		.cq_error = EIO,
		.types = KIND(IBV_QPT_RC),
		.type_error = EOPNOTSUPP,
		.srq_error = EOPNOTSUPP,
		.window_error = EOPNOTSUPP,
		.resize_error = EOPNOTSUPP,
		.rereg_error = EOPNOTSUPP,
		.dmabuf_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		.peer_invalidate = 1,
		.full_post_error = -ENOMEM,
		.opcode_post_error = -EINVAL,
		.inline_post_error = -EINVAL,
		.sge_post_error = -EINVAL,
		.sge_receive_error = -EINVAL,
		.failed_post_error = -EIO,
		.failed_if_told = 1,
		.doorbell = STORE,
		.own_depths = 1,
	},
	{
		.driver = "cxgb4",
		.device = "cxgb4_0",
		GENERAL_IWARP,
		.limits = { GENERAL_LIMITS, GENERAL_SRQ, .vendor_id = 0x1425, .max_qp_wr = 8190, .max_sge = 4,
			    .max_sge_rd = 1, .max_cqe = 65518,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = 280,
		.size = size_cxgb4,
		.cqe = cqe_cxgb4,
		.types = KIND(IBV_QPT_RC),
		.type_error = EOPNOTSUPP,
		.window_error = EOPNOTSUPP,
		.resize_error = EOPNOTSUPP,
		.rereg_error = EOPNOTSUPP,
		.dmabuf_error = EOPNOTSUPP,
		.multicast_error = ENOSYS,
		.peer_invalidate = 1,
		.full_post_error = -ENOMEM,
		.opcode_post_error = -EINVAL,
		.inline_post_error = -EMSGSIZE,
		.sge_post_error = -EINVAL,
		.sge_receive_error = -EINVAL,
		.failed_post_error = -EINVAL,
		.reject_status = -ECONNREFUSED,
		.doorbell = SYSTEM_CALL, /* ring_kernel_db(), while the doorbell is off */
	},
	{
		/* As the first, with sixteen ports of which the last is up, and with what zoo_sick() says. */
		.driver = "sick",
		.device = "sick0",
		ROCE,
		.ports = MAX_PORTS,
		.sick = 1,
	},
};

const int profile_count = sizeof profiles / sizeof *profiles;
