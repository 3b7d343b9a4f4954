package org.panamaverbs.cli.perf;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Bytes of a message that can be measured; reads numbers of them as perftest does, {@code 64K} for 65536: powers of
 * 1024, in either case.
 */
final class MessageSizes implements ITypeConverter<Integer> {
    /** The largest of {@code -a}, as perftest has it, and of a server that was not told to have room for more. */
    static final int USUAL = 1 << 23;

    /** The largest of all: perftest's. */
    static final int MAX = Integer.MAX_VALUE;

    /** Returns every power of two from 2 to {@code largest}, which is {@link #USUAL} or less. */
    static List<Integer> upTo(int largest) {
        return Stream.iterate(2, size -> size <= largest, size -> size * 2).toList();
    }

    private static final Pattern FORM = Pattern.compile("(\\d{1,10})([KMG]?)", Pattern.CASE_INSENSITIVE);
    private static final int BITS_A_STEP = 10;

    @Override
    public Integer convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is not a number of bytes, such as 4096, 64K or 8M (powers of 1024)");
        }
        String suffix = matcher.group(2).toUpperCase(Locale.ROOT);
        int steps = suffix.isEmpty() ? 0 : 1 + "KMG".indexOf(suffix);
        int shift = BITS_A_STEP * steps;
        long number = Long.parseLong(matcher.group(1));
        if (number > MAX >>> shift) {
            throw new TypeConversionException("'" + text + "' is more than " + MAX + " bytes");
        }
        return (int) (number << shift);
    }
}
