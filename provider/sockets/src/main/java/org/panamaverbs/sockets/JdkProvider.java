package org.panamaverbs.sockets;

import java.nio.channels.spi.SelectorProvider;

/** The provider of the JDK's own, for what does not go by RDMA: datagrams, pipes, sockets of Unix, and selectors. */
final class JdkProvider {
    private static final String NAME = "sun.nio.ch.DefaultSelectorProvider";

    private JdkProvider() {}

    /**
     * Returns the provider of the process, or the JDK's where that one is of {@code ours}.
     *
     * @throws IllegalStateException if the JDK does not let us have it, with the flag that does
     */
    static SelectorProvider instead(Class<? extends SelectorProvider> ours) {
        SelectorProvider installed = SelectorProvider.provider();
        return ours.isInstance(installed) ? find() : installed;
    }

    /** By reflection: there is no other way to the JDK's once another is the process's. */
    private static SelectorProvider find() {
        try {
            return (SelectorProvider) Class.forName(NAME).getMethod("get").invoke(null);
        } catch (ReflectiveOperationException e) {
            Module module = JdkProvider.class.getModule();
            throw new IllegalStateException(
                    "the JDK's selector provider is not available (" + e.getMessage() + "); remedy: start java with"
                            + " --add-exports java.base/sun.nio.ch="
                            + (module.isNamed() ? module.getName() : "ALL-UNNAMED"),
                    e);
        }
    }
}
