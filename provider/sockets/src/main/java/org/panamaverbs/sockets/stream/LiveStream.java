package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.sockets.rsocket.ConnectData;
import org.panamaverbs.sockets.rsocket.Fault;
import org.panamaverbs.sockets.rsocket.IomapTable;
import org.panamaverbs.sockets.rsocket.Message;
import org.panamaverbs.sockets.rsocket.OwnBuffers;
import org.panamaverbs.sockets.rsocket.Rsocket;

/**
 * A stream that is established: what has come is taken, what is due is granted, bytes go in and out. It neither waits
 * nor wakes anybody: whoever calls it holds the stream's lock, and asks {@link #takeNews} before that is let go.
 */
final class LiveStream {
    private static final int COMPLETIONS_A_POLL = 16;

    /** Bytes that were read or sent since the rings were {@linkplain #trim trimmed}, from which on that is worth it. */
    private static final int LEAST_USE = 4096;

    /** Bytes behind a trim from which on pages are needed again at once: a half that is granted keeps its pages. */
    private static final int BUSY = 1 << 20;

    private final StreamParts parts;
    private final Connection connection;
    private final ConnectData peer;
    private final Rsocket rsocket;
    private final Transmitter transmitter;
    private final Mappings mappings;
    private final WorkCompletions completions = WorkCompletions.ofCapacity(COMPLETIONS_A_POLL);

    /**
     * Receives that are to be posted again, when there is time for it: nothing came, or these are as many as may be
     * missing.
     */
    private final long[] slots = new long[StreamSizes.MORE_RECEIVES / 2];

    private int taken;

    /** Why this side has ended the connection. */
    private @Nullable IOException failure;

    /** Nothing comes or goes any more. */
    private boolean down;

    /** What comes is dropped. */
    private boolean inputShut;

    /** Another ends the connection. */
    private boolean left;

    /** Something has come since it was asked. */
    private boolean news = true;

    /** More may have come than was taken. */
    private boolean more;

    // Bytes that were read and sent since the rings were trimmed, and those of them before it was asked last.
    private long read;
    private long sent;
    private long seen;

    /** Nothing was read or sent between the last two times it was asked, or it is new. */
    private boolean rested = true;

    LiveStream(StreamParts parts, boolean bigEndian, Connection connection, ConnectData peer) {
        this.parts = parts;
        this.connection = connection;
        this.peer = peer;
        rsocket =
                new Rsocket(parts.offered, bigEndian, parts.table, peer, parts.immediates ? 0 : Rsocket.IWARP_RESERVE);
        transmitter = new Transmitter(parts);
        mappings = new Mappings(rsocket, transmitter);
    }

    Connection connection() {
        return connection;
    }

    /** Tells whether something may be ready that was not, since this was asked. */
    boolean takeNews() {
        boolean had = news;
        news = false;
        return had;
    }

    /** Tells whether more may have come than was taken, since this was asked. */
    boolean takeMore() {
        boolean had = more;
        more = false;
        return had;
    }

    /**
     * Takes what has come, and grants what is due. A peer that keeps to its credits has no more under way than is taken
     * at once; one that goes on sending controls would keep the caller.
     */
    void serve() {
        if (down) {
            return;
        }
        int came = 0;
        int count;
        do {
            // To ask once more whether there is more costs as much as to take one.
            count = pollReceives();
            news |= count > 0;
            came += count;
            for (int i = 0; i < count; i++) {
                if (!received(completions.get(i))) {
                    return;
                }
            }
        } while (count == COMPLETIONS_A_POLL && came < parts.receiveDepth);
        if (down) {
            return;
        }
        if (came == 0) {
            postTaken();
        }
        more |= came >= parts.receiveDepth;
        if (inputShut) {
            read += rsocket.readable();
            rsocket.read(rsocket.readable());
        }
        grant();
        tellMappings();
    }

    /** Takes the message of {@code completion}, and posts its receive again, now or later. */
    private boolean received(WorkCompletion completion) {
        if (!taken(completion)) {
            return false;
        }
        slots[taken++] = completion.wrId();
        return taken < slots.length || postTaken();
    }

