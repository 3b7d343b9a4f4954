package org.panamaverbs.api;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.iwarp.TerminateCause;

/** A connection could not be set up, or ended while it was waited for. */
public final class ConnectionException extends VerbsException {
    private static final long serialVersionUID = 1L;

    /** Why a connection failed. */
    public enum Reason {
        /**
         * The name or address does not resolve, no route leads there, or this machine does not have the local address.
         */
        UNREACHABLE("check the address, the route to it and the firewalls between"),
        /** Nobody listens at the address. */
        REFUSED("start the listener, or check address and port"),
        /** The peer's application rejected the request; {@link #privateData()} is what it said. */
        REJECTED("check the private data, which is the answer of the peer's application"),
        /**
         * The peer closed or reset the stream, or lacks resources for shared memory where that is required; or the
         * stream failed while it was disconnected, and {@link #terminateCause()} says why.
         */
        RESET("check the peer's log: its process may have ended, or it refused the request"),
        /** The peer broke the protocol of the set-up. */
        PROTOCOL("check that the peer speaks iWARP, and this revision of it, at that port"),
        /**
         * The two sides could not agree on parameters (read depths, ready-to-receive message), or configuration or
         * platform of a side excludes shared memory where that is required; as long as neither side changes, a retry
         * does not help.
         */
        NEGOTIATION("connect with read depths and a ready-to-receive message that both sides support"),
        /**
         * TLS could not be set up: a certificate is missing, expired or not trusted, nothing suits both, or only one
         * side wants TLS. What TLS says is the cause.
         */
        SECURITY("compare the certificates, trust and TLS settings of both sides"),
        /** The local address or port is taken. */
        ADDRESS_IN_USE("choose another port, or 0 for any"),
        /**
         * The local side closed it, or the queue pair that it needs, or lacks resources, such as descriptors, memory or
         * a place for shared memory where that is required; or the device was removed.
         */
        CLOSED("keep the queue pair and its device open until the call has returned");

        private final String remedy;

        Reason(String remedy) {
            this.remedy = remedy;
        }

        /** Returns what to do about it. */
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

    /** Creates an exception with what the peer said. */
    public ConnectionException(
            String operation,
            Reason reason,
            String message,
            byte[] privateData,
            @Nullable TerminateCause terminateCause,
            @Nullable Throwable cause) {
        this(operation, reason, message, privateData, terminateCause, cause, -1, -1);
    }

    /** Creates an exception with what the peer said, its depths included, -1 where it said none. */
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

    /** Returns why it failed. */
    public Reason reason() {
        return reason;
    }

    /** Returns a copy of the private data that came with a rejection; empty if there was none. */
    public byte[] privateData() {
        return privateData.clone();
    }

    /**
     * Returns how many Reads and Atomics a peer that rejected, or that could not be agreed with, wants to have
     * outstanding here (RFC 6581 §9.1); -1 if it does not say.
     */
    public int peerInitiatorDepth() {
        return peerInitiatorDepth;
    }

    /** Returns how many Reads and Atomics such a peer can take from here; -1 if it does not say. */
    public int peerResponderResources() {
        return peerResponderResources;
    }

    /** Returns the Terminate that ended it, sent or received, if one did. */
    public Optional<TerminateCause> terminateCause() {
        return Optional.ofNullable(terminateCause);
    }
}
