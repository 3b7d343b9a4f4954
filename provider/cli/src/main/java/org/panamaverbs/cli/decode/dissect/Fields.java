package org.panamaverbs.cli.decode.dissect;

import java.util.ArrayList;
import java.util.List;
import org.panamaverbs.iwarp.wire.ReadRequestView;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.UntaggedView;

/** Collects fields in the order of the wire. */
public final class Fields {
    private static final int HEX_16 = 4;
    private static final int HEX_32 = 8;
    private static final int HEX_64 = 16;

    private final List<Field> fields = new ArrayList<>();

    /** Returns the fields of a Read Request, also of one that a Terminate returns. */
    static Fields of(ReadRequestView view) {
        return new Fields()
                .hex32("sinkStag", "Data Sink STag", view.sinkStag())
                .hex64("sinkTo", "Data Sink Tagged Offset", view.sinkTo())
                .count("size", "RDMA Read Message Size", view.size())
                .hex32("sourceStag", "Data Source STag", view.sourceStag())
                .hex64("sourceTo", "Data Source Tagged Offset", view.sourceTo());
    }

    /** Adds what a tagged header has behind its control octets. */
    Fields header(TaggedView view) {
        return hex32("stag", "Data Sink STag", view.stag()).hex64("to", "Data Sink Tagged Offset", view.to());
    }

    /** Adds what an untagged header has behind its control octets. */
    Fields header(UntaggedView view) {
        return hex32("reservedUlp", "Reserved for the ULP", view.invalidateStag())
                .count("qn", "Queue Number", Integer.toUnsignedLong(view.qn()))
                .count("msn", "Message Sequence Number", Integer.toUnsignedLong(view.msn()))
                .count("mo", "Message Offset", Integer.toUnsignedLong(view.mo()));
    }

    public Fields count(String name, String label, long value) {
        return add(new Field.Count(name, label, value));
    }

    public Fields hex16(String name, String label, int value) {
        return add(new Field.Hex(name, label, value & 0xFFFF, HEX_16));
    }

    public Fields hex32(String name, String label, int value) {
        return add(new Field.Hex(name, label, Integer.toUnsignedLong(value), HEX_32));
    }

    Fields hex64(String name, String label, long value) {
        return add(new Field.Hex(name, label, value, HEX_64));
    }

    Fields flag(String name, String label, boolean value) {
        return add(new Field.Flag(name, label, value));
    }

    public Fields text(String name, String label, String value) {
        return add(new Field.Text(name, label, value));
    }

    public Fields octets(String name, String label, byte[] value) {
        return add(new Field.Octets(name, label, value));
    }

    Fields group(String name, String label, Fields group) {
        return add(group.asGroup(name, label));
    }

    public Fields repeated(String name, String label, List<Field.Group> groups) {
        return groups.isEmpty() ? this : add(new Field.Repeated(name, label, List.copyOf(groups)));
    }

    public Field.Group asGroup(String name, String label) {
        return new Field.Group(name, label, toList());
    }

    List<Field> toList() {
        return List.copyOf(fields);
    }

    private Fields add(Field field) {
        fields.add(field);
        return this;
    }
}
