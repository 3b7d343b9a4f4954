package org.panamaverbs.ibverbs.call;

import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.ibverbs.Ibverbs;

/** The control calls of libibverbs. */
public final class IbvCalls {
    /** {@code ibv_alloc_pd(3)}. */
    public static final Call ALLOC_PD =
            Call.of(NativeLibrary.IBVERBS, "ibv_alloc_pd", Ibverbs::ibv_alloc_pd$descriptor);

    /** {@code ibv_dealloc_pd(3)}. */
    public static final Call DEALLOC_PD =
            Call.of(NativeLibrary.IBVERBS, "ibv_dealloc_pd", Ibverbs::ibv_dealloc_pd$descriptor);

    /** {@code ibv_reg_mr_iova2(3)}. */
    public static final Call REG_MR_IOVA2 =
            Call.of(NativeLibrary.IBVERBS, "ibv_reg_mr_iova2", Ibverbs::ibv_reg_mr_iova2$descriptor);

    /** {@code ibv_reg_dmabuf_mr(3)}. */
    public static final Call REG_DMABUF_MR =
            Call.of(NativeLibrary.IBVERBS, "ibv_reg_dmabuf_mr", Ibverbs::ibv_reg_dmabuf_mr$descriptor);

    /** {@code ibv_rereg_mr(3)}: region, what changes, domain, address, length, rights. */
    public static final Call REREG_MR =
            Call.of(NativeLibrary.IBVERBS, "ibv_rereg_mr", Ibverbs::ibv_rereg_mr$descriptor);

    /** {@code ibv_dereg_mr(3)}. */
    public static final Call DEREG_MR =
            Call.of(NativeLibrary.IBVERBS, "ibv_dereg_mr", Ibverbs::ibv_dereg_mr$descriptor);

    /** {@code ibv_create_cq(3)}. */
    public static final Call CREATE_CQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_create_cq", Ibverbs::ibv_create_cq$descriptor);

    /** {@code ibv_resize_cq(3)}. */
    public static final Call RESIZE_CQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_resize_cq", Ibverbs::ibv_resize_cq$descriptor);

    /** {@code ibv_destroy_cq(3)}. */
    public static final Call DESTROY_CQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_destroy_cq", Ibverbs::ibv_destroy_cq$descriptor);

    /** {@code ibv_create_comp_channel(3)}. */
    public static final Call CREATE_COMP_CHANNEL =
            Call.of(NativeLibrary.IBVERBS, "ibv_create_comp_channel", Ibverbs::ibv_create_comp_channel$descriptor);

    /** {@code ibv_destroy_comp_channel(3)}. */
    public static final Call DESTROY_COMP_CHANNEL =
            Call.of(NativeLibrary.IBVERBS, "ibv_destroy_comp_channel", Ibverbs::ibv_destroy_comp_channel$descriptor);

    /** {@code ibv_get_cq_event(3)}. */
    public static final Call GET_CQ_EVENT =
            Call.of(NativeLibrary.IBVERBS, "ibv_get_cq_event", Ibverbs::ibv_get_cq_event$descriptor);

    /** {@code ibv_create_srq(3)}. */
    public static final Call CREATE_SRQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_create_srq", Ibverbs::ibv_create_srq$descriptor);

    /** {@code ibv_modify_srq(3)}. */
    public static final Call MODIFY_SRQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_modify_srq", Ibverbs::ibv_modify_srq$descriptor);

    /** {@code ibv_query_srq(3)}. */
    public static final Call QUERY_SRQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_srq", Ibverbs::ibv_query_srq$descriptor);

    /** {@code ibv_destroy_srq(3)}. */
    public static final Call DESTROY_SRQ =
            Call.of(NativeLibrary.IBVERBS, "ibv_destroy_srq", Ibverbs::ibv_destroy_srq$descriptor);

    /** {@code ibv_create_qp(3)}. */
    public static final Call CREATE_QP =
            Call.of(NativeLibrary.IBVERBS, "ibv_create_qp", Ibverbs::ibv_create_qp$descriptor);

    /** {@code ibv_modify_qp(3)}. */
    public static final Call MODIFY_QP =
            Call.of(NativeLibrary.IBVERBS, "ibv_modify_qp", Ibverbs::ibv_modify_qp$descriptor);

    /** {@code ibv_query_qp(3)}. */
    public static final Call QUERY_QP =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_qp", Ibverbs::ibv_query_qp$descriptor);

    /** {@code ibv_query_ece(3)}. */
    public static final Call QUERY_ECE =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_ece", Ibverbs::ibv_query_ece$descriptor);

    /** {@code ibv_set_ece(3)}. */
    public static final Call SET_ECE = Call.of(NativeLibrary.IBVERBS, "ibv_set_ece", Ibverbs::ibv_set_ece$descriptor);

    /** {@code ibv_query_qp_data_in_order(3)}: queue pair, operation, flags. */
    public static final Call QUERY_QP_DATA_IN_ORDER = Call.of(
            NativeLibrary.IBVERBS, "ibv_query_qp_data_in_order", Ibverbs::ibv_query_qp_data_in_order$descriptor);

    /** {@code ibv_destroy_qp(3)}. */
    public static final Call DESTROY_QP =
            Call.of(NativeLibrary.IBVERBS, "ibv_destroy_qp", Ibverbs::ibv_destroy_qp$descriptor);

