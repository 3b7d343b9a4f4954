package org.panamaverbs.api;

/**
 * Flags of a send work request; combine with {@code |}. The values are those of {@code enum ibv_send_flags}. The
 * guide's page {@code learn/signaling} says how many requests to signal.
 */
public final class SendFlag {
    /** No flags: unsignaled, neither fenced nor solicited. */
    public static final int NONE = 0;
    /** Start only after all earlier RDMA Reads and Atomics of this queue pair have completed. */
    public static final int FENCE = 1;
    /** Report success with a completion; failures are always reported. */
    public static final int SIGNALED = 1 << 1;
    /** Raise a solicited event at the peer (Send with Solicited Event, Immediate Data with Solicited Event). */
    public static final int SOLICITED = 1 << 2;
    /** Copy the payload of a Send or Write while posting: the buffer is free again when the post returns. */
    public static final int INLINE = 1 << 3;
    /**
     * Have the device fill in the checksums of IPv4, and of TCP or UDP in it, in a raw packet whose own are 0; needs
     * {@link Capabilities.Feature#CHECKSUM_OFFLOAD}, and is {@link PostStatus#INVALID} on other devices.
     */
    public static final int IP_CSUM = 1 << 4;

    private SendFlag() {}
}
