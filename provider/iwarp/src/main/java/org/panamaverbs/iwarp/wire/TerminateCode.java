package org.panamaverbs.iwarp.wire;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A reason for terminating a stream: layer, error type and error code of a Terminate (RFC 5040 §4.8), with its words.
 * The constants are the whole registered code space; anything else a peer sends is still a value, with a generated
 * text.
 *
 * @param layer 0 RDMAP, 1 DDP, 2 LLP (MPA); 0..15
 * @param errorType 0..15
 * @param code 0..255; without meaning where the error type has no codes
 * @param text what happened, in words
 * @param rfc number and section that define it, such as {@code "5040#4.8"}; empty when nothing does
 */
public record TerminateCode(int layer, int errorType, int code, String text, String rfc) {
    /** 0/0: RDMAP local catastrophic error. */
    public static final TerminateCode RDMAP_LOCAL_CATASTROPHIC = rdmap(0, 0x00, "RDMAP local catastrophic error");

    /** 0/1/00. */
    public static final TerminateCode INVALID_STAG = rdmap(1, 0x00, "remote protection error: invalid STag");
    /** 0/1/01. */
    public static final TerminateCode BOUNDS = rdmap(1, 0x01, "remote protection error: base or bounds violation");
    /** 0/1/02. */
    public static final TerminateCode ACCESS_RIGHTS =
            rdmap(1, 0x02, "remote protection error: access rights violation");
    /** 0/1/03. */
    public static final TerminateCode STAG_NOT_ASSOCIATED =
            rdmap(1, 0x03, "remote protection error: STag not associated with RDMAP Stream");
    /** 0/1/04. */
    public static final TerminateCode TO_WRAP = rdmap(1, 0x04, "remote protection error: TO wrap");
    /** 0/1/09. */
    public static final TerminateCode PROTECTION_CANNOT_INVALIDATE =
            rdmap(1, 0x09, "remote protection error: STag cannot be invalidated");
    /** 0/1/ff. */
    public static final TerminateCode PROTECTION_UNSPECIFIED =
            rdmap(1, 0xFF, "remote protection error: unspecified error");

    /** 0/2/05. */
    public static final TerminateCode RDMAP_VERSION = rdmap(2, 0x05, "remote operation error: invalid RDMAP version");
    /** 0/2/06. */
    public static final TerminateCode UNEXPECTED_OPCODE = rdmap(2, 0x06, "remote operation error: unexpected opcode");
    /** 0/2/07; also a misaligned atomic (RFC 7306 §5.1) and an exceeded IRD. */
    public static final TerminateCode STREAM_CATASTROPHIC =
            rdmap(2, 0x07, "remote operation error: catastrophic error, localized to RDMAP Stream");
    /** 0/2/08. */
    public static final TerminateCode GLOBAL_CATASTROPHIC =
            rdmap(2, 0x08, "remote operation error: catastrophic error, global");
    /** 0/2/09. */
    public static final TerminateCode OPERATION_CANNOT_INVALIDATE =
            rdmap(2, 0x09, "remote operation error: STag cannot be invalidated");
    /** 0/2/ff. */
    public static final TerminateCode OPERATION_UNSPECIFIED =
            rdmap(2, 0xFF, "remote operation error: unspecified error");

    /** 1/0/00. */
    public static final TerminateCode DDP_LOCAL_CATASTROPHIC = ddp(0, 0x00, "DDP local catastrophic error");

    /** 1/1/00. */
    public static final TerminateCode TAGGED_INVALID_STAG = ddp(1, 0x00, "tagged buffer error: invalid STag");
    /** 1/1/01. */
    public static final TerminateCode TAGGED_BOUNDS = ddp(1, 0x01, "tagged buffer error: base or bounds violation");
    /** 1/1/02. */
    public static final TerminateCode TAGGED_NOT_ASSOCIATED =
            ddp(1, 0x02, "tagged buffer error: STag not associated with DDP Stream");
    /** 1/1/03. */
    public static final TerminateCode TAGGED_TO_WRAP = ddp(1, 0x03, "tagged buffer error: TO wrap");
    /** 1/1/04. */
    public static final TerminateCode TAGGED_VERSION = ddp(1, 0x04, "tagged buffer error: invalid DDP version");

