package org.panamaverbs.bindings.ibverbs;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * What {@code ibv_query_rt_values_ex(3)} tells. Written by hand, in jextract's form.
 *
 * {@snippet lang=c :
 * struct ibv_values_ex {
 *     uint32_t comp_mask;
 *     struct timespec raw_clock;
 * }
 * }
 */
public final class ibv_values_ex {
    private static final GroupLayout $LAYOUT = MemoryLayout.structLayout(
                    Ibverbs.C_INT.withName("comp_mask"),
                    MemoryLayout.paddingLayout(4),
                    timespec.layout().withName("raw_clock"))
            .withName("ibv_values_ex");
    private static final long raw_clock$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("raw_clock"));

    private ibv_values_ex() {}

    /** Returns the layout of this struct. */
    public static GroupLayout layout() {
        return $LAYOUT;
    }

    /** Returns the size of this struct, in octets. */
    public static long sizeof() {
        return layout().byteSize();
    }

    /** Allocates a struct of zeros. */
    public static MemorySegment allocate(SegmentAllocator allocator) {
        return allocator.allocate(layout());
    }

    /** Returns {@code comp_mask}. */
    public static int comp_mask(MemorySegment struct) {
        return struct.get(Ibverbs.C_INT, 0);
    }

    /** Sets {@code comp_mask}. */
    public static void comp_mask(MemorySegment struct, int fieldValue) {
        struct.set(Ibverbs.C_INT, 0, fieldValue);
    }

    /** Returns {@code raw_clock}, a part of {@code struct}. */
    public static MemorySegment raw_clock(MemorySegment struct) {
        return struct.asSlice(raw_clock$OFFSET, timespec.sizeof());
    }
}
