package org.panamaverbs.bindings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.libc.Libc;
import org.panamaverbs.bindings.rdmacm.Rdmacm;

/** What is bound: the headers of three libraries, and by hand what their bindings lack. */
enum BoundHeader {
    IBVERBS(Ibverbs.class),
    RDMACM(Rdmacm.class),
    LIBC(Libc.class),
    FILES(LinuxFiles.class);

    private static final Map<String, Facts> KNOWN = new ConcurrentHashMap<>();

    private final Class<?> type;

    BoundHeader(Class<?> type) {
        this.type = type;
    }

    /** What a C program includes for it. */
    Path file(Path jextract) {
        return jextract.resolve(this + ".h");
    }

    /** What the bindings claim in this JVM. */
    Facts facts(Path jextract) throws IOException, ReflectiveOperationException {
        return type == LinuxFiles.class ? FileFacts.all() : GeneratedFacts.of(type, list(jextract));
    }

    /** The class of functions and constants. */
    Class<?> type() {
        return type;
    }

    /** All types of the package of a generated one. */
    List<Class<?>> types() throws IOException, ClassNotFoundException {
        return GeneratedFacts.typesBeside(type);
    }

    /** What is to be bound of a generated one. */
    IncludeList list(Path jextract) throws IOException {
        return IncludeList.read(listFile(jextract), type.getSimpleName());
    }

    Path listFile(Path jextract) {
        return jextract.resolve("includes-" + this + ".txt");
    }

    /** What the bindings claim where {@code os.arch} is that of {@code architecture}, by a JVM that takes it for so. */
    Facts facts(Architecture architecture, Path jextract) throws IOException, InterruptedException {
        String key = this + " " + architecture;
        Facts known = KNOWN.get(key);
        if (known == null) {
            known = Facts.parse(ProbeJvm.facts(name(), architecture, jextract));
            KNOWN.put(key, known);
        }
        return known;
    }

    /** Prints the facts of the header {@code arguments[0]}, with the directory of the include lists behind it. */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        System.out.print(valueOf(arguments[0]).facts(Path.of(arguments[1])).text());
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
