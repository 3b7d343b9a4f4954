package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What comes before a measurement, so that the virtual machine has compiled what is measured. */
public sealed interface WarmUp {
    String DEFAULT = "20000";

    /**
     * At most so many messages of a size, fewer of long ones.
     *
     * @param number from 0
     */
    record Messages(int number) implements WarmUp {
        private static final int LEAST = 50;
        private static final int BYTES = 1 << 28;
        /** What the least of messages of any size may move, one if that is more. */
        private static final long MOST_BYTES = (long) LEAST << 23;

        @Override
        public long count(int size) {
            long least = Math.clamp(MOST_BYTES / size, 1, LEAST);
            return Math.min(number, Math.max(least, BYTES / size));
        }

        @Override
        public int code() {
            return number;
        }

        @Override
        public String toString() {
            return "" + number;
        }
    }

    /**
     * Messages for so long.
     *
     * @param number from 1
     */
    record Seconds(int number) implements WarmUp {
        @Override
        public int code() {
            return -number;
        }

        @Override
        public String toString() {
            return number + "s";
        }
    }

    /** Messages until the compilers of both sides have been idle for a second, or the limit is reached. */
    record Compiled() implements WarmUp {
        /** The longest that it goes on. */
        static final Duration LIMIT = Duration.ofSeconds(30);

        private static final String NAME = "compiled";
        private static final int CODE = Integer.MIN_VALUE;
        private static final Duration SLICE = Duration.ofMillis(250);

        @Override
        public int code() {
            return CODE;
        }

        @Override
        public String toString() {
            return NAME;
        }
    }

    /**
     * Reads what the command line says.
     *
     * @throws IllegalArgumentException if it is neither a number, one with an s, nor {@code compiled}
     */
    static WarmUp parse(String text) {
        if (text.equals(Compiled.NAME)) {
            return new Compiled();
        }
        Matcher matcher = Pattern.compile("([0-9]{1,9})(s?)").matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected messages, seconds as in 3s, or compiled, got '" + text + "'");
        }
        int number = Integer.parseInt(matcher.group(1));
        return ofCode(matcher.group(2).isEmpty() ? number : -number);
    }

    /** Reads what {@link #code} wrote. */
    static WarmUp ofCode(int code) {
        return code == Compiled.CODE ? new Compiled() : code < 0 ? new Seconds(-code) : new Messages(code);
    }

    /** Returns the warm-up as a number: messages, seconds as a negative one, or the least there is. */
    int code();

    /** Returns how many messages of {@code size} bytes it has; 0 if time tells. */
    default long count(int size) {
        return 0;
    }

    /** Returns how long it goes on with messages of {@code size} bytes; if the compilers tell, a slice of it. */
    default Pace pace(int size) {
        return switch (this) {
            case Messages messages -> Pace.of(messages.count(size), Pace.SILENT);
            case Seconds seconds -> Pace.of(Duration.ofSeconds(seconds.number()), Pace.SILENT);
            case Compiled ignored -> Pace.of(Compiled.SLICE, Pace.SILENT);
        };
    }
}
