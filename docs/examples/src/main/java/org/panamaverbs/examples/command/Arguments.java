package org.panamaverbs.examples.command;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of one run: what the command line says, and elsewhere what is usual. */
public final class Arguments {
    private final Map<String, String> values;

    private Arguments(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Returns what {@code words} say of {@code options}.
     *
     * @throws UsageException if they name another option, or one without a value
     */
    public static Arguments parse(List<Option> options, List<String> words) {
        Map<String, String> values = new LinkedHashMap<>();
        options.forEach(option -> values.put(option.name(), option.usual()));
        for (int i = 0; i < words.size(); i += 2) {
            String word = words.get(i);
            String name = word.startsWith("--") ? word.substring(2) : "";
            if (!values.containsKey(name)) {
                throw new UsageException(
                        "there is no option " + word + "; the options are --" + String.join(", --", values.keySet()));
            }
            if (i + 1 == words.size()) {
                throw new UsageException("the option " + word + " needs a value");
            }
            values.put(name, words.get(i + 1));
        }
        return new Arguments(values);
    }

    /** Returns the value of option {@code name}. */
    public String text(String name) {
        String value = values.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the example has no option --" + name);
        }
        return value;
    }

    /**
     * Returns the value of option {@code name} as a number.
     *
     * @throws UsageException if it is none, or not from {@code least} to {@code most}
     */
    public int number(String name, int least, int most) {
        String value = text(name);
        try {
            int number = Integer.parseInt(value.replace("_", ""));
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // what is no number is told like one out of the range
        }
        throw new UsageException("--" + name + " is a number from " + least + " to " + most + ", not " + value);
    }
}
