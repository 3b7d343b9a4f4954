package org.panamaverbs.cli.perf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads numbers of bytes as perftest does, {@code 64K} for 65536: powers of 1024, in either case. */
final class Octets implements ITypeConverter<Integer> {
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
        if (number > MessageSizes.MAX >>> shift) {
            throw new TypeConversionException("'" + text + "' is more than " + MessageSizes.MAX + " bytes");
        }
        return (int) (number << shift);
    }
}
