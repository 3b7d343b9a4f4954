package org.panamaverbs.iwarp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.bindings.Downcalls;
import org.panamaverbs.memory.RegisteredBuffer;

/** An application in a server is taken out and put in again: what it loaded goes once its devices are closed. */
@Tag("alone")
@Timeout(120)
class RedeployTest {
    private static final int COLLECTIONS = 200;

    /** Loads everything of ours anew, opens a device and uses it, and closes it. */
    private static WeakReference<ClassLoader> used() throws Exception {
        List<URL> from = new ArrayList<>();
        for (Class<?> each : List.of(Verbs.class, IwarpProvider.class, Downcalls.class, RegisteredBuffer.class)) {
            from.add(each.getProtectionDomain().getCodeSource().getLocation());
        }
        // Resources may lie beside the classes, where the tests run without jars.
        for (String each : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            if (!each.endsWith(".jar")) {
                from.add(new File(each).toURI().toURL());
            }
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader application =
                new URLClassLoader(from.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(application);
            Class<?> config = application.loadClass(OpenConfig.class.getName());
            Class<?> verbs = application.loadClass(Verbs.class.getName());
            assertThat(verbs).isNotSameAs(Verbs.class);
            Object provider = config.getMethod("provider", String.class).invoke(null, "iwarp");
            AutoCloseable device =
                    (AutoCloseable) verbs.getMethod("open", config).invoke(null, provider);
            verbs.getMethod("capabilities").invoke(device);
            device.close();
            return new WeakReference<>(application);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** A recorder that has begun looks at the devices by itself; it stays, whatever comes and goes. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nothingStaysOfALoaderWhoseDevicesAreClosed(boolean recorded) throws Exception {
        WeakReference<ClassLoader> loader;
        if (recorded) {
            try (Recording recording = new Recording()) {
                recording.start();
                loader = used();
            }
        } else {
            loader = used();
        }
        for (int i = 0; i < COLLECTIONS && loader.get() != null; i++) {
            System.gc();
        }
        assertThat(loader.get()).isNull();
    }
}
