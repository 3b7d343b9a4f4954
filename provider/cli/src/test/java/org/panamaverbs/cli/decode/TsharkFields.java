package org.panamaverbs.cli.decode;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.decode.dissect.Field;
import org.panamaverbs.cli.decode.iwarp.Event;

/** The fields of a unit under the names that tshark has for them. */
final class TsharkFields {
    /** tshark's names by ours, where they hold the same. */
    private static final Map<String, String> SAME = Map.ofEntries(
            Map.entry("mpa.markers", "iwarp_mpa.marker_flag"),
            Map.entry("mpa.crc", "iwarp_mpa.crc_flag"),
            Map.entry("mpa.reject", "iwarp_mpa.rej_flag"),
            Map.entry("mpa.revision", "iwarp_mpa.rev"),
            Map.entry("mpa.privateDataLength", "iwarp_mpa.pdlength"),
            Map.entry("mpa.ulpduLength", "iwarp_mpa.ulpdulength"),
            Map.entry("mpa.padding", "iwarp_mpa.pad"),
            Map.entry("mpa.marker.reserved", "iwarp_mpa.marker_res"),
            Map.entry("mpa.marker.pointer", "iwarp_mpa.marker_fpduptr"),
            Map.entry("ddp.tagged", "iwarp_ddp.tagged_flag"),
            Map.entry("ddp.last", "iwarp_ddp.last_flag"),
            Map.entry("ddp.reserved", "iwarp_ddp.rsvd"),
            Map.entry("ddp.version", "iwarp_ddp.dv"),
            Map.entry("ddp.stag", "iwarp_ddp.stag"),
            Map.entry("ddp.to", "iwarp_ddp.tagged_offset"),
            Map.entry("ddp.qn", "iwarp_ddp.qn"),
            Map.entry("ddp.msn", "iwarp_ddp.msn"),
            Map.entry("ddp.mo", "iwarp_ddp.mo"),
            Map.entry("rdmap.version", "iwarp_rdma.version"),
            Map.entry("rdmap.reserved", "iwarp_rdma.rsv"),
            Map.entry("rdmap.opcode", "iwarp_rdma.opcode"),
            Map.entry("rdmap.invalidateStag", "iwarp_rdma.inval_stag"),
            Map.entry("rdmap.readRequest.sinkStag", "iwarp_rdma.sinkstag"),
            Map.entry("rdmap.readRequest.sinkTo", "iwarp_rdma.sinkto"),
            Map.entry("rdmap.readRequest.size", "iwarp_rdma.rdmardsz"),
            Map.entry("rdmap.readRequest.sourceStag", "iwarp_rdma.srcstag"),
            Map.entry("rdmap.readRequest.sourceTo", "iwarp_rdma.srcto"),
            Map.entry("rdmap.atomicRequest.reserved", "iwarp_rdma.atomic.reserved"),
            Map.entry("rdmap.atomicRequest.operationCode", "iwarp_rdma.atomic.opcode"),
            Map.entry("rdmap.atomicRequest.requestId", "iwarp_rdma.atomic.request_identifier"),
            Map.entry("rdmap.atomicRequest.remoteStag", "iwarp_rdma.atomic.remote_stag"),
            Map.entry("rdmap.atomicRequest.remoteTo", "iwarp_rdma.atomic.remote_tagged_offset"),
            Map.entry("rdmap.atomicRequest.compare", "iwarp_rdma.atomic.compare_data"),
            Map.entry("rdmap.atomicRequest.compareMask", "iwarp_rdma.atomic.compare_mask"),
            Map.entry("rdmap.atomicResponse.requestId", "iwarp_rdma.atomic.original_request_identifier"),
            Map.entry("rdmap.atomicResponse.original", "iwarp_rdma.atomic.original_remote_data_value"),
            Map.entry("rdmap.terminate.layer", "iwarp_rdma.term_layer"),
            Map.entry("rdmap.terminate.errorType", "iwarp_rdma.term_etype"),
            Map.entry("rdmap.terminate.errorCode", "iwarp_rdma.term_errcode"),
            Map.entry("rdmap.terminate.m", "iwarp_rdma.term_hdrct_m"),
            Map.entry("rdmap.terminate.d", "iwarp_rdma.hdrct_d"),
            Map.entry("rdmap.terminate.r", "iwarp_rdma.hdrct_r"),
            Map.entry("rdmap.terminate.reserved", "iwarp_rdma.term_rsvd"),
            Map.entry("rdmap.terminate.segmentLength", "iwarp_rdma.term_ddp_seg_len"),
            Map.entry("rdmap.terminate.terminatedDdp", "iwarp_rdma.term_ddp_h"),
            Map.entry("rdmap.terminate.terminatedRdmap", "iwarp_rdma.term_rdma_h"));

    private final Map<String, List<String>> ours = new HashMap<>();
    private final Map<String, List<String>> fields = new HashMap<>();

