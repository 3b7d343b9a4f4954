package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.MemoryWindow;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.bindings.ibverbs.ibv_mw;
import org.panamaverbs.ibverbs.context.Region;
import org.panamaverbs.ibverbs.memory.Domain;
import org.panamaverbs.ibverbs.memory.NativeWindow;
import org.panamaverbs.memory.Access;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.WindowBinding;

/**
 * A memory window of ours, of type 1, and the page that it is bound to, with no right for anybody. Its bind is a
 * request that reaches no peer, and completes after all before it. It can be bound anew at any time. The registrations
 * do not know of the bind, so that whoever drains need not wait for one that ends: the page goes after the window.
 */
final class MarkerWindow implements AutoCloseable {
    private static final long PAGE_BYTES = 4096;
    private static final System.Logger LOGGER = System.getLogger(MarkerWindow.class.getName());

    private final Domain domain;
    private final Region region;
    private final NativeWindow window;

    private MarkerWindow(Domain domain, Region region, NativeWindow window) {
        this.domain = domain;
        this.region = region;
        this.window = window;
    }

    /** Allocates a window in {@code domain}; returns null if the device has none, or no more of them. */
    static @Nullable MarkerWindow allocate(Domain domain) {
        if (!domain.context().capabilities().has(Feature.MEMORY_WINDOW_TYPE_1)) {
            return null;
        }
        try {
            // A page of its own, which fork(2) may keep from a child.
            MemorySegment page = Arena.ofAuto().allocate(PAGE_BYTES, PAGE_BYTES);
            int rights = Access.mask(Access.LOCAL_WRITE, Access.MEMORY_WINDOW_BIND);
            return Creation.of(
                    () -> domain.registrations()
                            .register(page, page.address(), rights)
                            .region(),
                    region -> Creation.of(
                            () -> NativeWindow.allocate(domain, MemoryWindow.Type.TYPE_1),
                            window -> new MarkerWindow(domain, region, window),
                            NativeWindow::end),
                    domain.registrations()::takeBack);
        } catch (ResourceException e) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "no memory window behind unsignaled requests: a peer that grants no Writes fails at the end",
                    e);
            return null;
        }
    }

    /** Posts the bind as {@link Type1Bind#post} does; the caller holds the send gate. */
    int bind(NativeQueuePair queuePair, long wrId, int flags) {
        return Type1Bind.post(queuePair, wrId, window, region, bindingUnder(0), flags);
    }

    /** Writes a bind into {@code slot} that may be done twice, since it leaves the key; the caller holds as above. */
    void write(SendSlots slots, int slot) {
        WindowBinding binding = bindingUnder(ibv_mw.rkey(window.handle()));
        slots.bind(slot, window.handle().address(), region.handle().address(), binding);
    }

    private WindowBinding bindingUnder(int rkey) {
        return new WindowBinding(rkey, region.taggedOffset(), PAGE_BYTES, 0);
    }

    /** Gives the window and the page back; no bind may be outstanding. */
    @Override
    public void close() {
        try {
            window.end();
        } finally {
            domain.registrations().deregister(region);
        }
    }
}
