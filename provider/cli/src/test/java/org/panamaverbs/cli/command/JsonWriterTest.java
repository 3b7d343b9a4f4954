package org.panamaverbs.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JsonWriterTest {
    private final JsonWriter writer = new JsonWriter();

    @Test
    void writesNestedValuesInOrder() {
        writer.object().field("name", "iwarp").field("priority", 10).field("available", true);
        writer.name("devices").array().value("iwarp0").object().end().end();
        writer.name("empty").array().end().name("median").value(1.5).end();

        assertThat(writer).hasToString("""
                {
                  "name": "iwarp",
                  "priority": 10,
                  "available": true,
                  "devices": [
                    "iwarp0",
                    {}
                  ],
                  "empty": [],
                  "median": 1.500
                }""");
    }

    @Test
    void writesInOneLineIfAsked() {
        JsonWriter line =
                JsonWriter.inOneLine().object().field("a", 1).name("b").array();
        line.value("c").object().end().end().end();

        assertThat(line).hasToString("{\"a\":1,\"b\":[\"c\",{}]}");
    }

    @Test
    void escapesWhatJsonCannotHold() {
        writer.value("a\"b\\c\nd\te\u0001f\u00e9\ud83d\ude00g\ud83d");

        assertThat(writer).hasToString("\"a\\\"b\\\\c\\nd\\te\\u0001f\u00e9\ud83d\ude00g\\ud83d\"");
    }

    @Test
    void refusesValueWithoutNameInObject() {
        writer.object();

        assertThatThrownBy(() -> writer.value(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesNameInArray() {
        writer.array();

        assertThatThrownBy(() -> writer.name("x")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesSecondValueAtTheTop() {
        writer.value(1);

        assertThatThrownBy(() -> writer.value(2)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesTextOfIncompleteValue() {
        writer.object();

        assertThatThrownBy(writer::toString).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesEndAfterNameWithoutValue() {
        writer.object().name("x");

        assertThatThrownBy(writer::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesNumbersThatJsonLacks() {
        assertThatThrownBy(() -> writer.value(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }
}
