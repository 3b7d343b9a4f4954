package org.panamaverbs.spi.support;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;

/**
 * A provider's memory window: its domain, type and binding. Any thread.
 *
 * <p>{@code postBind} checks in the order of {@link org.panamaverbs.api.PostStatus} on every provider. The checks of
 * objects and range are {@link #checked} and then {@link #asked}.
 */
public abstract class Window extends ManagedResource implements MemoryWindow {
    private final ManagedResource domain;
    private final Type type;

    /**
     * Opens a window as a child of {@code domain}.
     *
     * @param name its name in messages
     * @param domain the domain that creates it
     */
    protected Window(String name, ManagedResource domain, Type type) {
        super(name, domain);
        this.domain = domain;
        this.type = type;
    }

    /** Returns the binding of the bind that was posted last. */
    protected abstract WindowBinding binding();

    /** Returns the rkey of the next bind. */
    protected abstract int nextRkey();

    /** Returns the domain that created it. */
    public final ManagedResource domain() {
        return domain;
    }

    @Override
    public final Type type() {
        return type;
    }

    @Override
    public final int rkey() {
        return binding().rkey();
    }

    @Override
    public final RemoteBuffer remote() {
        return binding().remote(this);
    }

    /**
     * Returns {@code window} cast to the provider's class, if it can be bound with {@code access} over a queue pair of
     * {@code domain}.
     *
     * @param type the provider's class of windows
     * @param access mask of {@link Access#bit}
     * @throws IllegalArgumentException if the window is of another domain or provider, or {@code access} contains a
     *     right that is not a peer's
     * @throws IllegalStateException if the window is closed
     */
    public static <W extends Window> W checked(MemoryWindow window, Class<W> type, ManagedResource domain, int access) {
        W ours = Ours.of("memory window", window, type, Window::domain, domain);
        WindowBinding.requireRemote(access);
        ours.requireOpen();
        return ours;
    }

    /**
     * Returns the binding that a bind under the next rkey requests.
     *
     * @param offset first byte in the buffer
     * @param length bytes; 0 unbinds
     * @param access the rights of peers, mask of {@link Access#bit}
     * @throws IllegalArgumentException if the buffer is of another domain than the window
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the range is not within the buffer
     */
    public final WindowBinding asked(RegisteredBuffer buffer, long offset, long length, int access) {
        if (!buffer.isOf(domain)) {
            throw Ours.refusal("registered buffer", domain);
        }
        long address = buffer.checkedAddress(offset, length);
        return new WindowBinding(nextRkey(), address, length, access);
    }
}
