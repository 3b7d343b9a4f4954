package org.panamaverbs.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The public and protected members of the types that a module gives to everybody, a line each, beside those of the last
 * release. A line that is gone breaks users; japicmp says how, once that release is in a repository of Maven.
 */
public final class PublicApi {
    /** Set to {@code true}, it writes the lists anew: {@code provider/release/api --record}. */
    private static final String RECORD = "panamaverbs.api.record";

    private static final Pattern EXPORT = Pattern.compile("(?m)^\\s*exports ([\\w.]+);");

    private PublicApi() {}

    /**
     * Returns the packages that the module in the working directory exports to everybody, by its sources: tests may run
     * on the class path.
     *
     * @throws UncheckedIOException if {@code src/main/java/module-info.java} cannot be read
     */
    public static Set<String> exported() {
        try {
            return EXPORT.matcher(Files.readString(Path.of("src/main/java/module-info.java")))
                    .results()
                    .map(found -> found.group(1))
                    .collect(Collectors.toUnmodifiableSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Fails if a line of {@code baseline} is no longer among those of {@code types}; what is new passes.
     *
     * @param types what the module consists of, without its tests
     * @param packages what is for everybody, mostly {@link #exported()}
     * @param baseline the file of the last release
     * @throws AssertionError naming what is gone
     * @throws UncheckedIOException if the file cannot be read or written
     */
    public static void keeps(JavaClasses types, Set<String> packages, Path baseline) {
        SortedSet<String> found = lines(types, packages);
        try {
            if (Boolean.getBoolean(RECORD)) {
                Files.write(baseline, found);
                return;
            }
            if (found.isEmpty()) {
                throw new AssertionError("no public type in " + packages + "; remedy: name the packages as they are");
            }
            List<String> gone = Files.readAllLines(baseline).stream()
                    .filter(line -> !found.contains(line))
                    .toList();
            if (!gone.isEmpty()) {
                throw new AssertionError("gone or changed since the last release, which breaks its users:\n  "
                        + String.join("\n  ", gone)
                        + "\nremedy: keep the old form beside the new one, or list the break under Breaking in the"
                        + " changes and record the lists anew by `provider/release/api --record`");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a line for each public type of {@code packages} and each member of it that others can use, in order. */
    static SortedSet<String> lines(JavaClasses types, Set<String> packages) {
        SortedSet<String> lines = new TreeSet<>();
        types.stream()
                .filter(type -> packages.contains(type.getPackageName()))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .map(type -> type.reflect())
                .filter(PublicApi::isReachable)
                .forEach(type -> describe(type, lines));
        return lines;
    }

    private static boolean isReachable(Class<?> type) {
        Class<?> outer = type.getEnclosingClass();
        return !type.isSynthetic() && Modifier.isPublic(type.getModifiers()) && (outer == null || isReachable(outer));
    }

    private static void describe(Class<?> type, Collection<String> lines) {
        String name = type.getName();
        lines.add(name + ": " + type.toGenericString() + parents(type));
        members(type).forEach(member -> lines.add(name + "#" + member));
    }

    private static String parents(Class<?> type) {
        String parents = Stream.concat(
                        Stream.ofNullable(type.getGenericSuperclass()), Arrays.stream(type.getGenericInterfaces()))
                .filter(each -> each != Object.class)
                .map(each -> each.getTypeName())
                .sorted()
                .collect(Collectors.joining(", "));
        return parents.isEmpty() ? "" : " of " + parents;
    }

    /** Returns the members that others see in {@code type}: its own, and those of parents that they do not see. */
    private static Stream<String> members(Class<?> type) {
        Stream<Class<?>> hidden = Stream.concat(
                        Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .filter(parent -> !Modifier.isPublic(parent.getModifiers()));
        return Stream.concat(
                Stream.of(type.getDeclaredFields(), type.getDeclaredConstructors(), type.getDeclaredMethods())
                        .flatMap(Arrays::stream)
                        .filter(member -> !member.isSynthetic() && isSeen(member.getModifiers(), type))
                        .map(member -> member instanceof Field field
                                ? field.toGenericString()
                                : ((Executable) member).toGenericString()),
                hidden.flatMap(PublicApi::members));
    }

    /** Tells whether a member is of use to others: a protected one only where they can extend the type. */
    private static boolean isSeen(int modifiers, Class<?> type) {
        return Modifier.isPublic(modifiers)
                || (Modifier.isProtected(modifiers) && !Modifier.isFinal(type.getModifiers()));
    }
}
