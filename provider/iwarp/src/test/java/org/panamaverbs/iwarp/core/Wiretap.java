package org.panamaverbs.iwarp.core;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.panamaverbs.iwarp.wire.Fpdu;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Markers;

/** Takes what one side sent apart into DDP segments, checking lengths, pads, markers and CRCs on the way. */
final class Wiretap {
    private final boolean crc;
    private final boolean markers;
    private final ByteArrayOutputStream octets = new ByteArrayOutputStream();
    private long position;

    Wiretap(boolean crc, boolean markers) {
        this.crc = crc;
        this.markers = markers;
    }

    Wiretap() {
        this(true, false);
    }

    /** The whole FPDUs so far, with {@code more} octets; a part of one stays for the next call. */
    List<Segments.Parsed> take(byte... more) {
        octets.writeBytes(more);
        byte[] all = octets.toByteArray();
        List<Segments.Parsed> segments = new ArrayList<>();
        int from = 0;
        while (true) {
            int lead = markers && Markers.isDue(position) ? Markers.BYTES : 0;
            if (all.length - from < lead + Fpdu.LENGTH_BYTES) {
                break;
            }
            int length = ((all[from + lead] & 0xFF) << 8) | (all[from + lead + 1] & 0xFF);
            int plain = Fpdu.size(length);
            int size = markers ? Markers.sizeWithMarkers(position, plain) : plain;
            if (all.length - from < size) {
                break;
            }
            byte[] wire = Arrays.copyOfRange(all, from, from + size);
            segments.add(new Segments.Parsed(Framing.open(wire, crc, markers, position)));
            from += size;
            position += size;
        }
        octets.reset();
        octets.write(all, from, all.length - from);
        return segments;
    }

    /** Octets of an FPDU that is not whole. */
    int rest() {
        return octets.size();
    }
}
