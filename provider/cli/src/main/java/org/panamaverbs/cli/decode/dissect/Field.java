package org.panamaverbs.cli.decode.dissect;

import java.util.List;

/**
 * A field of a header, with a name for programs and a label for people. Names are stable: they are in the JSON that
 * users keep.
 */
public sealed interface Field {
    /** The name, unique among its siblings, such as {@code sinkStag}. */
    String name();

    /** The words of the RFCs for it, such as {@code Data Sink STag}. */
    String label();

    /** A count, length, offset or number, 0 or more. */
    record Count(String name, String label, long value) implements Field {}

    /**
     * A number whose bits matter, such as an STag; a 64-bit one need not fit a number of JSON.
     *
     * @param digits hexadecimal digits of the field
     */
    record Hex(String name, String label, long value, int digits) implements Field {
        /** As {@code 0x0000cafe}. */
        public String text() {
            return "0x" + Hexadecimal.digits(value, digits);
        }
    }

    /** A single bit. */
    record Flag(String name, String label, boolean value) implements Field {}

    /** Words. */
    record Text(String name, String label, String value) implements Field {}

    /** A run of octets; whoever gets it does not write into it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Octets(String name, String label, byte[] value) implements Field {}

    /** Fields that belong together. */
    record Group(String name, String label, List<Field> fields) implements Field {}

    /** Any number of like groups. */
    record Repeated(String name, String label, List<Group> groups) implements Field {}
}
