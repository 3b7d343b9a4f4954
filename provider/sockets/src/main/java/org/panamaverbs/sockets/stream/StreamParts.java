package org.panamaverbs.sockets.stream;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.panamaverbs.api.CompletionChannel;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.CompletionQueueConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.ConnectData;
import org.panamaverbs.sockets.rsocket.IomapTable;
import org.panamaverbs.sockets.rsocket.Message;
import org.panamaverbs.sockets.rsocket.OwnBuffers;

/**
 * What a stream is made of: memory, queues and a queue pair, with all receives posted. They are made together and
 * closed together.
 *
 * <p>What the peer may write, the table and the ring of what comes, is registered apart from what it may not: the ring
 * of what is sent, and the slots that messages come into where they are payload.
 */
final class StreamParts implements AutoCloseable {
    private static final ValueLayout.OfInt WORD = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int INLINE_BYTES = Math.max(OwnBuffers.ENTRY_BYTES, IomapTable.ENTRY_BYTES);
    private static final int RETRIES = 7;

    /** Where the ring begins is a multiple, so that pages can be given back of which it has all. */
    private static final int PAGE_BYTES = 4096;

    /** Messages are immediate data, else payload: by the device's transport alone, as C has it. */
    final boolean immediates;

    /** The provider takes an MPA Reply in pieces, as drivers of hardware may not. */
    private final boolean takesPieces;

    final CompletionChannel channel;
    final CompletionQueue sends;
    final CompletionQueue receives;
    final QueuePair queuePair;

    /** The table that the peer writes. */
    final MemorySegment table;

    /** The ring that the peer writes, twice the half; its own position and limit are never used. */
    final ByteBuffer received;

    /** The registered memory of the ring of what is sent, from byte 0 on, and of the slots behind it. */
    final RegisteredBuffer own;

    /** The registered memory of the table and the ring behind it. */
    private final RegisteredBuffer exposed;

    private final int ringOffset;

    /** The device is this process: no adapter goes on using pages that were given back. */
    final boolean discards;

    /** Receives that are posted. */
    final int receiveDepth;

    /** Sends that may be outstanding. */
    final int sendDepth;

    final OwnBuffers offered;
    final StreamSizes sizes;

    private final ProtectionDomain domain;
    private final SgList nothing = SgList.ofCapacity(1);
    private final Resources all;

    StreamParts(Verbs verbs, ProtectionDomain domain, StreamSizes sizes) {
        this.sizes = sizes;
        this.domain = domain;
        takesPieces = isIwarp(verbs);
        discards = isIwarp(verbs);
        int credits = discards ? StreamSizes.CREDITS : StreamSizes.ADAPTER_CREDITS;
        receiveDepth = credits + StreamSizes.MORE_RECEIVES;
        sendDepth = discards ? StreamSizes.SENDS : StreamSizes.ADAPTER_SENDS;
        immediates = verbs.device().transport() != Transport.IWARP;
        try (Resources scope = new Resources()) {
            long ring = 2L * sizes.receiveBytes();
            int tableBytes = OwnBuffers.tableBytes(sizes.iomapEntries());
            ringOffset = Math.ceilDiv(tableBytes, PAGE_BYTES) * PAGE_BYTES;
            // The domain decides whether peers of this host share it; if not, it takes memory as it is used, too.
            exposed = scope.add(domain.allocate(ringOffset + ring, Access.LOCAL_WRITE, Access.REMOTE_WRITE));
            discard(exposed, 0, ringOffset + ring);
            own = allocateOwn(scope, sizes.sendBytes() + (long) receiveDepth * Message.BYTES);
            channel = scope.add(verbs.completionChannel());
            sends = scope.add(
                    verbs.completionQueue(CompletionQueueConfig.of(sendDepth).withChannel(channel)));
            receives = scope.add(
                    verbs.completionQueue(CompletionQueueConfig.of(receiveDepth).withChannel(channel)));
            queuePair = scope.add(domain.queuePair(QueuePairConfig.of(domain, sends)
                    .withRecvCq(receives)
                    .withDepth(sendDepth, receiveDepth)
                    .withSge(1, 1)
                    .withInline(INLINE_BYTES)
                    .withAccess(Access.REMOTE_WRITE)));
            table = exposed.segment().asSlice(0, tableBytes);
            received = exposed.segment().asSlice(ringOffset, ring).asByteBuffer();
            offered = new OwnBuffers(
                    exposed.iova(),
                    exposed.rkey(),
                    exposed.iova() + ringOffset,
                    exposed.rkey(),
                    sizes.receiveBytes(),
                    credits,
                    sizes.iomapEntries());
            for (int slot = 0; slot < receiveDepth; slot++) {
                PostStatus.check(postReceive(slot));
            }
            all = scope.handOver();
        }
    }

    private RegisteredBuffer allocateOwn(Resources scope, long bytes) {
        if (!discards) {
            return scope.add(domain.allocate(bytes, Access.LOCAL_WRITE));
        }
        MemorySlab slab = scope.add(MemorySlab.allocateSparse(bytes));
        return scope.add(domain.register(slab.segment(), Access.LOCAL_WRITE));
    }

    /**
     * Returns how a connection is asked for or accepted, as C does: retried for ever, with the least depths.
     *
     * @param bigEndian how the peer is to write entries
     */
    ConnectionConfig config(boolean bigEndian) {
        return ConnectionConfig.defaults()
                .withPrivateData(offered.connectData(bigEndian).encode())
                .withDepths(1, 1)
                .withRetries(RETRIES, RETRIES);
    }

    /** Returns how a connection is asked for. */
    ConnectionConfig request() {
        ConnectionConfig config = config(false);
        return takesPieces ? config.withPrivateData(ConnectData.takingPieces(config.privateData())) : config;
    }

    /** Returns {@code config} for a listener, which may begin its Reply to those that take it in pieces. */
    static ListenerConfig listening(Verbs verbs, ListenerConfig config) {
        return isIwarp(verbs) ? config.with("reply.begin", ConnectData.TAKES_PIECES) : config;
    }

    private static boolean isIwarp(Verbs verbs) {
        return verbs.provider().equals("iwarp");
    }

    /** Registers {@code memory} for peers to write. */
    RegisteredBuffer registerForPeer(MemorySegment memory) {
        return domain.register(memory, Access.LOCAL_WRITE, Access.REMOTE_WRITE);
    }

    /** Posts the receive of {@code slot}; a {@link PostStatus}. */
    int postReceive(long slot) {
        return immediates
                ? queuePair.postRecv(slot, nothing)
                : queuePair.recv(slot, own, slotOffset(slot), Message.BYTES);
    }

    private long slotOffset(long slot) {
        return sizes.sendBytes() + slot * Message.BYTES;
    }

    /** Returns the message that has come into {@code slot}. */
    int message(long slot) {
        return own.segment().get(WORD, slotOffset(slot));
    }

    /** Gives back the pages of the ring of what comes that lie in a range, which the peer does not have. */
    void discardReceived(int offset, int bytes) {
        discard(exposed, ringOffset + offset, bytes);
    }

    /** Gives back the pages of the ring of what is sent that lie in a range, of which nothing is under way. */
    void discardSent(int offset, int bytes) {
        discard(own, offset, bytes);
    }

    private void discard(RegisteredBuffer memory, long offset, long bytes) {
        MemorySlab slab = discards ? MemorySlab.containing(memory.segment()) : null;
        if (slab != null) {
            slab.discard(offset, bytes);
        }
    }

    @Override
    public void close() {
        all.close();
    }
}
