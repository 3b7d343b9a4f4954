package org.panamaverbs.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.cm.TerminateCause;

/** A connection could not be established, or ended during a wait for it. */
public final class ConnectionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Why the connection failed. */
    public enum Reason {
        /**
         * The name or address does not resolve, there is no route to it, or this machine does not have the local
         * address.
         */
        UNREACHABLE("check the address, the route to it and the firewalls in between"),
        /** No listener at the address. */
        REFUSED("start the listener, or check address and port"),
        /** The peer's application rejected the request; {@link #privateData()} is its answer. */
        REJECTED("check the private data, which is the answer of the peer's application"),
        /**
         * The peer closed or reset the stream, or lacks resources for required shared memory; or the stream failed
         * during the disconnect, and {@link #terminateCause()} is the reason.
         */
        RESET("check the peer's log: its process may have ended, or it refused the request"),
        /** The peer violated the setup protocol. */
        PROTOCOL("check that the peer speaks iWARP, and this revision of it, at that port"),
        /**
         * The sides could not agree on parameters (read depths, ready-to-receive message), or the configuration or
         * platform of one side excludes required shared memory. Retrying does not help unless a side changes.
         */
        NEGOTIATION("connect with read depths and a ready-to-receive message that both sides support"),
        /**
         * TLS could not be established: a certificate is missing, expired or untrusted, the sides have no common
         * settings, or only one side wants TLS. The exception of TLS is the cause.
         */
        SECURITY("compare the certificates, trust and TLS settings of both sides"),
        /** The local address or port is in use. */
        ADDRESS_IN_USE("choose another port, or 0 for any"),
        /**
         * The local side closed the connection or its queue pair, or lacks resources such as file descriptors, memory
         * or space for required shared memory; or the device was removed.
         */
        CLOSED("keep the queue pair and its device open until the call has returned");

        private final String remedy;

        Reason(String remedy) {
            this.remedy = remedy;
        }

        /** Returns the remedy. */
        public String remedy() {
            return remedy;
        }
    }

    private final Reason reason;
    private final transient byte[] privateData;
    private final transient @Nullable TerminateCause terminateCause;
    private final int peerInitiatorDepth;
    private final int peerResponderResources;

    /** Creates an exception without private data. */
    public ConnectionException(String operation, Reason reason, String message, @Nullable Throwable cause) {
        this(operation, reason, message, new byte[0], null, cause);
    }

    /** Creates an exception with the peer's answer. */
    public ConnectionException(
            String operation,
            Reason reason,
            String message,
            byte[] privateData,
            @Nullable TerminateCause terminateCause,
            @Nullable Throwable cause) {
        this(operation, reason, message, privateData, terminateCause, cause, -1, -1);
    }

    /** Creates an exception with the peer's answer and depths, -1 for those that it did not send. */
    public ConnectionException(
            String operation,
            Reason reason,
            String message,
            byte[] privateData,
            @Nullable TerminateCause terminateCause,
            @Nullable Throwable cause,
            int peerInitiatorDepth,
            int peerResponderResources) {
        super(operation, message, cause);
        this.reason = reason;
        this.privateData = privateData.clone();
        this.terminateCause = terminateCause;
        this.peerInitiatorDepth = peerInitiatorDepth;
        this.peerResponderResources = peerResponderResources;
    }

    @Override
    String remedy() {
        return reason.remedy();
    }

    /** Returns why the connection failed. */
    public Reason reason() {
        return reason;
    }

    /** Returns a copy of the private data that came with a rejection; empty if there was none. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Returns how many Reads and atomics the peer wants to have outstanding here (its ORD), if it rejected or
     * negotiation failed (RFC 6581 §9.1); -1 if it did not say.
     */
    public int peerInitiatorDepth() {
        return peerInitiatorDepth;
    }

    /** Returns how many Reads and atomics such a peer accepts from here (its IRD); -1 if it did not say. */
    public int peerResponderResources() {
        return peerResponderResources;
    }

    /** Returns the Terminate message that ended the connection, sent or received; empty if none did. */
    public Optional<TerminateCause> terminateCause() {
        return Optional.ofNullable(terminateCause);
    }
}
