package org.panamaverbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An application in a server is taken out and put in again: what it loaded goes once DiSNI's device is closed. */
@Timeout(120)
class RedeployTest {
    private static final int LONGEST = Integer.MAX_VALUE - 8;
    private static final int COLLECTIONS = 200;

    /** Loads everything of ours and of DiSNI anew, uses it as a program does, and closes all. */
    private static WeakReference<ClassLoader> used(Set<Thread> before) throws Exception {
        List<URL> from = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            from.add(new File(each).toURI().toURL());
        }
        try (URLClassLoader application =
                new URLClassLoader(from.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> extensions = application.loadClass(DisniExtensions.class.getName());
            assertThat(extensions).isNotSameAs(DisniExtensions.class);
            extensions.getMethod("closeDevice").invoke(null); // which is none yet
            Class<?> program = application.loadClass(Endpoints.class.getName());
            program.getMethod("use").invoke(null);
            assertThat(before.containsAll(threads())).isFalse();
            extensions.getMethod("closeDevice").invoke(null);
            program.getMethod("use").invoke(null); // opened anew
            extensions.getMethod("closeDevice").invoke(null);
            return new WeakReference<>(application);
        }
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("iwarp-"))
                .collect(Collectors.toSet());
    }

    @Test
    void nothingStaysOfALoaderWhoseDeviceIsClosed() throws Exception {
        Set<Thread> before = threads();
        WeakReference<ClassLoader> loader = used(before);
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
