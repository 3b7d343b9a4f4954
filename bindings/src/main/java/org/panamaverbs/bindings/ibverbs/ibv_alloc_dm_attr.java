package org.panamaverbs.bindings.ibverbs;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * What {@code ibv_alloc_dm(3)} is asked for. Written by hand, in jextract's form.
 *
 * {@snippet lang=c :
 * struct ibv_alloc_dm_attr {
 *     size_t length;
 *     uint32_t log_align_req;
 *     uint32_t comp_mask;
 * }
 * }
 */
public final class ibv_alloc_dm_attr {
    private static final GroupLayout $LAYOUT = MemoryLayout.structLayout(
                    Ibverbs.C_LONG.withName("length"),
                    Ibverbs.C_INT.withName("log_align_req"),
                    Ibverbs.C_INT.withName("comp_mask"))
            .withName("ibv_alloc_dm_attr");
    private static final long log_align_req$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("log_align_req"));

    private ibv_alloc_dm_attr() {}

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

    /** Sets {@code length}. */
    public static void length(MemorySegment struct, long fieldValue) {
        struct.set(Ibverbs.C_LONG, 0, fieldValue);
    }

    /** Sets {@code log_align_req}. */
    public static void log_align_req(MemorySegment struct, int fieldValue) {
        struct.set(Ibverbs.C_INT, log_align_req$OFFSET, fieldValue);
    }
}
