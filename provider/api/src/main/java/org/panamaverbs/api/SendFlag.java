package org.panamaverbs.api;

import org.panamaverbs.api.device.Capabilities;

/**
 * Flags of a send work request, combined with {@code |}; the values are those of {@code enum ibv_send_flags}. The
 * guide's page {@code learn/signaling} says how many requests to signal.
 */
public final class SendFlag {
    /** No flags: unsignaled, neither fenced nor solicited. */
    public static final int NONE = 0;
    /**
     * Start only after all earlier RDMA Reads and atomics of this queue pair have completed ({@code IBV_SEND_FENCE}).
     */
    public static final int FENCE = 1;
    /** Report success with a completion; failures are always reported ({@code IBV_SEND_SIGNALED}). */
    public static final int SIGNALED = 1 << 1;
    /** Raise a solicited event at the peer ({@code IBV_SEND_SOLICITED}; RFC 5040 §5.3, RFC 7306 §6). */
    public static final int SOLICITED = 1 << 2;
    /**
     * Copy the payload of a Send or Write during the post; the buffer is free when it returns
     * ({@code IBV_SEND_INLINE}). For every form with a buffer or a list; {@code sendInline} and {@code writeInline}
     * take memory that is not registered.
     */
    public static final int INLINE = 1 << 3;
    /**
     * Have the device compute the checksums of IPv4, and of TCP or UDP in it, of a raw packet that has 0 in their place
     * ({@code IBV_SEND_IP_CSUM}). Needs {@link Capabilities.Feature#CHECKSUM_OFFLOAD}, otherwise
     * {@link PostStatus#INVALID}.
     */
    public static final int IP_CSUM = 1 << 4;

    private SendFlag() {}
}
