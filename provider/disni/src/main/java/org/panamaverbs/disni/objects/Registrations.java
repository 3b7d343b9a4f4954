package org.panamaverbs.disni.objects;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.panamaverbs.memory.Access;

/** Registers memory: what DiSNI names by buffer or address, and segments of any length. */
public final class Registrations {
    private static final int KNOWN = Access.mask(Access.values());
    private static final AtomicInteger NUMBERS = new AtomicInteger();

    private Registrations() {}

    public static Mr register(Pd pd, MemorySegment segment, int access) throws IOException {
        if (!pd.isOpen()) {
            throw Failures.closed("regMr", "protection domain " + pd.getHandle());
        }
        if ((access & ~KNOWN) != 0) {
            throw Failures.unsupported(
                    "regMr",
                    "access 0x" + Integer.toHexString(access) + "; the rights known are " + Access.format(KNOWN));
        }
        Access[] rights = Access.set(access).toArray(Access[]::new);
        return new Mr(
                pd.owner(),
                Failures.call("regMr", () -> pd.domain().register(segment, rights)),
                NUMBERS.incrementAndGet());
    }

    /** Returns all of {@code buffer}, whatever its position and limit, as DiSNI registers it; kept alive by it. */
    public static MemorySegment all(ByteBuffer buffer) throws IOException {
        if (!buffer.isDirect()) {
            throw Failures.unsupported("regMr", "a buffer on the heap moves: make it with ByteBuffer.allocateDirect");
        }
        return MemorySegment.ofBuffer(buffer.duplicate().clear());
    }

    /** Returns the memory at {@code address}, whose {@code length} is unsigned; its owner keeps it alive. */
    public static MemorySegment at(long address, int length) {
        return MemorySegment.ofAddress(address).reinterpret(Integer.toUnsignedLong(length));
    }
}