    private boolean taken(WorkCompletion completion) {
        if (!completion.ok()) {
            down = true;
            return false;
        }
        Fault fault;
        if (completion.hasImmediate() == parts.immediates
                && (parts.immediates || completion.byteCount() == Message.BYTES)) {
            fault = rsocket.receive(parts.immediates ? (int) completion.immediate() : parts.message(completion.wrId()));
        } else {
            fault = Fault.MESSAGE_FORM;
        }
        if (fault != Fault.NONE) {
            fail(new IOException(
                    "the peer violated the rsockets protocol and was disconnected: it sent " + fault.text()));
            return false;
        }
        return true;
    }

    /** Posts the receives of messages that were taken. */
    private boolean postTaken() {
        boolean posted = true;
        while (posted && taken > 0) {
            posted = posted(parts.postReceive(slots[--taken]));
        }
        return posted;
    }

    private void fail(IOException why) {
        failure = why;
        down = true;
        news = true;
        if (!left) {
            connection.close();
        }
    }

    private boolean posted(int status) {
        if (status < 0) {
            fail(new IOException("a work request of the stream was refused with status " + status));
        }
        return status >= 0;
    }

    /** The connection is down. What came before that counts: the peer's end is often the last of it. */
    void wentDown() {
        while (!down) {
            int count = pollReceives();
            for (int i = 0; i < count && taken(completions.get(i)); i++) {}
            down |= count == 0;
        }
        news = true;
    }

    private void grant() {
        while (rsocket.grantDue() && !down) {
            if (!transmitter.hasControlRoom() && !roomAfterPoll()) {
                return; // what completes leads here again
            }
            if (rsocket.grantsHalf()) {
                if (rested && read + sent < BUSY) {
                    parts.discardReceived(rsocket.nextHalf(), parts.sizes.receiveBytes());
                }
                rsocket.writeEntry(transmitter.scratch());
                long address = rsocket.entryAddress();
                posted(transmitter.entry(OwnBuffers.ENTRY_BYTES, address, rsocket.entryKey(), rsocket.granted()));
            } else {
                control(rsocket.granted());
            }
        }
    }

    private void control(int message) {
        posted(transmitter.message(message, peer.tableAddress(), peer.tableKey()));
    }

    /** Looks what has completed, and has the driver look, too, if there is no room after that. */
    private boolean roomAfterPoll() {
        pollSends();
        if (!hasRoom() && !down) {
            parts.sends.arm(false);
            pollSends();
        }
        return hasRoom() && !down;
    }

    /** Takes what has completed of what was sent; somebody may have waited for its room. */
    void takeSent() {
        pollSends();
        news = true;
        grant();
    }

    private void pollSends() {
        try {
            if (!down && !transmitter.poll(completions)) {
                wentDown();
            }
        } catch (IllegalStateException e) {
            lost(e);
        }
    }

    /** Takes completions of receives; none if the queue cannot be polled any more, as that of a lost device. */
    private int pollReceives() {
        try {
            return parts.receives.poll(completions);
        } catch (IllegalStateException e) {
            lost(e);
            return 0;
        }
    }

    private void lost(IllegalStateException why) {
        if (failure == null) {
            failure = new IOException("the connection was lost: " + why.getMessage(), why);
        }
        down = true;
        news = true;
    }

    private boolean hasRoom() {
        return transmitter.room() > 0 && transmitter.hasControlRoom();
    }

    /** As {@link RdmaStream#read(ByteBuffer)}. */
    int read(ByteBuffer target) throws IOException {
        if (rsocket.readable() == 0) {
            serve();
        }
        int readable = rsocket.readable();
        if (readable == 0) {
            return end();
        }
        int bytes = Math.min(readable, target.remaining());
        int at = rsocket.readPosition();
        int first = Math.min(bytes, parts.received.capacity() - at);
        int position = target.position();
        target.put(position, parts.received, at, first);
        if (first < bytes) {
            target.put(position + first, parts.received, 0, bytes - first);
        }
        target.position(position + bytes);
        rsocket.read(bytes);
        read += bytes;
        grant();
        return bytes;
    }

