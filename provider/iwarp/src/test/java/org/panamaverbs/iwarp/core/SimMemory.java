package org.panamaverbs.iwarp.core;

import java.util.List;
import org.panamaverbs.memory.Access;

/** The memory that one flow of requests has to do with, on both sides. */
final class SimMemory {
    /** Of the requester: what it sends from. */
    final SimZone source;
    /** Of the requester: where Reads put what they read. */
    final SimZone sink;
    /** Of the requester: where Atomics put what was there before. */
    final SimZone results;
    /** Of the responder: it is only read. */
    final SimZone fixed;
    /** Of the responder: it is written and read. */
    final SimZone remote;
    /** Of the responder: where Atomics work. */
    final SimZone cells;
    /** Of the responder: only to be reached through windows. */
    final SimZone windowed;
    /** Of the responder: where its receives are. */
    final SimZone inbox;

    SimMemory(Side here, String hereName, Side there, String thereName) {
        source = new SimZone(hereName + "'s source", here.memory(16_384, 0x1000, Guarded.LOCAL), 1);
        sink = new SimZone(hereName + "'s sink", here.memory(24_000, 0x10_0000, Guarded.LOCAL), 1);
        results = new SimZone(hereName + "'s results", here.memory(8 * 64, 0x20_0000, Guarded.LOCAL), 8);
        fixed = new SimZone(
                thereName + "'s fixed memory",
                there.memory(4_096, 0x30_0000, Access.mask(Access.REMOTE_READ)).pattern(here.qpNumber),
                1);
        int both = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        remote = new SimZone(thereName + "'s remote memory", there.memory(8_192, 0x40_0000, both), 1);
        int cellRights = Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_ATOMIC);
        cells = new SimZone(thereName + "'s cells", there.memory(8 * 16, 0x50_0000, cellRights), 8);
        int lent = Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
        windowed = new SimZone(thereName + "'s lent memory", there.memory(4_096, 0x60_0000, lent), 1);
        inbox = new SimZone(thereName + "'s inbox", there.memory(24_000, 0x70_0000, Guarded.LOCAL), 1);
    }

    List<SimZone> all() {
        return List.of(source, sink, results, fixed, remote, cells, windowed, inbox);
    }
}
