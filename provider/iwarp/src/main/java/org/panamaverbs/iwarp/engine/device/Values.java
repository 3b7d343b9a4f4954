package org.panamaverbs.iwarp.engine.device;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The values that an option may have, and how they are read. Immutable; any thread.
 *
 * @param legal what they are in words, for who gave another
 * @param documented the same in Markdown, for the table of the guide
 * @param keepsCase whether upper and lower case differ
 * @param reader what reads one, given as it is compared
 */
record Values<T>(String legal, String documented, boolean keepsCase, Reader<T> reader) {
    /** Reads a value. */
    interface Reader<T> {
        /** Returns what {@code text} stands for, null if it is no value. */
        @Nullable
        T read(String text);
    }

    private static final long MAX_SECONDS = 86_400;
    private static final int MAX_KEEPALIVE_SECONDS = 32_767;
    private static final String TIME = "a time such as 500ms or 10s, up to a day";

    /** Returns the value of {@code text}, null if that is none. */
    @Nullable
    T read(String text) {
        return reader.read(normal(text));
    }

    /** Returns {@code text} as it is compared. */
    String normal(String text) {
        return keepsCase ? text.strip() : text.strip().toLowerCase(Locale.ROOT);
    }

    private static String quoted(List<String> words) {
        return "`" + String.join("`, `", words) + "`";
    }

    /** One of {@code words}, as it is. */
    static Values<String> choice(String... words) {
        List<String> all = List.of(words);
        return new Values<>(String.join(" or ", all), quoted(all), false, text -> all.contains(text) ? text : null);
    }

    /** The {@code on} and {@code off} of a switch. */
    static Values<Boolean> flag() {
        return choice("on", "off").to("on"::equals);
    }

    /** One of {@code type}'s constants, by its name in lower case. */
    static <E extends Enum<E>> Values<E> constant(Class<E> type) {
        return choice(Stream.of(type.getEnumConstants())
                        .map(each -> each.name().toLowerCase(Locale.ROOT))
                        .toArray(String[]::new))
                .to(text -> Enum.valueOf(type, text.toUpperCase(Locale.ROOT)));
    }

    /** Any of {@code words}, one at least, with commas between. */
    static Values<List<String>> list(String... words) {
        List<String> all = List.of(words);
        return new Values<>("a list of " + String.join(", ", all), "any of " + quoted(all), false, text -> {
            List<String> chosen = new ArrayList<>();
            for (String part : text.split(",", -1)) {
                chosen.add(part.strip());
            }
            return all.containsAll(chosen) ? chosen : null;
        });
    }

    /** A whole number from {@code from} to {@code to}. */
    static Values<Integer> number(int from, int to) {
        String range = from + " to " + to;
        return new Values<>("a number from " + range, range, false, text -> {
            try {
                int number = Integer.parseInt(text);
                return number >= from && number <= to ? number : null;
            } catch (NumberFormatException e) {
                return null;
            }
        });
    }

    /** A time from 1 ms to a day, in nanoseconds. */
    static Values<Long> time() {
        return new Values<>(TIME, "a time", false, Values::nanos);
    }

    /** A time, or 0 for {@code off}. */
    static Values<Long> timeOrOff() {
        return new Values<>(
                TIME + ", or off",
                "a time, or `off`",
                false,
                text -> text.equals("off") ? Long.valueOf(0) : nanos(text));
    }

    /** Bytes in lower-case hexadecimal, or nothing for {@code off}. */
    static Values<String> hexadecimalOrOff() {
        return new Values<>("whole bytes in hexadecimal such as 0182, or off", "hexadecimal, or `off`", false, text -> {
            boolean whole = !text.isEmpty() && text.length() % 2 == 0;
            return text.equals("off") ? "" : whole && text.chars().allMatch(HexFormat::isHexDigit) ? text : null;
        });
    }

    /** Whole seconds, which TCP counts for its keepalive up to 32767. */
    static Values<Integer> keepaliveSeconds() {
        return new Values<>(
                "whole seconds such as 60s, up to " + MAX_KEEPALIVE_SECONDS + "s",
                "1 to " + MAX_KEEPALIVE_SECONDS + " whole seconds",
                false,
                text -> {
                    Long nanos = nanos(text);
                    if (nanos == null
                            || nanos % TimeUnit.SECONDS.toNanos(1) != 0
                            || nanos > TimeUnit.SECONDS.toNanos(MAX_KEEPALIVE_SECONDS)) {
                        return null;
                    }
                    return (int) TimeUnit.NANOSECONDS.toSeconds(nanos);
                });
    }

    /** The absolute path of a directory, or nothing for {@code off}. */
    static Values<Optional<Path>> directory() {
        return new Values<>("the absolute path of a directory, or off", "an absolute path, or `off`", true, text -> {
            if (text.equalsIgnoreCase("off")) {
                return Optional.empty();
            }
            try {
                Path path = Path.of(text);
                return path.isAbsolute() ? Optional.of(path) : null;
            } catch (InvalidPathException e) {
                return null;
            }
        });
    }

    private static @Nullable Long nanos(String text) {
        boolean millis = text.endsWith("ms");
        if (!millis && !text.endsWith("s")) {
            return null;
        }
        try {
            long amount = Long.parseLong(
                    text.substring(0, text.length() - (millis ? 2 : 1)).strip());
            long limit = millis ? TimeUnit.SECONDS.toMillis(MAX_SECONDS) : MAX_SECONDS;
            boolean legal = amount > 0 && amount <= limit;
            return legal ? (millis ? TimeUnit.MILLISECONDS : TimeUnit.SECONDS).toNanos(amount) : null;
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the same, of which {@code next} makes another value. */
    <U> Values<U> to(Function<T, U> next) {
        return new Values<>(legal, documented, keepsCase, text -> {
            T value = reader.read(text);
            return value == null ? null : next.apply(value);
        });
    }

    /** Returns the values that {@code other} accepts, too; {@code words} and {@code markdown} describe them. */
    Values<T> only(String words, String markdown, Predicate<T> other) {
        return new Values<>(words, markdown, keepsCase, text -> {
            T value = reader.read(text);
            return value != null && other.test(value) ? value : null;
        });
    }

    /** Returns the same values, which the guide documents as numbers of {@code unit}. */
    Values<T> in(String unit) {
        return new Values<>(legal, documented + " " + unit, keepsCase, reader);
    }
}
