package org.panamaverbs.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.io.File;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The metadata that GraalVM's native-image needs of a module which calls C: the shape of each call, in
 * {@code META-INF/native-image/org.panamaverbs/panama-verbs-MODULE/reachability-metadata.json}. A test of the module
 * compares it with what the module's classes link.
 */
public final class NativeImageMetadata {
    private static final long LIMIT_SECONDS = 120;
    private static final Set<String> LINKING = Set.of("downcallHandle", "plain", "withErrno", "handle");
    private static final Set<String> LINKERS = Set.of(
            "java.lang.foreign.Linker",
            "org.panamaverbs.bindings.Downcalls",
            "org.panamaverbs.bindings.Downcalls$Linkage",
            "org.panamaverbs.iwarp.net.LibcCalls");

    private NativeImageMetadata() {}

    /**
     * Returns the rule that handles of C functions are made with a class or with an object, where
     * {@link LinkedDowncalls} finds them, and not later. Methods of {@code forwarding} may make them for others.
     *
     * @param forwarding names of types, whole
     */
    public static ArchRule linkedWhenMade(Set<String> forwarding) {
        return codeUnits()
                .that(DescribedPredicate.describe(
                        "link C functions",
                        (JavaCodeUnit unit) -> unit.getCallsFromSelf().stream().anyMatch(NativeImageMetadata::links)))
                .and(DescribedPredicate.describe(
                        "are not of " + forwarding,
                        (JavaCodeUnit unit) ->
                                !forwarding.contains(unit.getOwner().getFullName())))
                .should(new ArchCondition<>("be constructors or initializers of a class") {
                    @Override
                    public void check(JavaCodeUnit unit, ConditionEvents events) {
                        boolean made = unit.isConstructor() || unit.getName().equals("<clinit>");
                        events.add(new SimpleConditionEvent(unit, made, unit.getFullName() + " links"));
                    }
                })
                .allowEmptyShould(true);
    }

    private static boolean links(JavaCall<?> call) {
        AccessTarget.CodeUnitCallTarget target = call.getTarget();
        return LINKING.contains(target.getName())
                && LINKERS.contains(target.getOwner().getFullName())
                && target.getRawReturnType().isEquivalentTo(MethodHandle.class);
    }

    /** Returns the names of those of {@code classes} that link, or have fields of those that do, in a fixed order. */
    private static List<String> linking(JavaClasses classes) {
        return classes.stream()
                .filter(type -> !type.isInterface())
                .filter(type -> holdsHandles(type)
                        || type.getFields().stream().anyMatch(field -> holdsHandles(field.getRawType())))
                .map(JavaClass::getFullName)
                .sorted()
                .toList();
    }

    private static boolean holdsHandles(JavaClass type) {
        return type.getFields().stream().anyMatch(field -> field.getRawType().isEquivalentTo(MethodHandle.class))
                || type.getCodeUnits().stream()
                        .flatMap(unit -> unit.getCallsFromSelf().stream())
                        .anyMatch(NativeImageMetadata::links);
    }

    /**
     * Requires that the metadata of {@code artifact}, such as panama-verbs-memory, has each shape that {@code classes}
     * link. With -Dverbs.metadata=DIRECTORY, a folder of resources, the file is written anew there instead.
     *
     * @param anchor a class of that artifact
     * @param output a directory for what the JVM prints that links them
     * @throws AssertionError if a shape is missing, the file is, or nothing was linked
     */
    public static void requireComplete(String artifact, Class<?> anchor, JavaClasses classes, Path output)
            throws IOException, InterruptedException {
        String file = "META-INF/native-image/org.panamaverbs/" + artifact + "/reachability-metadata.json";
        Set<String> linked = linked(linking(classes), output);
        if (linked.isEmpty()) {
            throw new AssertionError("nothing of " + artifact + " was linked");
        }
        String directory = System.getProperty("verbs.metadata");
        if (directory != null) {
            Path written = Path.of(directory, file);
            Files.createDirectories(written.getParent());
            Files.writeString(written, text(linked));
            return;
        }
        try (var resource = anchor.getClassLoader().getResourceAsStream(file)) {
            if (resource == null) {
                throw new AssertionError(file + " is missing");
            }
            String shipped = new String(resource.readAllBytes(), StandardCharsets.UTF_8);
            shipped.lines().map(line -> line.strip().replaceFirst(",$", "")).forEach(linked::remove);
        }
        if (!linked.isEmpty()) {
            throw new AssertionError(file + " lacks " + linked);
        }
    }

    /**
     * Returns the shapes that {@code classes} link in a JVM of their own, an entry of JSON each.
     *
     * @param output where what the JVM prints goes
     * @throws AssertionError if the JVM fails, or is not over after 120 s
     */
    private static Set<String> linked(List<String> classes, Path output) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens",
                "java.base/jdk.internal.foreign.abi=ALL-UNNAMED",
                "-cp",
                classPath(),
                LinkedDowncalls.class.getName()));
        command.addAll(classes);
        Process process = new ProcessBuilder(command)
                .redirectError(output.resolve("errors").toFile())
                .redirectOutput(output.resolve("linked").toFile())
                .start();
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new AssertionError(
                        "it was not found out what is linked: " + Files.readString(output.resolve("errors")));
            }
        } finally {
            process.destroyForcibly();
        }
        return new TreeSet<>(Files.readAllLines(output.resolve("linked")));
    }

    /** Returns where this JVM has classes from, of modules, too. */
    private static String classPath() {
        String modules = System.getProperty("jdk.module.path", "");
        String classes = System.getProperty("java.class.path");
        return modules.isEmpty() ? classes : modules + File.pathSeparator + classes;
    }

    /** Returns the metadata with {@code downcalls} alone, as the file should be. */
    private static String text(Set<String> downcalls) {
        return downcalls.stream()
                .map(entry -> "      " + entry)
                .collect(Collectors.joining(",\n", "{\n  \"foreign\": {\n    \"downcalls\": [\n", "\n    ]\n  }\n}\n"));
    }
}
