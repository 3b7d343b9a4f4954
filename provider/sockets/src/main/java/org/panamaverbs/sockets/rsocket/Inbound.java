package org.panamaverbs.sockets.rsocket;

import java.lang.foreign.MemorySegment;

/**
 * What has come and what the peer may send: a ring of two halves, which the peer fills one after the other, and its
 * credits.
 *
 * <p>Order of calls: {@link #data} for each message of data, {@link #iomap} for each of an iomap entry, which C counts
 * when it sends one; {@link #read} for what the application has taken; after either, {@link #grantDue}, and if it is,
 * {@link #writeEntry} if {@link #grantsHalf}, and {@link #granted}.
 *
 * <p>A credit is given back when its message has come, not when its bytes were read: what a credit stands for is a
 * receive, which is posted again then. How much may wait unread is the ring's to say.
 */
final class Inbound {
    private final OwnBuffers own;
    private final ConnectData peer;
    private final int half;
    private final int credits;

    // Bytes since the beginning: that came, that were read, that the peer may send.
    private long arrived;
    private long read;
    private long offered;

    // Messages since the beginning: that came, at which the limit was raised last, that may come.
    private long messages;
    private long grantedAt;
    private long limit;

    /** The entry of the peer's table that is written next. */
    private int entry = 1;

    Inbound(OwnBuffers own, ConnectData peer) {
        this.own = own;
        this.peer = peer;
        half = own.halfBytes();
        credits = own.credits();
        offered = half;
        limit = credits;
    }

    Fault data(int bytes) {
        if (bytes == 0) {
            return Fault.EMPTY_DATA;
        }
        if (messages == limit) {
            return Fault.BEYOND_CREDITS;
        }
        // An entry is filled to its end before the next one: no message goes across.
        if (bytes > half - (int) (arrived % half) || bytes > offered - arrived) {
            return Fault.BEYOND_BUFFER;
        }
        messages++;
        arrived += bytes;
        return Fault.NONE;
    }

    /** Takes a message without bytes that takes a credit. */
    Fault iomap() {
        if (messages == limit) {
            return Fault.BEYOND_CREDITS;
        }
        messages++;
        return Fault.NONE;
    }

    int readable() {
        return (int) (arrived - read);
    }

    int readPosition() {
        return (int) (read % (2L * half));
    }

    void read(int bytes) {
        read += bytes;
    }

    boolean grantDue() {
        return grantsHalf() || messages - grantedAt >= credits / 2;
    }

    /** Tells whether a half is free that the peer does not have. */
    boolean grantsHalf() {
        return offered - read <= half;
    }

    /** Returns where in the peer's table the entry of the next half is written. */
    long entryAddress() {
        return peer.tableAddress() + (long) entry * TargetTable.ENTRY_BYTES;
    }

    /** Returns where in the ring the next half begins. */
    int nextHalf() {
        return (int) (offered % (2L * half));
    }

    /** Writes that entry into {@code to}. */
    void writeEntry(MemorySegment to) {
        TargetTable.write(to, peer.bigEndian(), own.bufferAddress() + nextHalf(), own.bufferKey(), half);
    }

    /** Counts the grant, with the next half if it {@link #grantsHalf}, and returns its message. */
    int granted() {
        if (grantsHalf()) {
            offered += half;
            entry = (entry + 1) % peer.tableEntries();
        }
        grantedAt = messages;
        limit = messages + credits;
        return Message.sgl(limit);
    }
}
