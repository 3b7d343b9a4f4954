package org.panamaverbs.cli.command;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;

/**
 * Writes one JSON value (RFC 8259), indented by two spaces or in one line. Names and values are written in the order of
 * the calls; a call that JSON does not allow at its place throws {@link IllegalStateException}.
 */
public final class JsonWriter {
    private enum Scope {
        OBJECT,
        ARRAY
    }

    private final boolean inOneLine;
    private final StringBuilder text = new StringBuilder();
    private final Deque<Scope> scopes = new ArrayDeque<>();
    private boolean named;
    private boolean first = true;

    /** Makes one that indents. */
    public JsonWriter() {
        this(false);
    }

    private JsonWriter(boolean inOneLine) {
        this.inOneLine = inOneLine;
    }

    /** Makes one that writes everything in one line, for programs that read line by line. */
    public static JsonWriter inOneLine() {
        return new JsonWriter(true);
    }

    /** Begins an object. */
    public JsonWriter object() {
        return open(Scope.OBJECT, '{');
    }

    /** Begins an array. */
    public JsonWriter array() {
        return open(Scope.ARRAY, '[');
    }

    /** Ends the innermost object or array. */
    public JsonWriter end() {
        if (scopes.isEmpty() || named) {
            throw new IllegalStateException(named ? "a name lacks its value" : "nothing to end");
        }
        Scope scope = scopes.pop();
        if (!first) {
            newLine();
        }
        text.append(scope == Scope.OBJECT ? '}' : ']');
        first = false;
        return this;
    }

    /** Names the next value of an object. */
    public JsonWriter name(String name) {
        if (scopes.peek() != Scope.OBJECT || named) {
            throw new IllegalStateException("no place for the name " + name);
        }
        separate();
        quote(name);
        text.append(inOneLine ? ":" : ": ");
        named = true;
        return this;
    }

    /** Writes a string. */
    public JsonWriter value(String value) {
        beforeValue();
        quote(value);
        return this;
    }

    /** Writes an integer. */
    public JsonWriter value(long value) {
        beforeValue();
        text.append(value);
        return this;
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
        beforeValue();
        text.append(String.format(Locale.ROOT, "%." + decimals + "f", value));
        return this;
    }

    /** Writes true or false. */
    public JsonWriter value(boolean value) {
        beforeValue();
        text.append(value);
        return this;
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

    /** Returns the text, without a newline at its end. */
    @Override
    public String toString() {
        if (!scopes.isEmpty() || text.isEmpty()) {
            throw new IllegalStateException("the JSON value is not complete");
        }
        return text.toString();
    }

    private JsonWriter open(Scope scope, char bracket) {
        beforeValue();
        text.append(bracket);
        scopes.push(scope);
        first = true;
        return this;
    }

    private void beforeValue() {
        Scope scope = scopes.peek();
        if (scope == Scope.OBJECT && !named) {
            throw new IllegalStateException("a value in an object needs a name");
        }
        if (scope == null && !text.isEmpty()) {
            throw new IllegalStateException("the JSON value is complete");
        }
        if (scope == Scope.ARRAY) {
            separate();
        }
        named = false;
    }

    private void separate() {
        if (!first) {
            text.append(',');
        }
        first = false;
        newLine();
    }

    private void newLine() {
        if (!inOneLine) {
            text.append('\n').repeat(' ', 2 * scopes.size());
        }
    }

    private void quote(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    // RFC 8259 §7: control characters must be escaped; a lone surrogate has no UTF-8 form.
                    if (c < 0x20 || (Character.isSurrogate(c) && !isPaired(value, i))) {
                        text.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }

    private static boolean isPaired(String value, int index) {
        return Character.isHighSurrogate(value.charAt(index))
                ? index + 1 < value.length() && Character.isLowSurrogate(value.charAt(index + 1))
                : index > 0 && Character.isHighSurrogate(value.charAt(index - 1));
    }
}
