package org.panamaverbs.iwarp.engine;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.panamaverbs.iwarp.net.unix.SealedFile;
import org.panamaverbs.iwarp.shm.RingPair;

/**
 * A peer that claims the first memory in its peer's table and stays inside: of {@link DirectAccessTest}, and a process
 * that is killed in the middle of an access.
 */
final class DirectPeer implements AutoCloseable {
    // TableLayout: 1024 entries of 64 bytes, each with its state first.
    private static final int ENTRIES_OFFSET = 4096;
    private static final int ENTRY_BYTES = 64;
    private static final long WANT_TABLE = 1L << 62;
    private static final int TABLE_BYTES = ENTRIES_OFFSET + 1024 * ENTRY_BYTES;

    final OfferingPeer peer;
    final RingPair rings;

    /** Connects to the listener at {@code address}. */
    DirectPeer(InetSocketAddress address) throws IOException {
        peer = new OfferingPeer(address, "127.0.0.1", 1, true);
        rings = peer.shareAndStay();
        rings.reach().want(WANT_TABLE);
        peer.ask(rings);
    }

    /** Claims the memory that the listener's side has registered, once it has accepted. */
    void claim() throws IOException {
        try (SealedFile table = peer.table(TABLE_BYTES)) {
            rings.reach().claim(state(table.memory()));
        }
    }

    /** Claims what came into the table last, once it has {@code entries}. */
    void claimNewest(int entries) throws IOException {
        try (SealedFile table = peer.table(TABLE_BYTES)) {
            long newest = 0;
            int found = 0;
            while (found < entries) {
                found = 0;
                for (long entry = ENTRIES_OFFSET; entry < TABLE_BYTES; entry += ENTRY_BYTES) {
                    long state = (long) JAVA_LONG.varHandle().getAcquire(table.memory(), entry);
                    found += state == 0 ? 0 : 1;
                    newest = Math.max(newest, state);
                }
                Thread.onSpinWait();
            }
            rings.reach().claim(newest);
        }
    }

    private static long state(MemorySegment table) {
        for (long entry = ENTRIES_OFFSET; entry < TABLE_BYTES; entry += ENTRY_BYTES) {
            long state = table.get(JAVA_LONG, entry);
            if (state != 0) {
                return state;
            }
        }
        throw new AssertionError("the table is empty");
    }

    /** Takes the port to connect to, and how many entries the table has to have: the last one is claimed. */
    public static void main(String[] arguments) throws IOException {
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
        try (DirectPeer peer = new DirectPeer(address)) {
            peer.claimNewest(Integer.parseInt(arguments[1]));
            System.out.println("claimed=");
            System.in.read();
            peer.rings.reach().release();
        }
    }

    @Override
    public void close() throws IOException {
        peer.close();
    }
}
