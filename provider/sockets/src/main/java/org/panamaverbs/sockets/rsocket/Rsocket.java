package org.panamaverbs.sockets.rsocket;

import java.lang.foreign.MemorySegment;

/**
 * One side of an rsocket: what its peer may do is checked, what this side may do is answered. Without sockets, threads,
 * locks or clocks; whoever has it holds a lock.
 *
 * <p>Inputs: {@link #receive} for each message that came, in order, after which what it announces is in memory;
 * {@link #read} for the bytes that the application took; {@link #shutdownOutput} and {@link #disconnect}. Outputs:
 * {@link #readable}; {@link #sendable} with {@link #sent}; {@link #grantDue}, to be asked after each input, with
 * {@link #granted}; {@link #canMap} with {@link #mapped}; {@link #peerMappings}. What is posted is posted in the order
 * of these calls.
 */
public final class Rsocket {
    /**
     * Credits that a sender on iWARP leaves: the peer's receives are as many as its credits, and grants and ends take
     * receives without credit.
     */
    public static final int IWARP_RESERVE = 8;

    private final Outbound outbound;
    private final Inbound inbound;
    private final ConnectData peer;
    private final IomapTable peerMappings;

    /** The peer has said that it sends nothing more. */
    private boolean peerShut;

    /** The peer has said that it is gone. */
    private boolean peerGone;

    /** This side has said that it sends nothing more. */
    private boolean shut;

    /** This side has said that it is gone. */
    private boolean gone;

    /**
     * Begins with what both sides told each other.
     *
     * @param own what this side offered
     * @param bigEndian what this side said of the order of entries in its table
     * @param table this side's table, {@link OwnBuffers#tableBytes} bytes of zeros that the peer writes
     * @param peer what the peer offered, without {@link ConnectData#fault}
     * @param reserve credits of the peer that are never used: {@link #IWARP_RESERVE} or 0
     */
    public Rsocket(OwnBuffers own, boolean bigEndian, MemorySegment table, ConnectData peer, int reserve) {
        this.peer = peer;
        outbound = new Outbound(peer, table, bigEndian, reserve);
        inbound = new Inbound(own, peer);
        peerMappings = new IomapTable(table.asSlice(OwnBuffers.TABLE_BYTES), bigEndian);
    }

    /**
     * Takes a message. After a {@link Fault} the connection is to be ended.
     *
     * @param message its 32 bits
     * @return {@link Fault#NONE} if all is well
     */
    public Fault receive(int message) {
        if (peerGone) {
            return Fault.NONE; // nothing counts behind its end
        }
        return switch (Message.type(message)) {
            case Message.TYPE_DATA -> peerShut ? Fault.DATA_BEHIND_END : inbound.data(Message.value(message));
            case Message.TYPE_SGL -> outbound.granted(Message.limit(message));
            case Message.TYPE_IOMAP -> peerShut ? Fault.DATA_BEHIND_END : iomap(Message.value(message));
            case Message.TYPE_CTRL -> {
                control(message);
                yield Fault.NONE;
            }
            default -> Fault.RESERVED_TYPE;
        };
    }

    private Fault iomap(int index) {
        Fault fault = peerMappings.take(index);
        return fault == Fault.NONE ? inbound.iomap() : fault;
    }

    private void control(int message) {
        if (message == Message.DISCONNECT) {
            peerShut = true;
            peerGone = true;
        } else if (message == Message.SHUTDOWN) {
            peerShut = true;
            // Both said so: each knows that the other is done, and no DISCONNECT follows.
            peerGone = shut;
        }
        // C ignores what else there may be, and so does this.
    }

    /** Returns how many bytes can be read. */
    public int readable() {
        return inbound.readable();
    }

    /** Returns where in the ring they begin; they may go on at its beginning. */
    public int readPosition() {
        return inbound.readPosition();
    }