    /** {@code ibv_create_ah(3)}. */
    public static final Call CREATE_AH =
            Call.of(NativeLibrary.IBVERBS, "ibv_create_ah", Ibverbs::ibv_create_ah$descriptor);

    /** {@code ibv_init_ah_from_wc(3)}. */
    public static final Call INIT_AH_FROM_WC =
            Call.of(NativeLibrary.IBVERBS, "ibv_init_ah_from_wc", Ibverbs::ibv_init_ah_from_wc$descriptor);

    /** {@code ibv_destroy_ah(3)}. */
    public static final Call DESTROY_AH =
            Call.of(NativeLibrary.IBVERBS, "ibv_destroy_ah", Ibverbs::ibv_destroy_ah$descriptor);

    /** {@code ibv_attach_mcast(3)}. */
    public static final Call ATTACH_MCAST =
            Call.of(NativeLibrary.IBVERBS, "ibv_attach_mcast", Ibverbs::ibv_attach_mcast$descriptor);

    /** {@code ibv_detach_mcast(3)}. */
    public static final Call DETACH_MCAST =
            Call.of(NativeLibrary.IBVERBS, "ibv_detach_mcast", Ibverbs::ibv_detach_mcast$descriptor);

    /** {@code ibv_get_async_event(3)}. */
    public static final Call GET_ASYNC_EVENT =
            Call.of(NativeLibrary.IBVERBS, "ibv_get_async_event", Ibverbs::ibv_get_async_event$descriptor);

    /** {@code ibv_get_device_list(3)}. */
    public static final Call GET_DEVICE_LIST =
            Call.of(NativeLibrary.IBVERBS, "ibv_get_device_list", Ibverbs::ibv_get_device_list$descriptor);

    /** {@code ibv_free_device_list(3)}. */
    public static final Call FREE_DEVICE_LIST =
            Call.of(NativeLibrary.IBVERBS, "ibv_free_device_list", Ibverbs::ibv_free_device_list$descriptor);

    /** {@code ibv_open_device(3)}. */
    public static final Call OPEN_DEVICE =
            Call.of(NativeLibrary.IBVERBS, "ibv_open_device", Ibverbs::ibv_open_device$descriptor);

    /** {@code ibv_close_device(3)}. */
    public static final Call CLOSE_DEVICE =
            Call.of(NativeLibrary.IBVERBS, "ibv_close_device", Ibverbs::ibv_close_device$descriptor);

    /** {@code ibv_import_device(3)}: descriptor. */
    public static final Call IMPORT_DEVICE =
            Call.of(NativeLibrary.IBVERBS, "ibv_import_device", Ibverbs::ibv_import_device$descriptor);

    /** {@code ibv_import_pd(3)}: context, number. */
    public static final Call IMPORT_PD =
            Call.of(NativeLibrary.IBVERBS, "ibv_import_pd", Ibverbs::ibv_import_pd$descriptor);

    /** {@code ibv_unimport_pd(3)}. */
    public static final Call UNIMPORT_PD =
            Call.of(NativeLibrary.IBVERBS, "ibv_unimport_pd", Ibverbs::ibv_unimport_pd$descriptor);

    /** {@code ibv_import_mr(3)}: domain, number. */
    public static final Call IMPORT_MR =
            Call.of(NativeLibrary.IBVERBS, "ibv_import_mr", Ibverbs::ibv_import_mr$descriptor);

    /** {@code ibv_unimport_mr(3)}. */
    public static final Call UNIMPORT_MR =
            Call.of(NativeLibrary.IBVERBS, "ibv_unimport_mr", Ibverbs::ibv_unimport_mr$descriptor);

    /** {@code ibv_import_dm(3)}: context, number. */
    public static final Call IMPORT_DM =
            Call.of(NativeLibrary.IBVERBS, "ibv_import_dm", Ibverbs::ibv_import_dm$descriptor);

    /** {@code ibv_unimport_dm(3)}. */
    public static final Call UNIMPORT_DM =
            Call.of(NativeLibrary.IBVERBS, "ibv_unimport_dm", Ibverbs::ibv_unimport_dm$descriptor);

    /** {@code ibv_query_gid(3)}. */
    public static final Call QUERY_GID =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_gid", Ibverbs::ibv_query_gid$descriptor);

    /** {@code ibv_query_gid_ex(3)}, which is inline over it: context, port, index, entry, flags, its size. */
    public static final Call QUERY_GID_EX =
            Call.of(NativeLibrary.IBVERBS, "_ibv_query_gid_ex", Ibverbs::_ibv_query_gid_ex$descriptor);

    /** {@code ibv_query_pkey(3)}. */
    public static final Call QUERY_PKEY =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_pkey", Ibverbs::ibv_query_pkey$descriptor);

    /** {@code ibv_query_port(3)}. */
    public static final Call QUERY_PORT =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_port", Ibverbs::ibv_query_port$descriptor);

    /** {@code ibv_query_device(3)}. */
    public static final Call QUERY_DEVICE =
            Call.of(NativeLibrary.IBVERBS, "ibv_query_device", Ibverbs::ibv_query_device$descriptor);

    /** {@code ibv_get_device_index(3)}; -1, without errno, from a kernel that does not tell. */
    public static final Call GET_DEVICE_INDEX =
            Call.of(NativeLibrary.IBVERBS, "ibv_get_device_index", Ibverbs::ibv_get_device_index$descriptor);

    private IbvCalls() {}
}
