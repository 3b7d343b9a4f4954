package org.panamaverbs.ibverbs.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.function.Consumer;
import org.panamaverbs.bindings.Downcalls;

/**
 * The calls of libibverbs that destroy an object which was created in vain: nobody else has it. They are linked with
 * this class, and need no memory unless they fail. Any thread.
 */
public final class Undo implements Consumer<MemorySegment> {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(JAVA_INT, JAVA_LONG);

    public static final Undo DEALLOC_PD = new Undo("ibv_dealloc_pd");
    public static final Undo DEREG_MR = new Undo("ibv_dereg_mr");
    public static final Undo DESTROY_AH = new Undo("ibv_destroy_ah");
    public static final Undo DESTROY_COMP_CHANNEL = new Undo("ibv_destroy_comp_channel");
    public static final Undo DESTROY_CQ = new Undo("ibv_destroy_cq");
    public static final Undo DESTROY_QP = new Undo("ibv_destroy_qp");
    public static final Undo DESTROY_SRQ = new Undo("ibv_destroy_srq");
    public static final Undo CLOSE_DEVICE = new Undo("ibv_close_device");

    private final String name;
    private final MethodHandle call;

    private Undo(String name) {
        this.name = name;
        call = Libraries.IBVERBS.plain(name, SHAPE);
    }

    /** The call of {@code function}, which a context has in place of the library's {@code name}. */
    public Undo(MemorySegment function, String name) {
        this.name = name;
        call = Linker.nativeLinker().downcallHandle(function, SHAPE);
    }

    /** Destroys {@code made}. */
    @Override
    public void accept(MemorySegment made) {
        int result;
        try {
            result = (int) call.invokeExact(made.address());
        } catch (Throwable e) {
            throw Downcalls.unexpected(e);
        }
        if (result != 0) {
            throw Failure.of(name, "an object created by a call that failed", Math.abs(result));
        }
    }
}
