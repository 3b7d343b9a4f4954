package org.panamaverbs.ibverbs.post;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.spi.support.Creation;

/**
 * The native memory that a queue pair posts from, one request at a time.
 *
 * @param arena what all of it is in
 * @param send a send
 * @param badWr the pointer to the send that was refused
 * @param scratch 8 bytes for a send that is no slot
 * @param receive a receive
 */
public record PostMemory(
        Arena arena, SendSlots send, MemorySegment badWr, MemorySegment scratch, ReceiveSlots receive) {
    /** Allocates the memory. */
    public static PostMemory of(QueuePairConfig config, boolean receiveNeedsPiece) {
        return Creation.of(
                Arena::ofShared,
                arena -> new PostMemory(
                        arena,
                        new SendSlots(arena, 1, config.maxSendSge(), config.maxInlineBytes()),
                        arena.allocate(JAVA_LONG),
                        arena.allocate(JAVA_LONG),
                        new ReceiveSlots(arena, 1, config.maxRecvSge(), receiveNeedsPiece)),
                Arena::close);
    }

    /** Frees the memory. */
    public void close() {
        arena.close();
    }
}