    /** Counts {@code bytes} bytes, at most {@link #readable}, as read. */
    public void read(int bytes) {
        inbound.read(bytes);
    }

    /** Returns how many of {@code wanted} bytes may be sent as one message now, 0 if none may. */
    public int sendable(int wanted) {
        return shut || gone || peerGone ? 0 : outbound.sendable(wanted);
    }

    /** Returns where in the peer's memory the next bytes are to be written. */
    public long targetAddress() {
        return outbound.address();
    }

    /** Returns the key of that memory. */
    public int targetKey() {
        return outbound.key();
    }

    /** Counts {@code bytes} bytes, which were {@link #sendable}, as sent, and returns the message to follow them. */
    public int sent(int bytes) {
        outbound.sent(bytes);
        return Message.data(bytes);
    }

    /** Returns what the peer has mapped for this side to write, as far as it has said so. */
    public IomapTable peerMappings() {
        return peerMappings;
    }

    /** Returns how many entries the peer has for what this side maps. */
    public int iomapEntries() {
        return peer.iomapEntries();
    }

    /** Tells whether the peer may be told of a mapping now. */
    public boolean canMap() {
        return isOutputOpen() && outbound.hasCredit();
    }

    /** Returns where in the peer's memory its entry {@code index} for mappings is written, by {@link #entryKey}. */
    public long iomapAddress(int index) {
        return peer.iomapAddress(index);
    }

    /**
     * Writes an entry for a mapping into the first {@link IomapTable#ENTRY_BYTES} bytes of {@code to}.
     *
     * @param offset by which the peer names the first byte
     * @param address of the first byte, as the peer addresses it
     * @param key of that memory
     * @param bytes of it, unsigned
     */
    public void writeIomap(MemorySegment to, long offset, long address, int key, int bytes) {
        IomapTable.write(to, peer.bigEndian(), offset, address, key, bytes);
    }

    /** Counts the entry {@code index} as sent, which {@link #canMap} allowed, and returns its message. */
    public int mapped(int index) {
        outbound.sentMessage();
        return Message.iomap(index);
    }

    /** Tells whether the peer is to be granted credits or the next half. */
    public boolean grantDue() {
        return !peerGone && !gone && inbound.grantDue();
    }

    /** Tells whether an entry is to be written before the message of the grant. */
    public boolean grantsHalf() {
        return inbound.grantsHalf();
    }

    /** Returns where in the ring the half of that entry begins. */
    public int nextHalf() {
        return inbound.nextHalf();
    }

    /** Returns where in the peer's memory that entry is written. */
    public long entryAddress() {
        return inbound.entryAddress();
    }

    /** Returns the key of that memory. */
    public int entryKey() {
        return peer.tableKey();
    }

    /** Writes the entry into the first {@link OwnBuffers#ENTRY_BYTES} bytes of {@code to}. */
    public void writeEntry(MemorySegment to) {
        inbound.writeEntry(to);
    }

    /** Counts the grant as sent and returns its message. */
    public int granted() {
        return inbound.granted();
    }

    /** Returns the message that says that this side sends nothing more; once, while {@link #isOutputOpen}. */
    public int shutdownOutput() {
        shut = true;
        if (peerShut) {
            gone = true;
            return Message.DISCONNECT;
        }
        return Message.SHUTDOWN;
    }

    /** Returns the message that says that this side is gone; once, while neither side is. */
    public int disconnect() {
        shut = true;
        gone = true;
        return Message.DISCONNECT;
    }

    /** Tells whether the peer has ended its output: what is {@link #readable} is the rest. */
    public boolean isInputEnded() {
        return peerShut;
    }

    /** Tells whether this side may still send, as far as credits and room allow. */
    public boolean isOutputOpen() {
        return !shut && !gone && !peerGone;
    }

    /** Tells whether one of both sides is gone, or each has said that it sends nothing more. */
    public boolean isDisconnected() {
        return peerGone || gone;
    }
}
