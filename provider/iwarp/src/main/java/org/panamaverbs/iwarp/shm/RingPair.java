package org.panamaverbs.iwarp.shm;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.iwarp.iovec.IoVector;

/**
 * The two rings of one stream, as one side has them: bytes out and in, and what wakes whom. Belongs to the holder of
 * the stream's lock; no call waits, allocates or makes a system call.
 *
 * <p>After each {@link #write}, {@link #read} and {@link #end} the bell is due if {@link #mustRing} says so. Who is to
 * sleep calls {@link #sleep}, and {@link #awake} when it is up again.
 *
 * <p>Nothing that the peer writes into its file leads to more than a {@link RingCorruptException} or to wrong bytes of
 * this stream.
 */
public final class RingPair {
    private final MemorySegment own;
    private final MemorySegment output;
    private final MemorySegment input;
    private final RingWriter writer;
    private final RingReader reader;
    private final Doorbell doorbell;
    private final ReachWords reach;
    // How often this side has gone to sleep, and whether it says so now.
    private long sleeps;
    private boolean asleep;

    /**
     * Begins a stream over two whole files, of which no byte was put or taken yet.
     *
     * @param own this side's, {@linkplain RingLayout#format formatted}; the caller keeps the memory while this is used
     * @param peer the peer's, {@linkplain RingLayout#ringBytes judged}; only read
     * @throws IllegalArgumentException if one of them has not the size of a file, or {@code own} is read-only
     */
    public RingPair(MemorySegment own, MemorySegment peer) {
        this(RingFiles.of(ofRingSize(own), ofRingSize(peer)));
    }

    private RingPair(RingFiles files) {
        own = files.own();
        output = own.asSlice(RingLayout.HEADER_BYTES);
        input = files.peer().asSlice(RingLayout.HEADER_BYTES);
        writer = new RingWriter(files);
        reader = new RingReader(files);
        doorbell = new Doorbell(writer, reader, files.peer());
        reach = new ReachWords(files, writer, reader);
    }

    /** As the constructor, of files whose rings have any power of two from 4 bytes on, so that tests have many. */
    static RingPair ofAnySize(MemorySegment own, MemorySegment peer) {
        return new RingPair(RingFiles.of(own, peer));
    }

    private static MemorySegment ofRingSize(MemorySegment file) {
        if (!RingLayout.isRingSize(file.byteSize() - RingLayout.HEADER_BYTES)) {
            throw new IllegalArgumentException("the file of a ring cannot have " + file.byteSize() + " bytes");
        }
        return file;
    }

    /**
     * Puts as much of the buffers into this side's ring as it has room for, moves their positions on, and counts it,
     * also if it fails. Memory that its owner has closed ends the transfer before it, without an exception.
     *
     * @return the bytes; if some are left over and their memory is not closed, the ring is full
     * @throws RingCorruptException if the peer's words cannot be
     */
    public long write(IoVector from) throws IOException {
        return writer.write(from);
    }

    /**
     * Takes what is there and fits into the buffers, moves their positions on, and counts it. Memory that its owner has
     * closed ends the transfer before it, without an exception.
     *
     * @return the bytes, 0 if there are none, -1 if the peer has ended its bytes and all are taken
     * @throws RingResetException if the peer has reset the stream and all before that is taken
     * @throws RingCorruptException if the peer's words cannot be
     */
    public long read(IoVector into) throws IOException {
        return reader.read(into);
    }

    /** Returns this side's ring. */
    public MemorySegment output() {
        return output;
    }

    /**
     * Returns where in {@link #output} the next {@code octets}, from 1, belong; negative if there is no room for them
     * behind each other.
     */
    public int reserve(int octets) {
        return writer.reserve(octets);
    }

    /** Says that the {@code octets} are there that {@link #reserve} had a place for; then the bell may be due. */
    public void put(int octets) {
        writer.put(octets);
    }

    /** Returns the peer's ring, in which anything may change at any time. */
    public MemorySegment input() {
        return input;
    }

    /** Returns where in {@link #input} the next octet is, of those that {@link #look} has told of. */
    public int next() {
        return reader.next();
    }

