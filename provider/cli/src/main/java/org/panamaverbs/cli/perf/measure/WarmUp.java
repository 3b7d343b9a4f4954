package org.panamaverbs.cli.perf.measure;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What comes before a measurement, so that the virtual machine has compiled what is measured: messages of each size, or
 * seconds.
 *
 * @param messages at most so many of a size; 0 with seconds
 * @param seconds or for so long; 0 with messages
 */
public record WarmUp(int messages, int seconds) {
    public static final String DEFAULT = "20000";
    /** What {@link #parse} takes. */
    static final String FORM = "messages, or seconds as in 3s";

    private static final Pattern TEXT = Pattern.compile("([0-9]{1,9})(s?)");
    private static final int LEAST = 50;
    private static final int BYTES = 1 << 28;

    /**
     * Reads what the command line says.
     *
     * @throws IllegalArgumentException if it is not of that {@link #FORM}
     */
    public static WarmUp parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(FORM + ", not '" + text + "'");
        }
        int number = Integer.parseInt(matcher.group(1));
        return matcher.group(2).isEmpty() ? new WarmUp(number, 0) : new WarmUp(0, number);
    }

    /** Reads what {@link #code} wrote. */
    public static WarmUp ofCode(int code) {
        return code >= 0 ? new WarmUp(code, 0) : new WarmUp(0, -Math.max(code, -Integer.MAX_VALUE));
    }

    /** Returns the warm-up as a number: messages, or seconds as a negative one. */
    public int code() {
        return seconds > 0 ? -seconds : messages;
    }

    /** Returns how many messages of {@code size} octets it has, fewer of long ones; 0 with seconds. */
    public long count(int size) {
        return Math.min(messages, Math.max(LEAST, BYTES / size));
    }

    /** Returns how long it goes on with messages of {@code size} octets. */
    public Pace pace(int size) {
        Pace.Progress silent = (done, of, after) -> {};
        return seconds > 0 ? Pace.of(Duration.ofSeconds(seconds), silent) : Pace.of(count(size), silent);
    }

    @Override
    public String toString() {
        return seconds > 0 ? seconds + "s" : "" + messages;
    }
}
