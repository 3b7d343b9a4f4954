package org.panamaverbs.ibverbs.memory;

import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.ibverbs.context.Natives;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/** A memory window. */
public final class IbvMemoryWindow extends ManagedResource implements MemoryWindow {
    private static final int REMOTE_RIGHTS = Access.mask(Access.REMOTE_READ, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC);

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
        Feature feature = type == Type.TYPE_1 ? Feature.MEMORY_WINDOW_TYPE_1 : Feature.MEMORY_WINDOW_TYPE_2;
        domain.context().capabilities().require(feature, domain.context().device());
        return Natives.make(
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
        requireOpen();
        NativeWindow.Binding current = window.binding();
        if (current.length() < 0) {
            throw new IllegalStateException(resourceName() + " was never bound");
        }
        return RemoteBuffer.of(
                current.stag(), current.taggedOffset(), current.length(), current.access() & REMOTE_RIGHTS);
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
