package org.panamaverbs.bindings.ibverbs;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/**
 * What {@code ibv_alloc_parent_domain(3)} is asked for. Written by hand, in jextract's form.
 *
 * {@snippet lang=c :
 * struct ibv_parent_domain_init_attr {
 *     struct ibv_pd *pd;
 *     struct ibv_td *td;
 *     uint32_t comp_mask;
 *     void *(*alloc)(struct ibv_pd *, void *, size_t, size_t, uint64_t);
 *     void (*free)(struct ibv_pd *, void *, void *, uint64_t);
 *     void *pd_context;
 * }
 * }
 */
public final class ibv_parent_domain_init_attr {
    private static final GroupLayout $LAYOUT = MemoryLayout.structLayout(
                    Ibverbs.C_POINTER.withName("pd"),
                    Ibverbs.C_POINTER.withName("td"),
                    Ibverbs.C_INT.withName("comp_mask"),
                    MemoryLayout.paddingLayout(4),
                    Ibverbs.C_POINTER.withName("alloc"),
                    Ibverbs.C_POINTER.withName("free"),
                    Ibverbs.C_POINTER.withName("pd_context"))
            .withName("ibv_parent_domain_init_attr");
    private static final long td$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("td"));

    private ibv_parent_domain_init_attr() {}

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

    /** Sets {@code pd}. */
    public static void pd(MemorySegment struct, MemorySegment fieldValue) {
        struct.set(Ibverbs.C_POINTER, 0, fieldValue);
    }

    /** Sets {@code td}. */
    public static void td(MemorySegment struct, MemorySegment fieldValue) {
        struct.set(Ibverbs.C_POINTER, td$OFFSET, fieldValue);
    }
}
