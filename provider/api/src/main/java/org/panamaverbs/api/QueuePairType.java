package org.panamaverbs.api;

import static org.panamaverbs.api.SendOpcode.SEND;
import static org.panamaverbs.api.SendOpcode.SEND_WITH_IMMEDIATE;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The transport service of a queue pair, {@code enum ibv_qp_type}. Values may be added: switches need a default. */
public enum QueuePairType {
    /** Reliable connection; the only type on iWARP. */
    RC(EnumSet.allOf(SendOpcode.class)),
    /** Unreliable connection. */
    UC(unanswered()),
    /** Unreliable datagram. */
    UD(EnumSet.of(SEND, SEND_WITH_IMMEDIATE)),
    /**
     * Raw Ethernet frames with all their headers, without a peer: {@link QueuePair#flow} selects what is received.
     * Needs CAP_NET_RAW.
     */
    RAW_PACKET(EnumSet.of(SEND)),
    /**
     * The sending end of an extended reliable connection. Each request names a shared receive queue of the peer:
     * {@link SendQueue#toSharedReceiveQueue}. It receives nothing.
     */
    XRC_SEND(EnumSet.allOf(SendOpcode.class)),
    /**
     * The receiving end of an extended reliable connection, without a domain or queues: created by
     * {@link org.panamaverbs.api.ext.XrcDomain}, not by {@link ProtectionDomain#queuePair}.
     */
    XRC_RECV(EnumSet.noneOf(SendOpcode.class)),
    /**
     * A vendor's transport, {@code IBV_QPT_DRIVER}, such as SRD of Amazon EFA or DC of NVIDIA: created by a vendor's
     * call and adopted by {@link ProtectionDomain#adopt}. It sends datagrams: {@link DatagramSendQueue}.
     */
    DRIVER(EnumSet.of(SEND, SEND_WITH_IMMEDIATE));

    @SuppressWarnings("ImmutableEnumChecker") // nobody else has the set
    private final Set<SendOpcode> sendOpcodes;

    QueuePairType(Set<SendOpcode> sendOpcodes) {
        this.sendOpcodes = Collections.unmodifiableSet(sendOpcodes);
    }

    private static Set<SendOpcode> unanswered() {
        Set<SendOpcode> operations = EnumSet.allOf(SendOpcode.class);
        operations.removeIf(SendOpcode::isAnswered);
        return operations;
    }

    /**
     * Returns the operations that queue pairs of this type can post, as ibv_post_send(3) lists them; a device may lack
     * some. Another operation is refused by {@link UnsupportedOperationException}. Unmodifiable.
     */
    public Set<SendOpcode> sendOpcodes() {
        return sendOpcodes;
    }
}