    /**
     * Returns how many octets are there that lie behind each other from {@link #next} on, 0 if there is nothing;
     * negative if {@link #read} is to say what there is: an end, or words of the peer that cannot be.
     */
    public int look() {
        return reader.look();
    }

    /** Takes {@code octets} of these, which are the peer's again; then the bell may be due. */
    public void take(int octets) {
        reader.take(octets);
    }

    /** Tells whether {@link #read} has something to say: bytes, or an end that it has not told. */
    public boolean hasInput() {
        return reader.hasInput();
    }

    /** Tells whether the peer has reset the stream, also if bytes before that are not taken yet. */
    public boolean isReset() {
        return reader.isReset();
    }

    /** Tells whether the peer has ended or reset its bytes, also if some before that are not taken yet. */
    public boolean isEndedByPeer() {
        return reader.isEndedByPeer();
    }

    /**
     * Returns the bytes that the peer has not taken, and 1 for an end that it has not seen.
     *
     * @throws RingCorruptException if the peer's words cannot be
     */
    public long unread() throws IOException {
        return writer.unread();
    }

    /**
     * Returns the bytes that this side's ring has room for.
     *
     * @throws RingCorruptException if the peer's words cannot be
     */
    public int room() throws IOException {
        return writer.roomNow();
    }

    /** Ends this side's bytes behind what was written; without effect behind an end or a reset. */
    public void end() {
        writer.end();
    }

    /** Resets the stream: the peer takes what was written, and hears of the reset behind it. */
    public void reset() {
        writer.reset();
    }

    /**
     * Says that this side sleeps, for which the peer rings the bell, once a sleep, and looks again.
     *
     * @param input until there is something to {@linkplain #hasInput read}
     * @param room until half of the ring is free, which is full
     * @return whether it may sleep; if not, what it wants is there already, and it counts as awake
     */
    public boolean sleep(boolean input, boolean room) {
        return sleep(input, room, false);
    }

    /**
     * Says so as {@link #sleep(boolean, boolean)}.
     *
     * @param atWord whether it sleeps for input at {@link #inputWord}, which the peer wakes it from
     */
    public boolean sleep(boolean input, boolean room, boolean atWord) {
        long what = (input ? RingLayout.SLEEPS_FOR_OCTETS : 0)
                | (room ? RingLayout.SLEEPS_FOR_ROOM : 0)
                | (atWord ? RingLayout.SLEEPS_AT_TAIL : 0);
        sleeps++;
        asleep = true;
        // Volatile, and so are the looks behind it: the peer publishes before it reads this word, so that either this
        // side sees what came, or the peer sees that it sleeps.
        RingLayout.sleepVolatile(own, sleeps << RingLayout.SLEEP_COUNT_SHIFT | what);
        if ((input && reader.hasInput()) || (room && writer.hasRoom())) {
            awake();
            return false;
        }
        return true;
    }

    /** Says that this side sleeps no longer. */
    public void awake() {
        if (asleep) {
            asleep = false;
            RingLayout.publishSleep(own, 0);
        }
    }

    /**
     * Tells whether the bell is to be rung: the peer sleeps for what was written, read or ended here since the last
     * call, and was not told to wake up from that sleep.
     */
    public boolean mustRing() {
        return doorbell.mustRing();
    }

    /** Tells whether the bell that {@link #mustRing} asked for is a wake-up of the thread at {@link #outputWord}. */
    public boolean ringsAtWord() {
        return doorbell.isAtTail();
    }

    /** Returns the address of the word of 32 bits that changes with each {@link #write}. */
    public long outputWord() {
        return own.address() + RingLayout.TAIL_OFFSET;
    }

    /** Returns the address of the peer's word of 32 bits that changes when there is more to read. */
    public long inputWord() {
        return input.address() - RingLayout.HEADER_BYTES + RingLayout.TAIL_OFFSET;
    }

    /** Returns what {@link #inputWord} holds now. */
    public int inputWordValue() {
        return reader.tailNow();
    }

    /** Returns the words for who reaches into the other's memory beside the rings. */
    public ReachWords reach() {
        return reach;
    }
}
