package org.panamaverbs.sockets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application in a server is taken out and put in again: what it loaded goes once the shared device is closed. */
@Timeout(120)
class RedeployTest {
    private static final int LONGEST = Integer.MAX_VALUE - 8;
    private static final int COLLECTIONS = 200;

    private static void close(Class<?> provider) throws Throwable {
        try {
            provider.getMethod("closeSharedDevice").invoke(null);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Loads everything of ours anew, sends a byte over the device of the process, and closes all. */
    private static WeakReference<ClassLoader> used(Set<Thread> before) throws Throwable {
        List<URL> from = new ArrayList<>();
        for (String property : List.of("jdk.module.path", "java.class.path")) {
            for (String each : System.getProperty(property, "").split(File.pathSeparator, -1)) {
                if (!each.isEmpty()) {
                    from.add(new File(each).toURI().toURL());
                }
            }
        }
        // Without a parent: the platform's finds packages of named modules in the application's.
        try (URLClassLoader application = new URLClassLoader(from.toArray(URL[]::new), null)) {
            Class<?> type = application.loadClass(RdmaSelectorProvider.class.getName());
            assertThat(type).isNotSameAs(RdmaSelectorProvider.class);
            close(type); // which is none yet
            SelectorProvider provider = (SelectorProvider) type.getConstructor().newInstance();
            try (ServerSocketChannel server = provider.openServerSocketChannel()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                send(provider, server, type);
                assertThatThrownBy(() -> close(type)).hasMessageContaining("server sockets");
            }
            assertThat(before.containsAll(threads())).isFalse();
            close(type);
            close(type);
            return new WeakReference<>(application);
        }
    }

    private static void send(SelectorProvider provider, ServerSocketChannel server, Class<?> type) throws IOException {
        try (SocketChannel client = provider.openSocketChannel()) {
            client.connect(server.getLocalAddress());
            try (SocketChannel peer = server.accept()) {
                client.write(ByteBuffer.wrap(new byte[] {7}));
                assertThatThrownBy(() -> close(type)).isInstanceOf(IllegalStateException.class);
                ByteBuffer octet = ByteBuffer.allocate(1);
                assertThat(peer.read(octet)).isEqualTo(1);
                assertThat(octet.get(0)).isEqualTo((byte) 7);
            }
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rsockets-")
                        || thread.getName().startsWith("iwarp-"))
                .collect(Collectors.toSet());
    }

    @Test
    void nothingStaysOfALoaderWhoseSharedDeviceIsClosed() throws Throwable {
        Set<Thread> before = threads();
        String provider = System.setProperty("verbs.provider", "iwarp");
        // Its classes are loaded and interpreted anew, which may take longer than an unknown peer has.
        System.setProperty(RdmaSelectorProvider.PATIENCE_PROPERTY, "100000");
        WeakReference<ClassLoader> loader;
        try {
            loader = used(before);
        } finally {
            System.clearProperty(RdmaSelectorProvider.PATIENCE_PROPERTY);
            if (provider == null) {
                System.clearProperty("verbs.provider");
            } else {
                System.setProperty("verbs.provider", provider);
            }
        }
        // Some idle for a second before they end.
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (!before.containsAll(threads()) && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertThat(before).containsAll(threads());
        assumeThat(Runtime.getRuntime().maxMemory())
                .as("a heap that is not large enough for the longest array")
                .isLessThan((long) LONGEST * Long.BYTES);
        clearSoftReferences();
        for (int i = 0; i < COLLECTIONS && loader.get() != null; i++) {
            System.gc();
        }
        assertThat(loader.get()).isNull();
    }

    /** The JDK keeps how it compares records by soft references, which a server loses when it needs the memory. */
    private static void clearSoftReferences() {
        try {
            long[] more = new long[LONGEST];
            assertThat(more).hasSize(LONGEST);
        } catch (OutOfMemoryError e) {
            return; // before this is thrown they are cleared
        }
    }
}
