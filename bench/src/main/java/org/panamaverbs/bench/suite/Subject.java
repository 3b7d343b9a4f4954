package org.panamaverbs.bench.suite;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.bench.Against;
import org.panamaverbs.bench.Question;

/** What a class of benchmarks says about itself; nothing, if the results are of a class that is not there any more. */
final class Subject {
    private final String name;
    private final @Nullable Class<?> type;

    private Subject(String name, @Nullable Class<?> type) {
        this.name = name;
        this.type = type;
    }

    /** Returns the subject of the class with this name. */
    static Subject of(String name) {
        try {
            return new Subject(name, Class.forName(name, false, Subject.class.getClassLoader()));
        } catch (ClassNotFoundException e) {
            return new Subject(name, null);
        }
    }

    private Optional<Question> asked() {
        return Optional.ofNullable(type).map(there -> there.getAnnotation(Question.class));
    }

    String question() {
        return asked().map(Question::value).orElse(name);
    }

    boolean bandwidth() {
        return asked().map(Question::bandwidth).orElse(false);
    }

    boolean dataPath() {
        return asked().map(Question::dataPath).orElse(false);
    }

    /** Returns the floors that {@code method} is measured against; a floor has none. */
    List<Against> against(String method) {
        List<Against> floors = new ArrayList<>();
        if (type != null) {
            for (Method candidate : type.getMethods()) {
                if (candidate.getName().equals(method)) {
                    floors.addAll(List.of(candidate.getAnnotationsByType(Against.class)));
                }
            }
        }
        return floors;
    }

    /** Returns the line of {@code method} with the parameters of {@code line}, if it has run. */
    static Optional<Line> floor(Line line, String method, List<Line> lines) {
        return lines.stream()
                .filter(other -> other.type().equals(line.type())
                        && other.method().equals(method)
                        && other.parameters().equals(line.parameters()))
                .findFirst();
    }
}