    /** As {@link RdmaStream#read(ByteBuffer[], int, int)}. */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!targets[i].hasRemaining()) {
                continue;
            }
            if (sum > 0 && rsocket.readable() == 0) {
                return sum; // the end, or why there is none, is for the next read
            }
            int count = read(targets[i]);
            if (count <= 0) {
                return count;
            }
            sum += count;
        }
        return sum;
    }

    /** Returns -1 at the end in order, 0 if there is none yet. */
    private int end() throws IOException {
        if (inputShut || rsocket.isInputEnded()) {
            return -1;
        }
        if (failure != null) {
            throw new IOException(failure.getMessage(), failure);
        }
        if (down) {
            throw isUnanswered() ? timedOut() : new SocketException("Connection reset");
        }
        return 0;
    }

    /** Tells whether it is down since the peer, or the way there, is gone without a word. */
    private boolean isUnanswered() {
        transmitter.poll(completions);
        return transmitter.isUnanswered()
                || connection
                        .terminateCause()
                        .filter(cause -> cause.reason() == TerminateReason.PEER_SILENT)
                        .isPresent();
    }

    private static IOException timedOut() {
        return new IOException("Connection timed out");
    }

    /** As {@link RdmaStream#write(ByteBuffer[], int, int)}. */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; ) {
            if (!sources[i].hasRemaining()) {
                i++;
                continue;
            }
            int bytes = sendable(remaining(sources, i, offset + length));
            if (bytes == 0) {
                requireOutput(written);
                return written;
            }
            written += copyAndPost(sources, i, offset + length, bytes);
        }
        return written;
    }

    /** Sends {@code bytes} bytes; fewer of a buffer that is there twice, which is counted twice and copied once. */
    private int copyAndPost(ByteBuffer[] sources, int from, int to, int bytes) throws IOException {
        int copied = 0;
        try {
            for (int j = from; copied < bytes && j < to; j++) {
                int part = Math.min(bytes - copied, sources[j].remaining());
                transmitter.copy(sources[j], part);
                copied += part;
            }
        } finally {
            // Also if a buffer cannot be read any more: the positions of those before it say that they were sent.
            if (copied > 0) {
                post(copied);
            }
        }
        return copied;
    }

    /** As {@link RdmaStream#write(ByteBuffer)}. */
    int write(ByteBuffer source) throws IOException {
        int written = 0;
        while (source.hasRemaining()) {
            int bytes = sendable(source.remaining());
            if (bytes == 0) {
                requireOutput(written);
                return written;
            }
            transmitter.copy(source, bytes);
            post(bytes);
            written += bytes;
        }
        return written;
    }

    private static int remaining(ByteBuffer[] sources, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += sources[i].remaining();
        }
        return (int) Math.min(sum, Integer.MAX_VALUE);
    }

    private void post(int bytes) throws IOException {
        long address = rsocket.targetAddress();
        int key = rsocket.targetKey();
        sent += bytes;
        if (!posted(transmitter.data(address, key, rsocket.sent(bytes)))) {
            throw brokenPipe();
        }
    }

    private int sendable(int wanted) throws IOException {
        transmitter.drop(); // what a write left that ended in an exception
        if (transmitter.isHalfFull() || transmitter.room() == 0) {
            roomAfterPoll();
        }
        tellMappings();
        int bytes = sendableNow(wanted);
        if (bytes == 0) {
            serve();
            bytes = sendableNow(wanted);
        }
        return isOutputOpen() ? bytes : 0;
    }

    /** Throws an exception if nothing can be sent any more, and nothing was: what was sent is reported first. */
    private void requireOutput(long written) throws IOException {
        if (written == 0 && !isOutputOpen()) {
            throw brokenPipe();
        }
    }

    private int sendableNow(int wanted) {
        return mappings.areTold() ? rsocket.sendable(Math.min(wanted, transmitter.room())) : 0;
    }

    private boolean isOutputOpen() {
        return !down && rsocket.isOutputOpen();
    }

    private IOException brokenPipe() {
        if (failure != null) {
            return new IOException(failure.getMessage(), failure);
        }
        return down && isUnanswered() ? timedOut() : new IOException("Broken pipe");
    }

    /** As {@link RdmaStream#iomap}, of memory that is registered. */
    void iomap(RegisteredBuffer memory, long offset) throws IOException {
        if (!isOutputOpen()) {
            throw brokenPipe();
        }
        mappings.add(memory, offset);
        serve();
    }

    private void tellMappings() {
        if (!mappings.areTold() && !down) {
            posted(mappings.tell());
        }
    }

    /** As {@link RdmaStream#iowrite}. */
    int iowrite(ByteBuffer source, long offset) throws IOException {
        IomapTable peers = rsocket.peerMappings();
        int written = 0;
        serve();
        while (source.hasRemaining()) {
            int room = directRoom();
            int entry = peers.find(offset + written);
            if (entry < 0) {
                return written > 0 ? written : -1;
            }
            int bytes = (int) Math.min(Math.min(source.remaining(), room), peers.rest(entry, offset + written));
            if (bytes == 0) {
                return written;
            }
            transmitter.copy(source, bytes);
            sent += bytes;
            if (!posted(transmitter.direct(peers.address(entry, offset + written), peers.key(entry)))) {
                throw brokenPipe();
            }
            written += bytes;
        }
        return written;
    }

    /** Returns how many bytes can be written that take no credit; those of before are not copied any more. */
    private int directRoom() throws IOException {
        transmitter.drop(); // what a write left that ended in an exception
        if (transmitter.isHalfFull() || transmitter.room() == 0) {
            roomAfterPoll();
        }
        if (!isOutputOpen()) {
            throw brokenPipe();
        }
        return transmitter.room();
    }

    /** Tells whether {@link #iowrite} would find room. */
    boolean hasDirectRoom() {
        return !isOutputOpen() || transmitter.room() > 0 || roomAfterPoll();
    }

    /** Asks the peer's adapter for a sign of life. An answer shows nowhere; that there is none ends the connection. */
    void keepalive() {
        if (!down && !left && !rsocket.isDisconnected() && (transmitter.hasControlRoom() || roomAfterPoll())) {
            posted(transmitter.keepalive());
        }
    }

    /** Tells whether its rings may have pages that it does not need while it rests. */
    boolean isUsed() {
        return read > LEAST_USE || sent > LEAST_USE;
    }

    /**
     * Gives back the pages of the rings that hold nothing and that the peer may not write, if nothing came or went
     * since this was called last; to be called now and then while it {@link #isUsed}. So a stream in steady use keeps
     * its pages, which would cost a fault each.
     */
    void trim() {
        rested = read + sent == seen;
        seen = read + sent;
        if (!rested && !down) {
            return;
        }
        read = 0;
        sent = 0;
        seen = 0;
        if (!down) {
            int at = rsocket.readPosition();
            int begun = at % parts.sizes.receiveBytes();
            parts.discardReceived(at - begun, begun);
            pollSends();
            transmitter.trim();
        }
    }

    /** Ends the rights of the peer to write what was mapped. */
    void unmap() {
        mappings.close();
    }

    /** Returns how many bytes can be read. */
    int available() {
        serve(); // more may have come since the last look
        return rsocket.readable();
    }

    boolean isReadable() {
        if (rsocket.readable() == 0) {
            serve();
        }
        return rsocket.readable() > 0 || inputShut || rsocket.isInputEnded() || down;
    }

    boolean isWritable() {
        if (rsocket.sendable(1) == 0) {
            serve();
        }
        return !isOutputOpen() || (rsocket.sendable(1) > 0 && (transmitter.room() > 0 || roomAfterPoll()));
    }

    /** Drops what comes from now on. */
    void shutdownInput() {
        inputShut = true;
        news = true;
        serve();
    }

    /** Has the peer read the end behind what was written; once. */
    void shutdownOutput() {
        news = true;
        if (isOutputOpen()) {
            control(rsocket.shutdownOutput());
        }
    }

    /**
     * Says to the peer that this side is gone, behind what was written. From then on the connection is the caller's to
     * end.
     *
     * @return false if it has ended already
     */
    boolean disconnect() {
        inputShut = true;
        serve();
        if (!down && !rsocket.isDisconnected()) {
            control(rsocket.disconnect());
        }
        left = true;
        return !down;
    }
}