    private TsharkFields(Event.Unit unit) {
        unit.fields().forEach(field -> flatten("", field));
        boolean frame = unit.kind().startsWith("mpa-");
        ours.forEach((name, values) -> {
            String theirs = frame || !name.equals("mpa.crc") ? SAME.get(name) : null;
            if (theirs != null) {
                values.stream().filter(value -> !value.isEmpty()).forEach(value -> put(theirs, value));
            }
        });
        if (frame) {
            mpaFrame(unit);
        } else {
            fpdu();
        }
    }

    /** Values by tshark's names, normalised as {@link #normal} does. */
    static Map<String, List<String>> of(Event.Unit unit) {
        return new TsharkFields(unit).fields;
    }

    /** Brings a value of tshark's into one form, by the field's type. */
    static String normal(String value, String type) {
        if (type.equals("FT_BYTES")) {
            return value.replace(":", "");
        }
        return switch (value) {
            case "True" -> "1";
            case "False" -> "0";
            default -> value.startsWith("0x") ? number(Long.parseUnsignedLong(value.substring(2), 16)) : value;
        };
    }

    /** Fields of tshark's that say the same, each in its case, under one name. */
    static String common(String field) {
        return field.replaceFirst("(term_etype|term_errcode)_.*", "$1");
    }

    private static String number(long value) {
        return Long.toUnsignedString(value);
    }

    private void flatten(String prefix, Field field) {
        String name = prefix + field.name();
        switch (field) {
            case Field.Count count -> add(name, number(count.value()));
            case Field.Hex hex -> add(name, number(hex.value()));
            case Field.Flag flag -> add(name, flag.value() ? "1" : "0");
            case Field.Text text -> add(name, text.value());
            case Field.Octets octets -> add(name, HexFormat.of().formatHex(octets.value()));
            case Field.Group group -> group.fields().forEach(inner -> flatten(name + ".", inner));
            case Field.Repeated repeated -> repeated.groups().forEach(group -> flatten(prefix, group));
        }
    }

    private void add(String name, String value) {
        ours.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    private void put(String name, String value) {
        fields.computeIfAbsent(name, key -> new ArrayList<>()).add(value);
    }

    private String get(String name) {
        return requireNonNull(ours.get(name), name).getFirst();
    }

    private boolean is(String name) {
        return ours.getOrDefault(name, List.of("0")).getFirst().equals("1");
    }

    private long number(String name) {
        return Long.parseUnsignedLong(get(name));
    }

    private void mpaFrame(Event.Unit unit) {
        boolean reply = unit.kind().equals("mpa-reply");
        String key = "4d504120494420" + (reply ? "526570" : "526571") + "204672616d65";
        put(reply ? "iwarp_mpa.key.rep" : "iwarp_mpa.key.req", key);
        // tshark knows neither the S bit nor the block of RFC 6581: they are reserved, and private data.
        put("iwarp_mpa.res", number(number("mpa.reserved") | (is("mpa.enhanced") ? 0x10 : 0)));
        String block = !is("mpa.enhanced")
                ? ""
                : HexFormat.of().toHexDigits((int) ((is("mpa.enhancedBlock.peerToPeer") ? 1L << 31 : 0)
                        | (is("mpa.enhancedBlock.rtrSend") ? 1L << 30 : 0)
                        | number("mpa.enhancedBlock.ird") << 16
                        | (is("mpa.enhancedBlock.rtrWrite") ? 1L << 15 : 0)
                        | (is("mpa.enhancedBlock.rtrRead") ? 1L << 14 : 0)
                        | number("mpa.enhancedBlock.ord")));
        String privateData = block + get("mpa.privateData");
        if (!privateData.isEmpty()) {
            put("iwarp_mpa.privatedata", privateData);
        }
    }

    private void fpdu() {
        put(get("mpa.crcState").equals("unused") ? "iwarp_mpa.crc" : "iwarp_mpa.crc_check", get("mpa.crc"));
        if (!is("ddp.tagged")) {
            long control = number("rdmap.version") << 6 | number("rdmap.reserved") << 4 | number("rdmap.opcode");
            String reserved = HexFormat.of().toHexDigits((int) number("ddp.reservedUlp"));
            put("iwarp_ddp.rsvdulp", HexFormat.of().toHexDigits((byte) control) + reserved);
            switch (get("rdmap.opcode")) {
                case "1", "3", "5", "7" -> put("iwarp_rdma.reserved", reserved);
                default -> {} // the STag to invalidate, or none of tshark's business
            }
        }
        atomicOperands();
        if (ours.containsKey("rdmap.terminate.segmentLength")) {
            fields.put(
                    "iwarp_rdma.term_ddp_seg_len", List.of("%04x".formatted(number("rdmap.terminate.segmentLength"))));
        }
    }

    private void atomicOperands() {
        @Nullable List<String> data = ours.get("rdmap.atomicRequest.data");
        if (data != null) {
            String operation = get("rdmap.atomicRequest.operationCode").equals("0") ? "add" : "swap";
            put("iwarp_rdma.atomic." + operation + "_data", data.getFirst());
            put("iwarp_rdma.atomic." + operation + "_mask", get("rdmap.atomicRequest.mask"));
        }
    }
}
