package org.panamaverbs.ibverbs.call;

import java.lang.foreign.FunctionDescriptor;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.rdmacm.Rdmacm;

/** The control calls of librdmacm. */
public final class CmCalls {
    /** {@code rdma_create_event_channel(3)}. */
    public static final Call CREATE_EVENT_CHANNEL =
            Call.of(NativeLibrary.RDMACM, "rdma_create_event_channel", Rdmacm::rdma_create_event_channel$descriptor);

    /** {@code rdma_create_id(3)}. */
    public static final Call CREATE_ID =
            Call.of(NativeLibrary.RDMACM, "rdma_create_id", Rdmacm::rdma_create_id$descriptor);

    /** {@code rdma_bind_addr(3)}. */
    public static final Call BIND_ADDR =
            Call.of(NativeLibrary.RDMACM, "rdma_bind_addr", Rdmacm::rdma_bind_addr$descriptor);

    /** {@code rdma_resolve_addr(3)}. */
    public static final Call RESOLVE_ADDR =
            Call.of(NativeLibrary.RDMACM, "rdma_resolve_addr", Rdmacm::rdma_resolve_addr$descriptor);

    /** {@code rdma_resolve_route(3)}. */
    public static final Call RESOLVE_ROUTE =
            Call.of(NativeLibrary.RDMACM, "rdma_resolve_route", Rdmacm::rdma_resolve_route$descriptor);

    /** {@code rdma_connect(3)}. */
    public static final Call CONNECT = Call.of(NativeLibrary.RDMACM, "rdma_connect", Rdmacm::rdma_connect$descriptor);

    /** {@code rdma_establish(3)}. */
    public static final Call ESTABLISH =
            Call.of(NativeLibrary.RDMACM, "rdma_establish", Rdmacm::rdma_establish$descriptor);

    /** {@code rdma_notify(3)}. */
    public static final Call NOTIFY = Call.of(NativeLibrary.RDMACM, "rdma_notify", Rdmacm::rdma_notify$descriptor);

    /** {@code rdma_listen(3)}. */
    public static final Call LISTEN = Call.of(NativeLibrary.RDMACM, "rdma_listen", Rdmacm::rdma_listen$descriptor);

    /** {@code rdma_accept(3)}. */
    public static final Call ACCEPT = Call.of(NativeLibrary.RDMACM, "rdma_accept", Rdmacm::rdma_accept$descriptor);

    /** {@code rdma_reject(3)}. */
    public static final Call REJECT = Call.of(NativeLibrary.RDMACM, "rdma_reject", Rdmacm::rdma_reject$descriptor);

    /** {@code rdma_disconnect(3)}. */
    public static final Call DISCONNECT =
            Call.of(NativeLibrary.RDMACM, "rdma_disconnect", Rdmacm::rdma_disconnect$descriptor);

    /** {@code rdma_get_cm_event(3)}. */
    public static final Call GET_CM_EVENT =
            Call.of(NativeLibrary.RDMACM, "rdma_get_cm_event", Rdmacm::rdma_get_cm_event$descriptor);

    /** {@code rdma_set_option(3)}. */
    public static final Call SET_OPTION =
            Call.of(NativeLibrary.RDMACM, "rdma_set_option", Rdmacm::rdma_set_option$descriptor);

    /** {@code rdma_init_qp_attr(3)}. */
    public static final Call INIT_QP_ATTR =
            Call.of(NativeLibrary.RDMACM, "rdma_init_qp_attr", Rdmacm::rdma_init_qp_attr$descriptor);

    /** {@code rdma_join_multicast(3)}. */
    public static final Call JOIN_MULTICAST =
            Call.of(NativeLibrary.RDMACM, "rdma_join_multicast", Rdmacm::rdma_join_multicast$descriptor);

    /** {@code rdma_join_multicast_ex(3)}. */
    public static final Call JOIN_MULTICAST_EX =
            Call.of(NativeLibrary.RDMACM, "rdma_join_multicast_ex", Rdmacm::rdma_join_multicast_ex$descriptor);

    /** {@code rdma_leave_multicast(3)}. */
    public static final Call LEAVE_MULTICAST =
            Call.of(NativeLibrary.RDMACM, "rdma_leave_multicast", Rdmacm::rdma_leave_multicast$descriptor);

    /** {@code rdma_set_local_ece(3)}: id, options. */
    public static final Call SET_LOCAL_ECE = Call.of(NativeLibrary.RDMACM, "rdma_set_local_ece", CmCalls::ece);

    /** {@code rdma_get_remote_ece(3)}: id, options. */
    public static final Call GET_REMOTE_ECE = Call.of(NativeLibrary.RDMACM, "rdma_get_remote_ece", CmCalls::ece);

    private CmCalls() {}

    private static FunctionDescriptor ece() {
        return FunctionDescriptor.of(Rdmacm.C_INT, Rdmacm.C_POINTER, Rdmacm.C_POINTER);
    }
}
