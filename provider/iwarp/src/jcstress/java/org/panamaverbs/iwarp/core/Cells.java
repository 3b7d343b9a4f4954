package org.panamaverbs.iwarp.core;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.iwarp.core.memory.Region;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.AtomicTarget;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;

/** Registered cells of 64 bits in one table of STags; each test has its own until a million others were taken. */
final class Cells {
    static final int DOMAIN = 1;
    static final int ALL =
            Access.mask(Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);
    static final StagTable STAGS = new StagTable(1 << 20, new SplittableRandom(1)::nextInt);

    private static final int COUNT = 1 << 20;
    private static final MemorySegment MEMORY = Arena.global().allocate(JAVA_LONG, COUNT);
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final Region REGION =
            Objects.requireNonNull(STAGS.enable(MEMORY, MEMORY.address(), ALL, DOMAIN), "the table is empty");
    private static final RegisteredBuffer BUFFER = buffer();

    private Cells() {}

    private static RegisteredBuffer buffer() {
        ManagedResource domain = new ManagedResource("the domain of all tests") {
            @Override
            protected void release() {
                throw new IllegalStateException("it is never closed");
            }
        };
        int stag = REGION.stag();
        return new RegisteredBuffer(domain, MEMORY, stag, stag, MEMORY.address(), ALL, () -> {}, null);
    }

    /** Returns a cell that holds {@code value}, as the application sees it. */
    static AtomicTarget take(long value) {
        AtomicTarget cell = BUFFER.atomicTarget((long) (NEXT.getAndIncrement() & COUNT - 1) * Long.BYTES);
        cell.setVolatile(value);
        return cell;
    }

    /** Returns the STag of all cells. */
    static int stag() {
        return REGION.stag();
    }

    /** Returns the tagged offset of {@code cell}. */
    static long taggedOffset(AtomicTarget cell) {
        return BUFFER.iova() + cell.offset();
    }
}
