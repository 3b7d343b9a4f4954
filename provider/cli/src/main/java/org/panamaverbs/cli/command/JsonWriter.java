package org.panamaverbs.cli.command;

import com.google.gson.Strictness;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Writes one JSON value (RFC 8259) into a text, indented by two spaces or in one line. Names and values are written in
 * the order of the calls; a call that JSON does not allow at its place throws {@link IllegalStateException}.
 */
public final class JsonWriter {
    // A lone surrogate has no UTF-8 form. Those of a pair are one character to a pattern.
    private static final Pattern LONE_SURROGATE = Pattern.compile("\\p{Cs}");

    private final StringWriter text = new StringWriter();
    private final com.google.gson.stream.JsonWriter json = new com.google.gson.stream.JsonWriter(text);
    /** What ends each object and array that is open, the innermost first. */
    private final Deque<Step> ends = new ArrayDeque<>();

    /** What is written into memory, where no input or output fails. */
    @FunctionalInterface
    private interface Step {
        void run() throws IOException;
    }

    /** Creates a writer that indents. */
    public JsonWriter() {
        this("  ");
    }

    private JsonWriter(String indent) {
        json.setStrictness(Strictness.STRICT);
        json.setIndent(indent);
    }

    /** Returns a writer that writes everything in one line, for programs that read line by line. */
    public static JsonWriter inOneLine() {
        return new JsonWriter("");
    }

    /** Begins an object. */
    public JsonWriter object() {
        write(json::beginObject);
        ends.push(json::endObject);
        return this;
    }

    /** Begins an array. */
    public JsonWriter array() {
        write(json::beginArray);
        ends.push(json::endArray);
        return this;
    }

    /** Ends the innermost object or array. */
    public JsonWriter end() {
        if (ends.isEmpty()) {
            throw new IllegalStateException("nothing to end");
        }
        return write(ends.pop());
    }

    /** Names the next value of an object. */
    public JsonWriter name(String name) {
        return write(() -> json.name(name));
    }

    /** Writes a string. */
    public JsonWriter value(String value) {
        return write(() -> json.value(value));
    }

    /** Writes an integer. */
    public JsonWriter value(long value) {
        return write(() -> json.value(value));
    }

    /** Writes a number with three decimals. */
    public JsonWriter value(double value) {
        return value(value, 3);
    }

    /** Writes a number with {@code decimals} decimals. */
    public JsonWriter value(double value, int decimals) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("JSON has no number " + value);
        }
        return write(() -> json.jsonValue(String.format(Locale.ROOT, "%." + decimals + "f", value)));
    }

    /** Writes true or false. */
    public JsonWriter value(boolean value) {
        return write(() -> json.value(value));
    }

    /** Writes a name and a string. */
    public JsonWriter field(String name, String value) {
        return name(name).value(value);
    }

    /** Writes a name and an integer. */
    public JsonWriter field(String name, long value) {
        return name(name).value(value);
    }

    /** Writes a name and true or false. */
    public JsonWriter field(String name, boolean value) {
        return name(name).value(value);
    }

    /** Returns the text, without a newline at its end; nothing can be written after that. */
    @Override
    public String toString() {
        write(json::close);
        return LONE_SURROGATE
                .matcher(text.toString())
                .replaceAll(found -> String.format(
                        Locale.ROOT, "\\\\u%04x", (int) found.group().charAt(0)));
    }

    private JsonWriter write(Step step) {
        try {
            step.run();
            return this;
        } catch (IOException e) {
            throw new IllegalStateException("the JSON value is not complete", e);
        }
    }
}
