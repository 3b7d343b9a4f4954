package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.support.Creation;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/** A memory window. */
public final class IbvMemoryWindow extends ManagedResource implements MemoryWindow {
    private final Domain domain;
    private final Type type;
    private final NativeWindow window;

    private IbvMemoryWindow(Domain domain, Type type, NativeWindow window) {
        super("memory window " + domain.context().nextNumber(), domain);
        this.domain = domain;
        this.type = type;
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
    public Type type() {
        return type;
    }

    @Override
    public STag stag() {
        return new STag(window.binding().stag());
    }

    @Override
    public RemoteBuffer remote() {
        return window.binding().remote(this);
    }

    public Domain domain() {
        return domain;
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