    /** 1/2/01. */
    public static final TerminateCode UNTAGGED_INVALID_QN = ddp(2, 0x01, "untagged buffer error: invalid QN");
    /** 1/2/02. */
    public static final TerminateCode UNTAGGED_NO_BUFFER =
            ddp(2, 0x02, "untagged buffer error: invalid MSN, no buffer available");
    /** 1/2/03. */
    public static final TerminateCode UNTAGGED_MSN_RANGE =
            ddp(2, 0x03, "untagged buffer error: invalid MSN, range is not valid");
    /** 1/2/04. */
    public static final TerminateCode UNTAGGED_INVALID_MO = ddp(2, 0x04, "untagged buffer error: invalid MO");
    /** 1/2/05. */
    public static final TerminateCode UNTAGGED_TOO_LONG =
            ddp(2, 0x05, "untagged buffer error: DDP Message too long for available buffer");
    /** 1/2/06. */
    public static final TerminateCode UNTAGGED_VERSION = ddp(2, 0x06, "untagged buffer error: invalid DDP version");

    /** 1/3: reserved for the LLP, any code. */
    public static final TerminateCode DDP_LLP = ddp(3, 0x00, "error reserved for the LLP");

    /** 2/0/01. */
    public static final TerminateCode MPA_CONNECTION_LOST =
            mpa(0x01, "MPA error: TCP connection closed, terminated or lost", "5044#8");
    /** 2/0/02. */
    public static final TerminateCode MPA_CRC = mpa(0x02, "MPA error: CRC error", "5044#8");
    /** 2/0/03. */
    public static final TerminateCode MPA_FRAMING =
            mpa(0x03, "MPA error: marker and ULPDU_Length fields do not match", "5044#8");
    /** 2/0/04. */
    public static final TerminateCode MPA_INVALID_FRAME =
            mpa(0x04, "MPA error: invalid MPA Request or Reply Frame", "5044#8");
    /** 2/0/05. */
    public static final TerminateCode MPA_LOCAL_CATASTROPHIC =
            mpa(0x05, "MPA error: local catastrophic error", "6581#8");
    /** 2/0/06. */
    public static final TerminateCode MPA_INSUFFICIENT_IRD =
            mpa(0x06, "MPA error: insufficient IRD resources", "6581#8");
    /** 2/0/07. */
    public static final TerminateCode MPA_NO_MATCHING_RTR = mpa(0x07, "MPA error: no matching RTR option", "6581#8");

    /** Every registered code; the ones whose code octet means nothing stand there once, with code 0. */
    public static final List<TerminateCode> REGISTERED = List.of(
            RDMAP_LOCAL_CATASTROPHIC,
            INVALID_STAG,
            BOUNDS,
            ACCESS_RIGHTS,
            STAG_NOT_ASSOCIATED,
            TO_WRAP,
            PROTECTION_CANNOT_INVALIDATE,
            PROTECTION_UNSPECIFIED,
            RDMAP_VERSION,
            UNEXPECTED_OPCODE,
            STREAM_CATASTROPHIC,
            GLOBAL_CATASTROPHIC,
            OPERATION_CANNOT_INVALIDATE,
            OPERATION_UNSPECIFIED,
            DDP_LOCAL_CATASTROPHIC,
            TAGGED_INVALID_STAG,
            TAGGED_BOUNDS,
            TAGGED_NOT_ASSOCIATED,
            TAGGED_TO_WRAP,
            TAGGED_VERSION,
            UNTAGGED_INVALID_QN,
            UNTAGGED_NO_BUFFER,
            UNTAGGED_MSN_RANGE,
            UNTAGGED_INVALID_MO,
            UNTAGGED_TOO_LONG,
            UNTAGGED_VERSION,
            DDP_LLP,
            MPA_CONNECTION_LOST,
            MPA_CRC,
            MPA_FRAMING,
            MPA_INVALID_FRAME,
            MPA_LOCAL_CATASTROPHIC,
            MPA_INSUFFICIENT_IRD,
            MPA_NO_MATCHING_RTR);

