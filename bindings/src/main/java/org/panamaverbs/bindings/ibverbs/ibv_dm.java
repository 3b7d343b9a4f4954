package org.panamaverbs.bindings.ibverbs;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;

/**
 * Memory of a device. Written by hand, in jextract's form.
 *
 * {@snippet lang=c :
 * struct ibv_dm {
 *     struct ibv_context *context;
 *     int (*memcpy_to_dm)(struct ibv_dm *, uint64_t, const void *, size_t);
 *     int (*memcpy_from_dm)(void *, struct ibv_dm *, uint64_t, size_t);
 *     uint32_t comp_mask;
 *     uint32_t handle;
 * }
 * }
 */
public final class ibv_dm {
    private static final GroupLayout $LAYOUT = MemoryLayout.structLayout(
                    Ibverbs.C_POINTER.withName("context"),
                    Ibverbs.C_POINTER.withName("memcpy_to_dm"),
                    Ibverbs.C_POINTER.withName("memcpy_from_dm"),
                    Ibverbs.C_INT.withName("comp_mask"),
                    Ibverbs.C_INT.withName("handle"))
            .withName("ibv_dm");
    private static final long memcpy_to_dm$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("memcpy_to_dm"));
    private static final long memcpy_from_dm$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("memcpy_from_dm"));
    private static final long handle$OFFSET = $LAYOUT.byteOffset(PathElement.groupElement("handle"));

    private ibv_dm() {}

    /** {@code int (*memcpy_to_dm)(struct ibv_dm *, uint64_t, const void *, size_t)}. */
    public static final class memcpy_to_dm {
        private memcpy_to_dm() {}

        /** Returns the descriptor of this function pointer. */
        public static FunctionDescriptor descriptor() {
            return FunctionDescriptor.of(
                    Ibverbs.C_INT, Ibverbs.C_POINTER, Ibverbs.C_LONG, Ibverbs.C_POINTER, Ibverbs.C_LONG);
        }
    }

    /** {@code int (*memcpy_from_dm)(void *, struct ibv_dm *, uint64_t, size_t)}. */
    public static final class memcpy_from_dm {
        private memcpy_from_dm() {}

        /** Returns the descriptor of this function pointer. */
        public static FunctionDescriptor descriptor() {
            return FunctionDescriptor.of(
                    Ibverbs.C_INT, Ibverbs.C_POINTER, Ibverbs.C_POINTER, Ibverbs.C_LONG, Ibverbs.C_LONG);
        }
    }

    /** Returns the layout of this struct. */
    public static GroupLayout layout() {
        return $LAYOUT;
    }

    /** Returns the size of this struct, in octets. */
    public static long sizeof() {
        return layout().byteSize();
    }

    /** Returns {@code memcpy_to_dm}. */
    public static MemorySegment memcpy_to_dm(MemorySegment struct) {
        return struct.get(Ibverbs.C_POINTER, memcpy_to_dm$OFFSET);
    }

    /** Returns {@code memcpy_from_dm}. */
    public static MemorySegment memcpy_from_dm(MemorySegment struct) {
        return struct.get(Ibverbs.C_POINTER, memcpy_from_dm$OFFSET);
    }

    /** Returns {@code handle}. */
    public static int handle(MemorySegment struct) {
        return struct.get(Ibverbs.C_INT, handle$OFFSET);
    }
}
