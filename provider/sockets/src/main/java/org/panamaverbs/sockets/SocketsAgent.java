package org.panamaverbs.sockets;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What {@code -javaagent} with this module's jar runs before the program's main method: it makes our provider the
 * process's and installs the sockets of {@code java.net}, unless {@link RdmaSelectorProvider#NET_PROPERTY} is
 * {@code off}.
 */
public final class SocketsAgent {
    private static final String PROVIDER = "java.nio.channels.spi.SelectorProvider";

    private SocketsAgent() {}

    /**
     * Runs before the main method.
     *
     * @param options ignored: there are no options
     */
    @SuppressWarnings("exports") // the virtual machine alone calls it
    public static void premain(@Nullable String options, Instrumentation jvm) {
        Module self = SocketsAgent.class.getModule();
        // What --add-exports java.base/sun.nio.ch does.
        jvm.redefineModule(
                Object.class.getModule(), Set.of(), Map.of("sun.nio.ch", Set.of(self)), Map.of(), Set.of(), Map.of());
        if (System.getProperty(PROVIDER) == null) {
            System.setProperty(PROVIDER, RdmaSelectorProvider.class.getName());
        }
        if (!"off".equals(System.getProperty(RdmaSelectorProvider.NET_PROPERTY))) {
            RdmaSelectorProvider.installNetSockets();
        }
    }
}
