package org.panamaverbs.bench.binding;

import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.panamaverbs.stub.StubLibrary;
import org.panamaverbs.stub.StubLibrary.UnavailableException;

/**
 * The stub of libibverbs with a device that does nothing, in one library with the floor in C and a binding by JNI. A
 * process takes it as its libibverbs by {@code -Dverbs.libibverbs}.
 */
public final class MeasuredStub {
    private MeasuredStub() {}

    /**
     * Compiles the library.
     *
     * @param directory where the sources and the library are put; made if it is missing
     * @return the library
     * @throws UnavailableException if this machine has no gcc, or lacks {@code jni.h} or the headers of the stub
     */
    public static Path compile(Path directory) throws IOException, InterruptedException, UnavailableException {
        Path include = Path.of(System.getProperty("java.home"), "include");
        if (!Files.exists(include.resolve("jni.h"))) {
            throw new UnavailableException("no jni.h in " + include);
        }
        List<String> options = List.of(StubLibrary.IDLE, "-I" + include, "-I" + include.resolve("linux"));
        return StubLibrary.compile(
                directory, options, source("floor.h"), source("floor.c"), source("ring.c"), source("jni.c"));
    }

    private static URL source(String name) throws IOException {
        URL found = MeasuredStub.class.getResource("/c/" + name);
        if (found == null) {
            throw new IOException("no resource /c/" + name);
        }
        return found;
    }
}
