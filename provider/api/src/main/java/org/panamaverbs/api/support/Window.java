package org.panamaverbs.api.support;

import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.ManagedResource;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.memory.STag;

/**
 * A memory window of a provider: whose it is, of which type, and what it tells of its binding. Any thread.
 *
 * <p>A {@code postBind} looks in the order of {@link org.panamaverbs.api.PostStatus}, whatever the provider, so that of
 * several faults the same one is told everywhere. What is told there of the objects and the range are here
 * {@link #checked} and, behind it, {@link #asked}.
 */
public abstract class Window extends ManagedResource implements MemoryWindow {
    private final ManagedResource domain;
    private final Type type;

    /**
     * Opens a window as a child of {@code domain}.
     *
     * @param name what messages call it
     * @param domain the domain that makes it
     */
    protected Window(String name, ManagedResource domain, Type type) {
        super(name, domain);
        this.domain = domain;
        this.type = type;
    }

    /** Returns what it is bound to, as the bind that was posted last says. */
    protected abstract WindowBinding binding();

    /** Returns the STag of the next bind. */
    protected abstract int nextStag();

    /** Returns the domain that made it. */
    public final ManagedResource domain() {
        return domain;
    }

    @Override
    public final Type type() {
        return type;
    }

    @Override
    public final STag stag() {
        return new STag(binding().stag());
    }

    @Override
    public final RemoteBuffer remote() {
        return binding().remote(this);
    }

    /**
     * Returns {@code window} as one that can be bound with {@code access} over a queue pair of {@code domain}.
     *
     * @param type the provider's class of windows
     * @param access mask of {@link Access#bit}
     * @throws IllegalArgumentException if the window is of another domain or provider, or the rights are not all of
     *     peers
     * @throws IllegalStateException if the window is closed
     */
    public static <W extends Window> W checked(MemoryWindow window, Class<W> type, ManagedResource domain, int access) {
        W ours = Ours.of("memory window", window, type, Window::domain, domain);
        WindowBinding.requireRemote(access);
        ours.requireOpen();
        return ours;
    }

    /**
     * Returns what a bind under the next STag asks for.
     *
     * @param offset of the part in the buffer, in bytes
     * @param length in bytes; 0 takes the access away
     * @param access the rights of peers, mask of {@link Access#bit}
     * @throws IllegalArgumentException if the buffer is of another domain than the window
     * @throws IllegalStateException if the buffer is closed
     * @throws IndexOutOfBoundsException if the part is not within the buffer
     */
    public final WindowBinding asked(RegisteredBuffer buffer, long offset, long length, int access) {
        if (!buffer.isOf(domain)) {
            throw Ours.refusal("registered buffer", domain);
        }
        long address = buffer.checkedAddress(offset, length);
        return new WindowBinding(nextStag(), address, length, access);
    }
}
