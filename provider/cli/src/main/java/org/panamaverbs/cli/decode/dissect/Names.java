package org.panamaverbs.cli.decode.dissect;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.iwarp.wire.Opcode;
import org.panamaverbs.iwarp.wire.TerminateCode;

/** What things are called: kinds for programs, the RFCs' names for people. */
public final class Names {
    /** Kind of an MPA Request. */
    public static final String MPA_REQUEST = "mpa-request";
    /** Kind of an MPA Reply. */
    public static final String MPA_REPLY = "mpa-reply";
    /** Kind of the end of a direction. */
    public static final String FIN = "fin";
    /** Kind of a connection's reset. */
    public static final String RST = "rst";
    /** Kind of a segment whose opcode is none, or cannot be read. */
    public static final String UNKNOWN = "unknown";

    private Names() {}

    /** All kinds of units and ends. */
    public static List<String> kinds() {
        List<String> kinds = new ArrayList<>(List.of(MPA_REQUEST, MPA_REPLY));
        for (Opcode opcode : Opcode.values()) {
            kinds.add(kind(opcode));
        }
        kinds.addAll(List.of(UNKNOWN, FIN, RST));
        return kinds;
    }

    static String kind(Opcode opcode) {
        return opcode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the name of the message whose RDMAP control octet this is. */
    static String title(int rdmapControl) {
        Opcode opcode = Opcode.ofControl(rdmapControl);
        return opcode == null ? "opcode 0x" + Hexadecimal.digits(rdmapControl, 1) : opcode.title();
    }

    /** RFC 7306 §5.2.1; 1 is of the draft before it. */
    static String atomic(int operationCode) {
        return switch (operationCode) {
            case 0 -> "FetchAdd";
            case 1 -> "Swap (draft-ietf-storm-rdmap-ext-01)";
            case 2 -> "CmpSwap";
            default -> "AOpCode " + operationCode;
        };
    }

    static String layer(int layer) {
        return switch (layer) {
            case TerminateCode.LAYER_RDMAP -> "RDMAP";
            case TerminateCode.LAYER_DDP -> "DDP";
            case TerminateCode.LAYER_MPA -> "MPA";
            default -> "layer " + layer;
        };
    }

    /** Where a code is defined, as {@code RFC 5041 section 7.2}; empty if nowhere. */
    static String rfc(TerminateCode code) {
        return code.rfc().isEmpty() ? "" : "RFC " + code.rfc().replace("#", " section ");
    }

    /** A code with its numbers and where it is defined. */
    static String verdict(TerminateCode code) {
        String rfc = rfc(code);
        return code.text() + " (" + code.layer() + "/" + code.errorType() + "/" + Hexadecimal.digits(code.code(), 2)
                + (rfc.isEmpty() ? "" : ", " + rfc) + ")";
    }
}
