package org.panamaverbs.iwarp.core;

import java.util.Arrays;
import java.util.List;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.setup.Rtr;

/**
 * Fuzz target: the octets behind the set-up, as they are or cut into FPDUs with the right markers and CRC. The first
 * octet chooses what was agreed, the second how much is posted.
 */
public final class FpduFuzz {
    private static final int CRC = 0x01;
    private static final int MARKERS_IN = 0x02;
    private static final int MARKERS_OUT = 0x04;
    private static final int INITIATOR = 0x08;
    private static final int FRAMED = 0x10;
    private static final int MOST_OCTETS = 16_384;
    private static final Rtr[] RTR = {Rtr.NONE, Rtr.WRITE, Rtr.READ, Rtr.SEND};

    private FpduFuzz() {}

    /** Entry point of the fuzzer. */
    public static void fuzzerTestOneInput(byte[] data) {
        run(data);
    }

    /** Plays one case and answers what it reached. */
    static List<String> run(byte[] data) {
        return FuzzRun.compare(data, FpduFuzz::play);
    }

    private static FuzzRun play(FuzzInput in, FuzzZoo zoo, Splitter splitter) {
        int how = in.octet();
        int posted = in.octet();
        Negotiated negotiated = Negotiated.builder((how & INITIATOR) != 0)
                .crc((how & CRC) != 0)
                .markersIn((how & MARKERS_IN) != 0)
                .markersOut((how & MARKERS_OUT) != 0)
                .rtr(RTR[how >>> 6])
                .depths(4)
                .emss((how & 0x20) != 0 ? 536 : Pair.EMSS)
                .build();
        FuzzRun run = new FuzzRun(new FuzzCore(zoo, negotiated, true, splitter));
        run.step("posts", () -> post(run, posted));
        if ((how & FRAMED) == 0) {
            byte[] octets = in.rest();
            run.inject(Arrays.copyOf(octets, Math.min(octets.length, MOST_OCTETS)));
        } else {
            for (int octets = 0; !in.isEmpty() && octets < MOST_OCTETS; ) {
                byte[] wire = run.segments.frame(in.take(in.u16() % 2048));
                octets += wire.length;
                run.inject(wire);
            }
        }
        return run.finish();
    }

    // Receives, and Reads and atomics that wait for responses.
    private static void post(FuzzRun run, int posted) {
        for (int i = 0; i < (posted & 0x07); i++) {
            run.posts.receive(64 + 256 * i);
        }
        for (int i = 0; i < (posted >>> 3 & 0x03); i++) {
            run.posts.read(new FuzzInput((byte) 0, (byte) 2, (byte) (0x80 + 32 * i), (byte) (0x85 * i)));
        }
        for (int i = 0; i < (posted >>> 5 & 0x03); i++) {
            run.posts.atomic(new FuzzInput((byte) i, (byte) 0, (byte) 2, (byte) 0xC0));
        }
    }
}
