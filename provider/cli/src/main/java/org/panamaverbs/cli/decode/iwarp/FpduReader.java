package org.panamaverbs.cli.decode.iwarp;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.panamaverbs.iwarp.wire.Crc32c;
import org.panamaverbs.iwarp.wire.DdpHeader;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Markers;
import org.panamaverbs.iwarp.wire.Opcode;

/** Finds FPDUs in the octets of a direction, at an index of its buffer, and cuts them out of it. */
final class FpduReader {
    /** Octets of an FPDU, without markers, that tell whether it can be one. */
    static final int HEAD_BYTES = Fpdu.LENGTH_BYTES + DdpHeader.UNTAGGED_BYTES;

    private final StreamBuffer buffer;
    private final Crc32c crc;
    private long origin;
    private boolean markers;

    FpduReader(StreamBuffer buffer, Crc32c crc) {
        this.buffer = buffer;
        this.crc = crc;
    }

    /** Says where the first FPDU of the direction began, and whether there are markers. */
    void begin(long streamOrigin, boolean withMarkers) {
        origin = streamOrigin;
        markers = withMarkers;
    }

    /** Distance of the octet at {@code index} from the first FPDU of the direction. */
    long streamPosition(int index) {
        return buffer.position() + index - origin;
    }

    /** Octets of stream that an FPDU at {@code index} takes, or -1 when its length is not there yet. */
    int sizeAt(int index) {
        int leading = leading(index);
        if (buffer.size() < index + leading + Fpdu.LENGTH_BYTES) {
            return -1;
        }
        int ulpdu = Fpdu.ulpduLength(buffer.segment(), buffer.base() + index + leading);
        return wireSize(index, Fpdu.size(ulpdu));
    }

    private int leading(int index) {
        return markers && Markers.isDue(streamPosition(index)) ? Markers.BYTES : 0;
    }

    private int wireSize(int index, int plain) {
        return markers ? Markers.sizeWithMarkers(streamPosition(index), plain) : plain;
    }

    /** Octets of stream from {@code index} that hold the first {@link #HEAD_BYTES} of an FPDU. */
    int headSize(int index) {
        return wireSize(index, HEAD_BYTES);
    }

    /** False if no FPDU can be at {@code index}, found out fast: most places in a stream are none. */
    boolean mayBeHead(int index) {
        if (markers) {
            return true; // a marker may stand in front of the octets in question
        }
        int ddp = buffer.octet(index + Fpdu.LENGTH_BYTES);
        int rdmap = buffer.octet(index + Fpdu.LENGTH_BYTES + DdpHeader.RDMAP_CONTROL);
        return DdpHeader.version(ddp) <= DdpHeader.DDP_VERSION
                && DdpHeader.reserved(ddp) == 0
                && Opcode.reserved(rdmap) == 0
                && Opcode.ofControl(rdmap) != null;
    }

    /** The first {@link #HEAD_BYTES} octets of the FPDU at {@code index}, of which all must be there. */
    byte[] head(int index) {
        byte[] head = new byte[HEAD_BYTES];
        copyWithoutMarkers(index, headSize(index), head, new ArrayList<>());
        return head;
    }

    /** The CRC field over the right one: equal halves say that the FPDU at {@code index} is good. */
    boolean crcMatches(int index, int wireBytes) {
        int covered = wireBytes - Fpdu.CRC_BYTES;
        crc.reset();
        crc.update(buffer.segment(), buffer.base() + index, covered);
        return crc.matches(buffer.segment(), buffer.base() + index + covered);
    }

    /** Cuts out the FPDU at the front; {@code wireBytes} of the buffer are its. */
    FpduImage read(int wireBytes) {
        int leading = leading(0);
        int ulpduLength = Fpdu.ulpduLength(buffer.segment(), buffer.base() + leading);
        byte[] plain = new byte[Fpdu.size(ulpduLength)];
        List<FpduImage.Marker> found = new ArrayList<>();
        copyWithoutMarkers(0, wireBytes, plain, found);
        int missing = buffer.firstMissing(0, wireBytes);
        int known = Math.max(0, withoutMarkers(missing) - Fpdu.LENGTH_BYTES);
        int covered = wireBytes - Fpdu.CRC_BYTES;
        crc.reset();
        crc.update(buffer.segment(), buffer.base(), covered);
        int ulpduEnd = Fpdu.LENGTH_BYTES + ulpduLength;
        int crcOffset = Fpdu.crcOffset(ulpduLength);
        return new FpduImage(
                wireBytes,
                missing == wireBytes,
                Arrays.copyOfRange(plain, Fpdu.LENGTH_BYTES, ulpduEnd),
                Math.min(known, ulpduLength),
                Arrays.copyOfRange(plain, ulpduEnd, crcOffset),
                new FpduImage.CrcField(ByteBuffer.wrap(plain).getInt(crcOffset), crc.wireValue()),
                found);
    }

    /** Octets without markers among the first {@code wireBytes}. */
    private int withoutMarkers(int wireBytes) {
        int plain = 0;
        int at = 0;
        while (at < wireBytes) {
            if (markers && Markers.isDue(streamPosition(at))) {
                at += Markers.BYTES;
            } else {
                int piece = piece(at, wireBytes);
                plain += piece;
                at += piece;
            }
        }
        return plain;
    }

    private int piece(int at, int end) {
        return markers ? Math.min(end - at, Markers.bytesToNext(streamPosition(at))) : end - at;
    }

    private void copyWithoutMarkers(int index, int wireBytes, byte[] target, List<FpduImage.Marker> found) {
        MemorySegment segment = buffer.segment();
        int end = index + wireBytes;
        int at = index;
        int copied = 0;
        while (at < end && copied < target.length) {
            if (markers && Markers.isDue(streamPosition(at))) {
                int place = buffer.base() + at;
                found.add(new FpduImage.Marker(
                        at - index,
                        Fpdu.ulpduLength(segment, place),
                        Markers.fpduPointer(segment, place),
                        Markers.fpduPointer(streamPosition(index), found.size())));
                at += Markers.BYTES;
            } else {
                int piece = Math.min(piece(at, end), target.length - copied);
                buffer.copy(at, target, copied, piece);
                copied += piece;
                at += piece;
            }
        }
    }
}
