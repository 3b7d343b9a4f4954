package org.panamaverbs.iwarp.core;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.panamaverbs.api.cm.TerminateCause;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.MpaFrame;
import org.panamaverbs.iwarp.wire.Octets;
import org.panamaverbs.iwarp.wire.TaggedView;
import org.panamaverbs.iwarp.wire.Terminate;
import org.panamaverbs.iwarp.wire.TerminateCode;
import org.panamaverbs.iwarp.wire.TerminateHeader;
import org.panamaverbs.iwarp.wire.UntaggedView;

/**
 * Fuzz target: the decoders by themselves, over memory that ends with the octets: Terminates, MPA frames, DDP headers,
 * and advertised buffers. Each is read once more by other code, and written again.
 */
public final class DecodeFuzz {
    private static final int KINDS = 5;
    private static final int REMOTE_BUFFER = 0;
    private static final int TERMINATE = 1;
    private static final int OWN_TERMINATE = 2;
    private static final int FRAME = 3;

    private DecodeFuzz() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        run(data);
    }

    /** Plays one case and answers what it reached. */
    static List<String> run(byte[] data) {
        FuzzInput in = new FuzzInput(data);
        return List.of(
                switch (in.below(KINDS)) {
                    case REMOTE_BUFFER -> remoteBuffer(in);
                    case TERMINATE -> terminate(in.flag(), in.rest());
                    case OWN_TERMINATE -> ownTerminate(in);
                    case FRAME -> frame(in.flag(), in.rest());
                    default -> header(in);
                });
    }

    private static String remoteBuffer(FuzzInput in) {
        int how = in.octet();
        long offset = (how & 1) == 0 ? in.octet() : in.int64();
        long length = (how & 2) == 0 ? in.octet() : in.int64();
        return "buffer " + FuzzAdvertisement.check(in.rest(), offset, length, how >>> 2);
    }

    private static String terminate(boolean setup, byte[] body) {
        Terminate decoded = Terminate.decode(MemorySegment.ofArray(body), 0, body.length, setup);
        int flags = at(body, 2);
        boolean siw = decoded.siwLayout();
        expect((flags & 0xE0) == 0 || !siw, "flags as in RFC 5040, but read as siw's", decoded);
        expect((flags & 0xE0) != 0 || (flags & 0x07) == 0 || siw, "flags as of siw, but read as RFC 5040's", decoded);
        TerminateCode code = decoded.code();
        int high = siw ? code.errorType() : code.layer();
        int low = siw ? code.layer() : code.errorType();
        expect((high << 4 | low) == at(body, 0) && code.code() == at(body, 1), "another code", decoded);

        boolean lengthIsThere = (flags & (siw ? 0x01 : 0x80)) != 0 && body.length >= 6;
        int length = lengthIsThere ? at(body, 4) << 8 | at(body, 5) : -1;
        expect(decoded.segmentLength() == length, "another length", decoded);
        boolean headerIsThere = (flags & (siw ? 0x02 : 0x40)) != 0 && body.length > 6;
        int headerBytes = (at(body, 6) & 0x80) != 0 ? 14 : 18;
        expectPart(decoded, decoded.ddpHeader(), body, 6, headerIsThere ? headerBytes : 0);
        boolean requestIsThere = headerIsThere && headerBytes == 18 && (flags & (siw ? 0x04 : 0x20)) != 0;
        expectPart(decoded, decoded.rdmapHeader(), body, 24, requestIsThere ? 28 : 0);
        int whole = decoded.ulpduLength();
        expect(whole >= length && whole <= length + 18 + 52, "an impossible length", decoded);
        checkCause(decoded);
        return "terminate " + (siw ? "siw" : "rfc") + (decoded.rdmapHeader().isEmpty() ? "" : " request");
    }

    private static int at(byte[] body, int index) {
        return index < body.length ? body[index] & 0xFF : 0;
    }

    private static void expect(boolean holds, String what, Object decoded) {
        if (!holds) {
            throw new AssertionError(what + ": " + decoded);
        }
    }

    private static void expectPart(Terminate decoded, Octets part, byte[] body, int from, int bytes) {
        boolean there = bytes > 0 && body.length >= from + bytes;
        byte[] right = there ? Arrays.copyOfRange(body, from, from + bytes) : new byte[0];
        expect(Arrays.equals(part.toByteArray(), right), "another header", decoded);
    }

    // What the application gets to see, whatever the numbers.
    private static void checkCause(Terminate decoded) {
        TerminateCode code = decoded.code();
        Fault fault = Fault.remote(decoded);
        TerminateCause cause = fault.cause();
        boolean same = cause.layer() == code.layer()
                && cause.errorType() == code.errorType()
                && cause.errorCode() == code.code();
        expect(same && !cause.text().isBlank() && !cause.toString().isBlank(), "another cause", cause);
        expect(cause.reference().isEmpty() != code.isRegistered(), "another section", cause);
        boolean shown =
                decoded.ddpHeader().isEmpty() == cause.terminatedSegment().isEmpty();
        expect(shown, "another segment", cause);
        int number = code.layer() << 12 | code.errorType() << 8 | code.code();
        expect(fault.vendorError() == number, "another vendor error", fault);
    }

    /** What this side sends has to be read as it was meant. */
    private static String ownTerminate(FuzzInput in) {
        boolean setup = in.flag();
        TerminateCode code = TerminateCode.lookup(in.below(3), in.below(4), in.octet());
        byte[] headers = Arrays.copyOf(in.take(46), 46);
        boolean tagged = headers[0] < 0;
        int length = in.u16();
        boolean request = in.flag() && !tagged;
        byte[] body = new byte[TerminateHeader.MAX_BYTES];
        MemorySegment segment = MemorySegment.ofArray(body);
        int bytes = TerminateHeader.emit(segment, 0, code, length, MemorySegment.ofArray(headers), 0, request);
        Terminate decoded = Terminate.decode(segment, 0, bytes, setup);
        boolean same = decoded.code().equals(code)
                && !decoded.siwLayout()
                && decoded.segmentLength() == length
                && decoded.ddpHeader().size() == (tagged ? 14 : 18)
                && decoded.rdmapHeader().size() == (request ? 28 : 0);
        expect(same, "sent " + code, decoded);
        terminate(setup, Arrays.copyOf(body, bytes));
        return "own " + code.isRegistered();
    }

    private static String frame(boolean reply, byte[] octets) {
        MemorySegment segment = MemorySegment.ofArray(octets);
        MpaFrame.Parsed parsed = MpaFrame.parse(segment, 0, octets.length, reply);
        for (int available = 0; available < Math.min(octets.length, 24); available++) {
            MpaFrame.Parsed earlier = MpaFrame.parse(segment, 0, available, reply);
            // What is wrong with a part is wrong with the whole; what is complete stays so.
            boolean agrees = earlier instanceof MpaFrame.NeedMore || earlier.getClass() == parsed.getClass();
            expect(agrees, available + " octets give " + earlier + ", all", parsed);
        }
        return "frame "
                + switch (parsed) {
                    case MpaFrame.NeedMore more -> {
                        int whole = octets.length + more.bytes();
                        expect(more.bytes() > 0 && whole <= MpaFrame.MAX_BYTES, "wants too many", more);
                        yield "more";
                    }
                    case MpaFrame.Malformed malformed -> malformed.defect().toString();
                    case MpaFrame.Frame complete -> {
                        checkEncoded(complete, octets, reply);
                        yield "complete";
                    }
                };
    }

    // Only what is reserved may be lost.
    private static void checkEncoded(MpaFrame.Frame complete, byte[] octets, boolean reply) {
        byte[] again = complete.frame().encode();
        byte[] right = Arrays.copyOf(octets, complete.bytes());
        boolean enhanced = right[17] == 2;
        right[16] &= (byte) (0xC0 | (reply ? 0x20 : 0) | (enhanced ? 0x10 : 0));
        expect(Arrays.equals(again, right), "another frame", complete);
    }

    private static String header(FuzzInput in) {
        int announced = in.u16();
        byte[] octets = Arrays.copyOf(in.take(DdpHeader.UNTAGGED_BYTES), DdpHeader.UNTAGGED_BYTES);
        boolean tagged = DdpHeader.isTagged(octets[0]);
        byte[] header = Arrays.copyOf(octets, tagged ? DdpHeader.TAGGED_BYTES : DdpHeader.UNTAGGED_BYTES);
        return tagged ? tagged(header, announced) : untagged(header, announced);
    }

    private static String tagged(byte[] header, int announced) {
        TaggedView view = new TaggedView().wrap(MemorySegment.ofArray(header), 0, announced);
        TerminateCode refused = view.check();
        if (refused != null) {
            return "tagged " + refused.code();
        }
        byte[] again = new byte[header.length];
        DdpHeader.emitTagged(MemorySegment.ofArray(again), 0, view.last(), view.opcode(), view.stag(), view.to());
        checkAgain(again, header);
        expect(view.payloadLength() >= 0, "less than nothing", view.payloadLength());
        return "tagged";
    }

    private static String untagged(byte[] header, int announced) {
        UntaggedView view = new UntaggedView().wrap(MemorySegment.ofArray(header), 0, announced);
        TerminateCode refused = view.check();
        if (refused != null) {
            return "untagged " + refused.code();
        }
        byte[] again = new byte[header.length];
        DdpHeader.emitUntagged(
                MemorySegment.ofArray(again),
                0,
                view.last(),
                view.opcode(),
                view.invalidateStag(),
                view.msn(),
                view.mo());
        checkAgain(again, header);
        expect(view.payloadLength() >= 0, "less than nothing", view.payloadLength());
        return "untagged";
    }

    // Reserved: four bits of the first octet, two of the second.
    private static void checkAgain(byte[] again, byte[] header) {
        byte[] right = header.clone();
        right[0] &= (byte) 0xC3;
        right[1] &= (byte) 0xCF;
        expect(Arrays.equals(again, right), "another header", Arrays.toString(again));
    }
}
