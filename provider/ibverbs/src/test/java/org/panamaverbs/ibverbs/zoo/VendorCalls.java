package org.panamaverbs.ibverbs.zoo;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.ProtectionDomain;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.ext.NativeObject;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.bindings.ibverbs.ibv_qp;

/** What a vendor's library has beside libibverbs: the zoo's, called as an application calls it. */
final class VendorCalls {
    /** The reliable datagrams of efa. */
    static final int SRD = 1 << 20;
    /** The initiator of mlx5's dynamic connections. */
    static final int DCI = 1 << 21;
    /** Their target. */
    static final int DCT = 1 << 22;

    private VendorCalls() {}

    /** Creates a queue pair, as {@code efadv_create_qp_ex} and {@code mlx5dv_create_qp} do. */
    static MemorySegment createQueuePair(
            ProtectionDomain domain, int kind, MemorySegment queue, MemorySegment shared, int depth, long key) {
        FunctionDescriptor call =
                FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS, JAVA_INT, JAVA_LONG);
        MethodHandle create = Linker.nativeLinker().downcallHandle(function("zoo_create_vendor_qp"), call);
        return ((NativeObject) domain).withNative(pd -> {
            try {
                return (MemorySegment) create.invokeExact(pd, kind, queue, shared, depth, key);
            } catch (Throwable e) {
                throw new AssertionError("a downcall threw", e);
            }
        });
    }

    /** Creates a completion queue, as {@code efadv_create_cq} and {@code mlx5dv_create_cq} do. */
    static MemorySegment createCompletionQueue(Verbs verbs, int capacity, MemorySegment channel, long fields) {
        FunctionDescriptor call = FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_INT, ADDRESS, JAVA_LONG);
        MethodHandle create = Linker.nativeLinker().downcallHandle(function("zoo_create_vendor_cq"), call);
        return ((NativeObject) verbs).withNative(context -> {
            try {
                return (MemorySegment) create.invokeExact(context, capacity, channel, fields);
            } catch (Throwable e) {
                throw new AssertionError("a downcall threw", e);
            }
        });
    }

    /** Returns where the function {@code name} is. */
    static MemorySegment function(String name) {
        return NativeLibrary.IBVERBS
                .lookup()
                .find(name)
                .orElseThrow(() -> new AssertionError(NativeLibrary.IBVERBS.fileName() + " is not the zoo"));
    }

    /** Destroys {@code object} by {@code call}, such as {@code ibv_destroy_qp}. */
    static int destroy(String call, MemorySegment object) {
        MethodHandle destroy =
                Linker.nativeLinker().downcallHandle(function(call), FunctionDescriptor.of(JAVA_INT, ADDRESS));
        try {
            return (int) destroy.invokeExact(object);
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    /** Returns the number of {@code queuePair}. */
    static int number(MemorySegment queuePair) {
        return ibv_qp.qp_num(queuePair.reinterpret(ibv_qp.sizeof()));
    }

    /** Returns the native queue behind {@code queue}, which stays open. */
    static MemorySegment of(CompletionQueue queue) {
        return ((NativeObject) queue).withNative(segment -> segment);
    }
}
