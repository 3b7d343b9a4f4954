/* The rows of the zoo: what each adapter has, what it refuses, and how. */
#include "zoo.h"

static uint32_t up_to_power(uint64_t least)
{
	uint32_t power = 1;

	while (power < least)
		power <<= 1;
	return power;
}

/* As much as was asked for, as long as the limits allow it. */
static int size_exact(const struct profile *profile, const struct ibv_qp_init_attr *attr, struct ibv_qp_cap *cap)
{
	if (cap->max_send_wr > profile->limits.max_qp_wr || cap->max_recv_wr > profile->limits.max_qp_wr ||
	    cap->max_send_sge > profile->limits.max_sge || cap->max_recv_sge > profile->limits.max_sge ||
	    cap->max_inline_data > profile->max_inline)
		return EINVAL;
	return 0;
}

#define GENERAL_LIMITS                                                                                                  \
	.max_mr_size = UINT64_MAX, .page_size_cap = 0xFFFFF000, .vendor_id = 0x1, .max_qp = 16384, .max_qp_wr = 16384,  \
	.max_sge = 30, .max_sge_rd = 30, .max_cq = 16384, .max_cqe = 1 << 20, .max_mr = 16384, .max_pd = 16384,         \
	.max_qp_rd_atom = 16, .max_qp_init_rd_atom = 16, .max_res_rd_atom = 1 << 16, .max_ah = 1 << 16

const struct profile profiles[] = {
	{
		/* What the InfiniBand Architecture describes, and nothing of any adapter. */
		.driver = "roce",
		.device = "roce0",
		.node = IBV_NODE_CA,
		.transport = IBV_TRANSPORT_IB,
		.ports = 1,
		.vectors = 4,
		.limits = { GENERAL_LIMITS, .max_mw = 16384, .max_srq = 1024, .max_srq_wr = 16384, .max_srq_sge = 30,
			    .max_mcast_grp = 64, .max_mcast_qp_attach = 64, .max_total_mcast_qp_attach = 4096,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
						IBV_DEVICE_MEM_MGT_EXTENSIONS | IBV_DEVICE_RC_RNR_NAK_GEN },
		.max_inline = 512,
		.size = size_exact,
		.types = KIND(IBV_QPT_RC) | KIND(IBV_QPT_UC) | KIND(IBV_QPT_UD),
		.type_error = EOPNOTSUPP,
		.windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2,
		.atomics = 1,
		.immediate = 1,
		.cq_fields = IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_COMPLETION_TIMESTAMP,
		.cq_fields_error = EOPNOTSUPP,
		.moderation = 1,
		.dmabuf_error = EOPNOTSUPP,
		.invalidate = 1,
		.inline_post_error = EINVAL,
		.sge_post_error = EINVAL,
		.state_post_error = EINVAL,
		.doorbell = STORE,
	},
	{
		/* What the RFCs of iWARP describe. */
		.driver = "iwarp",
		.device = "iwarp0",
		.node = IBV_NODE_RNIC,
		.transport = IBV_TRANSPORT_IWARP,
		.ports = 1,
		.vectors = 4,
		.limits = { GENERAL_LIMITS, .max_mw = 16384, .max_srq = 1024, .max_srq_wr = 16384, .max_srq_sge = 30,
			    .device_cap_flags = IBV_DEVICE_MEM_WINDOW | IBV_DEVICE_MEM_WINDOW_TYPE_2B |
						IBV_DEVICE_MEM_MGT_EXTENSIONS },
		.max_inline = 512,
		.size = size_exact,
		.types = KIND(IBV_QPT_RC),
		.type_error = EOPNOTSUPP,
		.windows = 1 << IBV_MW_TYPE_1 | 1 << IBV_MW_TYPE_2,
		.dmabuf_error = EOPNOTSUPP,
		.multicast_error = EOPNOTSUPP,
		.invalidate = 1,
		.inline_post_error = EINVAL,
		.sge_post_error = EINVAL,
		.state_post_error = EINVAL,
		.doorbell = STORE,
	},
};

const int profile_count = sizeof profiles / sizeof *profiles;
