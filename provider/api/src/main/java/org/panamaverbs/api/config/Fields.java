package org.panamaverbs.api.config;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a configuration by name: what its copies have, and what {@code equals}, {@code hashCode} and
 * {@code toString} are made of. A configuration is immutable for its users: its fields are set while nobody else has
 * the object, here alone, and are read afterwards. It is a class instead of a record so that a field can be added
 * without breaking its callers.
 *
 * <p>Any thread.
 *
 * @param <C> the configuration
 */
public final class Fields<C> {
    private final Class<C> type;
    private final Consumer<C> check;
    private final Consumer<Fields<C>> lister;
    private final List<Field<C>> all = new ArrayList<>();
    private boolean listed;

    private record Field<C>(String name, Function<C, @Nullable Object> value) {}

    /** {@code Object.clone} of one configuration. */
    @FunctionalInterface
    public interface Original {
        /** Returns a copy with the same values. */
        Object copy() throws CloneNotSupportedException;
    }

    /**
     * Creates a list.
     *
     * @param check throws {@link IllegalArgumentException} if the fields of a configuration do not go together
     * @param lister adds the fields, once somebody asks for one: most programs never do, and each field costs a class
     */
    public Fields(Class<C> type, Consumer<C> check, Consumer<Fields<C>> lister) {
        this.type = type;
        this.check = check;
        this.lister = lister;
    }

    /** Creates a list of a configuration that any values make. */
    public Fields(Class<C> type, Consumer<Fields<C>> lister) {
        this(type, anything -> {}, lister);
    }

    private synchronized List<Field<C>> all() {
        if (!listed) {
            lister.accept(this);
            listed = true;
        }
        return all;
    }

    /** Adds the field {@code name} and returns the list. */
    public Fields<C> and(String name, Function<C, @Nullable Object> value) {
        all.add(new Field<>(name, value));
        return this;
    }

    /** Returns the names of the fields in their order. */
    public List<String> names() {
        return all().stream().map(Field::name).toList();
    }

    /**
     * Returns a checked copy of {@code original} with {@code change}.
     *
     * @throws IllegalArgumentException if the fields do not go together
     */
    public C changed(Original original, Consumer<C> change) {
        C copy;
        try {
            copy = type.cast(original.copy());
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(type.getName(), e);
        }
        change.accept(copy);
        return made(copy);
    }

    /**
     * Returns {@code configuration}, which was just created.
     *
     * @throws IllegalArgumentException if the fields do not go together
     */
    public C made(C configuration) {
        check.accept(configuration);
        // As at the end of a constructor with final fields: a thread that finds the object finds its values.
        VarHandle.releaseFence();
        return configuration;
    }

    /** Returns whether {@code other} is a configuration of the same class and the same values; arrays by elements. */
    public boolean equal(C one, @Nullable Object other) {
        return other != null
                && type.isInstance(other)
                && all().stream()
                        .allMatch(field -> Objects.deepEquals(
                                field.value().apply(one), field.value().apply(type.cast(other))));
    }

    /** Returns a hash of all values. */
    public int hash(C configuration) {
        return Arrays.deepHashCode(
                all().stream().map(field -> field.value().apply(configuration)).toArray());
    }

    /** Returns the simple name of the class with all names and values, as of a record. */
    public String toString(C configuration) {
        StringJoiner text = new StringJoiner(", ", type.getSimpleName() + "[", "]");
        for (Field<C> field : all()) {
            Object value = field.value().apply(configuration);
            // Private data may be a secret.
            text.add(field.name() + "=" + (value instanceof byte[] bytes ? bytes.length + " bytes" : value));
        }
        return text.toString();
    }
}
