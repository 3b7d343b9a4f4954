package org.panamaverbs.testkit.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassWriter;

/**
 * Loads the classes of Panama Verbs a second time, those of the provider with a call of {@link AllocationFaults} before
 * each allocation. Everything else is the parent's.
 */
public final class FaultyClasses extends ClassLoader {
    private static final String OURS = "org.panamaverbs.";
    private static final String SHARED = FaultyClasses.class.getPackageName();

    private final Predicate<String> faulty;

    /** Creates a loader that instruments the classes whose names {@code faulty} accepts. */
    public FaultyClasses(Predicate<String> faulty) {
        super("faulty classes", FaultyClasses.class.getClassLoader());
        this.faulty = faulty;
    }

    /** Creates a loader that instruments everything but tests and the testkit. */
    public static FaultyClasses ofProvider() {
        return new FaultyClasses(FaultyClasses::isProvider);
    }

    private static boolean isProvider(String name) {
        URL found = FaultyClasses.class.getClassLoader().getResource(name.replace('.', '/') + ".class");
        return found != null
                && !found.getPath().contains("test-classes")
                && !name.startsWith("org.panamaverbs.testkit.");
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(OURS) || name.startsWith(SHARED)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] octets = in.readAllBytes();
            byte[] own = faulty.test(name) ? instrumented(octets) : octets;
            return defineClass(name, own, 0, own.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }

    private static byte[] instrumented(byte[] octets) {
        ClassReader reader = new ClassReader(octets);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new AllocationPlaces(writer), 0);
        return writer.toByteArray();
    }

    /**
     * Loads and initializes all classes that lie beside {@code witness} and below, since one that memory fails in its
     * initialization is lost for good.
     */
    public void loadAll(Class<?> witness) {
        URL location = witness.getProtectionDomain().getCodeSource().getLocation();
        try {
            Path root = Path.of(location.toURI());
            if (Files.isDirectory(root)) {
                loadAllOf(root);
                return;
            }
            try (FileSystem jar = FileSystems.newFileSystem(root)) {
                loadAllOf(jar.getPath("/"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(location + " is no place for classes", e);
        }
    }

    private void loadAllOf(Path root) throws IOException {
        List<String> names;
        try (Stream<Path> files = Files.walk(root)) {
            names = files.map(file -> root.relativize(file).toString().replace('/', '.'))
                    .filter(file -> file.startsWith(OURS) && file.endsWith(".class"))
                    .map(file -> file.substring(0, file.length() - ".class".length()))
                    .filter(name -> !name.endsWith("-info") && faulty.test(name))
                    .toList();
        }
        for (String name : names) {
            try {
                Class.forName(name, true, this);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(name + " cannot be loaded", e);
            }
        }
    }
}