    /** Layer number of RDMAP. */
    public static final int LAYER_RDMAP = 0;
    /** Layer number of DDP. */
    public static final int LAYER_DDP = 1;
    /** Layer number of the LLP, which is MPA here. */
    public static final int LAYER_MPA = 2;

    /** Error type that some adapters send for the MPA codes in place of the registered 0. */
    static final int MPA_ALIAS_TYPE = 3;

    private static TerminateCode rdmap(int errorType, int code, String text) {
        return new TerminateCode(0, errorType, code, text, "5040#4.8");
    }

    private static TerminateCode ddp(int errorType, int code, String text) {
        return new TerminateCode(1, errorType, code, text, "5041#7.2");
    }

    private static TerminateCode mpa(int code, String text, String rfc) {
        return new TerminateCode(2, 0, code, text, rfc);
    }

    /**
     * The words for a code, registered or not. An MPA code that came with error type 3, as some adapters send it, keeps
     * its numbers and takes the words of the registered one.
     */
    public static TerminateCode lookup(int layer, int errorType, int code) {
        boolean alias = layer == LAYER_MPA && errorType == MPA_ALIAS_TYPE;
        TerminateCode found = registered(layer, alias ? 0 : errorType, code);
        if (found == null) {
            String text = "unregistered error, layer %d, type %d, code 0x%02x".formatted(layer, errorType, code);
            return new TerminateCode(layer, errorType, code, text, "");
        }
        boolean exact = found.errorType == errorType && found.code == code;
        return exact ? found : new TerminateCode(layer, errorType, code, found.text, found.rfc);
    }

    /** True when some RFC gives these numbers a meaning; error type 3 of layer 2 counts as well, for the MPA codes. */
    static boolean isKnown(int layer, int errorType, int code) {
        boolean alias = layer == LAYER_MPA && errorType == MPA_ALIAS_TYPE;
        return registered(layer, alias ? 0 : errorType, code) != null;
    }

    private static @Nullable TerminateCode registered(int layer, int errorType, int code) {
        for (TerminateCode candidate : REGISTERED) {
            boolean sameCode = candidate.code == code || candidate.anyCode();
            if (candidate.layer == layer && candidate.errorType == errorType && sameCode) {
                return candidate;
            }
        }
        return null;
    }

    /** The verdict on a message whose length is fixed by its opcode; null when it has that length. */
    static @Nullable TerminateCode forFixedLength(long messageLength, int expected) {
        if (messageLength == expected) {
            return null;
        }
        // The RFCs name no code for either; a message longer than its opcode's buffer is what 1/2/05 describes.
        return messageLength > expected ? UNTAGGED_TOO_LONG : OPERATION_UNSPECIFIED;
    }

    /** True when a specification registers this error, however its numbers were written. */
    public boolean isRegistered() {
        return !rfc.isEmpty();
    }

    /** True when the error type has no codes, so that any value of the code octet says the same. */
    public boolean anyCode() {
        // RFC 5040 §4.8: "This error type does not have an error code. Any value in this field is acceptable."
        return (layer == LAYER_RDMAP && errorType == 0) || (layer == LAYER_DDP && errorType == 3);
    }

    /** The registered constant with the same meaning, or this when there is none. */
    public TerminateCode canonical() {
        TerminateCode found =
                registered(layer, layer == LAYER_MPA && errorType == MPA_ALIAS_TYPE ? 0 : errorType, code);
        return found == null ? this : found;
    }

    /**
     * True when a Terminate for this error returns the DDP header of the segment at fault (RFC 5040 §4.8, figure 10).
     */
    public boolean includesDdpHeader() {
        return switch (layer) {
            case LAYER_RDMAP -> errorType != 0;
            case LAYER_DDP -> true;
            default -> false;
        };
    }

    /** True when it also returns the RDMAP header, if the message at fault is an RDMA Read Request. */
    public boolean includesReadRequest() {
        return layer == LAYER_RDMAP && errorType == 1;
    }

    /** The numbers as {@code layer/type/code}, the code in hexadecimal, then the words. */
    @Override
    public String toString() {
        return "%d/%d/%02x %s".formatted(layer, errorType, code, text);
    }
}
