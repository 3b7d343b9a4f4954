package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Window;
import org.panamaverbs.spi.support.WindowBinding;

/** A memory window. */
public final class IbvMemoryWindow extends Window {
    private final NativeWindow window;

    private IbvMemoryWindow(Domain domain, Type type, NativeWindow window) {
        super("memory window " + domain.context().nextNumber(), domain, type);
        this.window = window;
    }

    public static IbvMemoryWindow create(Domain domain, Type type) {
        domain.context().limits().require(type);
        return Creation.of(
                () -> NativeWindow.allocate(domain, type),
                window -> new IbvMemoryWindow(domain, type, window),
                NativeWindow::end);
    }

    @Override
    protected WindowBinding binding() {
        return window.binding();
    }

    @Override
    protected int nextRkey() {
        return window.nextRkey();
    }

    /** Returns the native window, to be bound. */
    public NativeWindow window() {
        return window;
    }

    /** Returns the native window of now, which a revocation exchanges. */
    public MemorySegment handle() {
        return window.handle();
    }

    @Override
    protected void destroy() {
        window.end();
    }
}
