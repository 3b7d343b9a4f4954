package org.panamaverbs.sockets.stream;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.Resources;
import org.panamaverbs.sockets.rsocket.IomapTable;
import org.panamaverbs.sockets.rsocket.Rsocket;

/**
 * What this side has mapped for its peer to write, as {@code riomap} of C does: each mapping has an entry at the peer,
 * until its memory is closed, and the peer is told of it before any bytes that follow. Whoever has it holds the
 * stream's lock; memory is closed by whom the application likes.
 */
final class Mappings implements AutoCloseable {
    private record Mapping(RegisteredBuffer memory, int entry, long offset) {}

    private final Rsocket rsocket;
    private final Transmitter transmitter;

    /** By the peer's entries. */
    private final List<RegisteredBuffer> memories = new ArrayList<>(0);

    /** What the peer is still to be told of. */
    private final ArrayDeque<Mapping> untold = new ArrayDeque<>(0);

    Mappings(Rsocket rsocket, Transmitter transmitter) {
        this.rsocket = rsocket;
        this.transmitter = transmitter;
    }

    /**
     * Takes {@code memory}, whose first byte the peer is to name by {@code offset}; it is closed with this at the
     * latest.
     *
     * @throws IOException if the peer has no entry for it
     */
    void add(RegisteredBuffer memory, long offset) throws IOException {
        int entry = 0;
        while (entry < memories.size() && memories.get(entry).isOpen()) {
            entry++;
        }
        if (entry == rsocket.iomapEntries()) {
            throw new IOException("the peer has room for " + entry + " mappings, and all are in use; remedy: close"
                    + " one, or raise RDMA_IOMAPSIZE on the peer");
        }
        if (entry == memories.size()) {
            memories.add(memory);
        } else {
            memories.set(entry, memory);
        }
        untold.add(new Mapping(memory, entry, offset));
    }

    /** Tells whether the peer was told of all. */
    boolean areTold() {
        return untold.isEmpty();
    }

    /** Tells the peer of as many as credits and the send queue allow; a {@link PostStatus}. */
    int tell() {
        int status = 0;
        while (status >= 0 && !untold.isEmpty() && rsocket.canMap() && transmitter.room() > 0) {
            Mapping next = untold.remove();
            RegisteredBuffer memory = next.memory();
            if (memory.isOpen()) {
                rsocket.writeIomap(
                        transmitter.scratch(), next.offset(), memory.iova(), memory.rkey(), (int) memory.length());
                status = transmitter.entry(
                        IomapTable.ENTRY_BYTES,
                        rsocket.iomapAddress(next.entry()),
                        rsocket.entryKey(),
                        rsocket.mapped(next.entry()));
            }
        }
        return status;
    }

    /** Closes all memory, also what follows on a failure. */
    @Override
    public void close() {
        untold.clear();
        try (Resources all = new Resources()) {
            memories.forEach(all::add);
        }
    }
}
