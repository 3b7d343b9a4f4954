package org.panamaverbs.iwarp.core;

import static org.panamaverbs.iwarp.core.HostileFixture.BASE;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.wire.Framing;
import org.panamaverbs.iwarp.wire.Samples;

/** What a peer can do beside sending one bad message: bad octets, Terminates, ends at a bad time, too much of all. */
final class OctetAttacks {
    private static final String ALIVE = "none, the stream lives on";
    private static final String BAD_CRC = "Terminate 2/0/02";
    private static final int MANY = 10_000;
    private static final byte[] EIGHT = {1, 2, 3, 4, 5, 6, 7, 8};

    /**
     * One of them.
     *
     * @param group what it is against
     * @param name for the report, telling how it is made
     * @param fixture against whom
     * @param deed what the peer does
     * @param answer what it gets for it
     */
    record OctetAttack(
            String group, String name, Supplier<HostileFixture> fixture, Consumer<HostileFixture> deed, String answer) {
        @Override
        public String toString() {
            return name;
        }
    }

    private final List<OctetAttack> all = new ArrayList<>();
    private String group = "";
    private Supplier<HostileFixture> fixture = OctetAttacks::responder;

    private OctetAttacks() {
        fpdus();
        fixture = () -> new HostileFixture(
                Negotiated.builder(false).depths(4).emss(1460).build());
        withoutCrc();
        fixture = () -> new HostileFixture(Negotiated.builder(false)
                .crc(true)
                .markersIn(true)
                .depths(4)
                .emss(1460)
                .build());
        markers();
        fixture = OctetAttacks::responder;
        terminates();
        ends();
        excess();
    }

    static List<OctetAttack> all() {
        return new OctetAttacks().all;
    }

    private static HostileFixture responder() {
        return HostileFixture.responder().receives(4);
    }

    private void attack(String name, String answer, Consumer<HostileFixture> deed) {
        all.add(new OctetAttack(group, name, fixture, deed, answer));
    }

    private void octets(String name, String answer, Function<HostileFixture, byte[]> octets) {
        attack(name, answer, f -> f.peer.injectOctets(octets.apply(f)));
    }

    // What is there already: an FPDU is placed before its CRC is here, where the peer may write (RFC 5044 §6).
    private static byte[] goodWrite(HostileFixture f) {
        return Framing.fpdu(Segments.write(f.open.stag(), BASE, f.open.bytes(0, 8)));
    }

    private void overwriting(String name, Function<HostileFixture, byte[]> octets) {
        attack(name + ": placed within its bounds and not delivered", BAD_CRC, f -> {
            f.peer.injectOctets(octets.apply(f));
            f.open.pattern(1);
        });
    }

    private static byte[] filledUp(String text) {
        return Arrays.copyOf(text.getBytes(StandardCharsets.US_ASCII), 70_000);
    }

    // RFC 5044 §4.4, §8.
    private void fpdus() {
        group = "FPDUs";
        octets("CRC with one bit wrong", BAD_CRC, f -> Segments.flip(goodWrite(f), goodWrite(f).length - 1, 1));
        octets(
                "CRC 0",
                BAD_CRC,
                f -> ByteBuffer.wrap(goodWrite(f))
                        .putInt(goodWrite(f).length - 4, 0)
                        .array());
        octets("CRC in the other order of octets", BAD_CRC, f -> {
            ByteBuffer fpdu = ByteBuffer.wrap(goodWrite(f));
            int at = fpdu.limit() - 4;
            return fpdu.putInt(at, Integer.reverseBytes(fpdu.getInt(at))).array();
        });
        overwriting("payload changed under the CRC", f -> Segments.flip(goodWrite(f), 16, 0x80));
        octets("STag changed under the CRC", BAD_CRC, f -> Segments.flip(goodWrite(f), 4, 0x10));
        octets("pad changed under the CRC", BAD_CRC, f -> {
            byte[] fpdu = Framing.fpdu(Segments.write(f.open.stag(), BASE, f.open.bytes(0, 1)));
            return Segments.flip(fpdu, fpdu.length - 5, 1);
        });
        overwriting("ULPDU_Length one more", f -> Arrays.copyOf(Segments.flip(goodWrite(f), 1, 1), 40));
        octets("ULPDU_Length far more", BAD_CRC, f -> Arrays.copyOf(Segments.flip(goodWrite(f), 0, 0x40), 70_000));
        octets("70,000 octets 0", "Terminate 2/0/03", f -> new byte[70_000]);
        octets("70,000 octets 0xff", BAD_CRC, f -> {
            byte[] ones = new byte[70_000];
            Arrays.fill(ones, (byte) 0xFF);
            return ones;
        });
        octets("an MPA Request in the stream", BAD_CRC, f -> Arrays.copyOf(Samples.bytes("M04"), 70_000));
        octets("a request of HTTP", BAD_CRC, f -> filledUp("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        octets("a greeting of SSH", BAD_CRC, f -> filledUp("SSH-2.0-OpenSSH_9.2\r\n"));
        octets("a ClientHello of TLS", BAD_CRC, f -> filledUp("\u0016\u0003\u0001\u0002\u0000\u0001"));
        octets("an FPDU with markers that nobody asked for", "Terminate 2/0/03", f -> {
            ByteBuffer marked = ByteBuffer.allocate(64);
            return marked.putInt(0).put(goodWrite(f)).array();
        });
        for (int seed = 1; seed <= 5; seed++) {
            byte[] random = new byte[70_000];
            new SplittableRandom(seed).nextBytes(random);
            octets("70,000 random octets, seed " + seed, BAD_CRC, f -> random);
        }
        attack(
                "half a length, then FIN",
                "reset",
                f -> f.peer.injectOctets((byte) 0).fin());
        attack(
                "a length, then FIN",
                "reset",
                f -> f.peer.injectOctets((byte) 0, (byte) 22).fin());
        attack(
                "half a header, then FIN",
                "reset",
                f -> f.peer.injectOctets(Arrays.copyOf(goodWrite(f), 9)).fin());
        attack(
                "all but the last octet of the CRC, then FIN",
                "reset",
                f -> f.peer.injectOctets(Arrays.copyOf(goodWrite(f), goodWrite(f).length - 1))
                        .fin());
        attack(
                "a longest FPDU announced, then FIN",
                "reset",
                f -> f.peer.injectOctets((byte) 0xFF, (byte) 0xFF, (byte) 0xC1).fin());
    }

    private void withoutCrc() {
        group = "FPDUs without CRC";
        octets("octets 0", "Terminate 2/0/03", f -> new byte[70_000]);
        octets("a request of HTTP", "Terminate 1/2/06", f -> filledUp("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
        octets("ULPDU_Length one more", "Terminate 1/1/01", f -> {
            byte[] fpdu = Framing.fpdu(Segments.write(f.open.stag(), BASE + HostileFixture.BYTES - 8, EIGHT));
            return Arrays.copyOf(Segments.flip(fpdu, 1, 1), 100);
        });
    }

    // RFC 5044 §4.3.
    private void markers() {
        group = "Markers";
        octets("an FPDU without its marker", "Terminate 2/0/03", f -> {
            // The first marker is due within this one.
            byte[] write = Segments.write(HostileFixture.UNKNOWN_STAG, 0, new byte[1000]);
            return Arrays.copyOf(Framing.fpdu(write), 2000);
        });
        for (int pointer : new int[] {0, 4, 0x1000, 0xFFFC}) {
            octets("a marker that points back " + pointer, "Terminate 2/0/03", f -> {
                byte[] fpdu = Framing.fpduWithMarkers(
                        f.peer.position(), Segments.write(f.open.stag(), BASE - 1, new byte[600]));
                int at = 512 - (int) (f.peer.position() % 512);
                ByteBuffer.wrap(fpdu).putShort(at + 2, (short) pointer);
                return fpdu;
            });
        }
    }

    private static byte[] terminated(String layerTypeCode) {
        int layer = Integer.parseInt(layerTypeCode, 0, 1, 16);
        int type = Integer.parseInt(layerTypeCode, 2, 3, 16);
        return Segments.terminate(layer, type, Integer.parseInt(layerTypeCode, 4, 6, 16), 0);
    }

    // RFC 5040 §4.8, §5.4: no answer to a Terminate.
    private void terminates() {
        group = "Terminates";
        for (String code : new String[] {"0/0/00", "1/2/02", "2/0/02", "3/0/00", "f/f/ff"}) {
            attack("Terminate " + code, "FIN", f -> f.peer.inject(terminated(code)));
        }
        attack(
                "Terminate without a word",
                "FIN",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true)));
        attack(
                "Terminate of one octet",
                "FIN",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true, (byte) 0x12)));
        attack(
                "Terminate that promises headers and has none",
                "FIN",
                f -> f.peer.inject(Segments.terminate(0, 1, 1, 0xE0)));
        attack(
                "Terminate with headers of garbage",
                "FIN",
                f -> f.peer.inject(Segments.terminate(15, 15, 255, 0xFF, new byte[48])));
        attack(
                "Terminate longer than any",
                "Terminate 1/2/05",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 1, 0, true, new byte[4096])));
        attack(
                "Terminate with MSN 2",
                "Terminate 1/2/03",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 2, 0, true, new byte[4])));
        attack(
                "Terminate at MO 4",
                "Terminate 1/2/04",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 2, 1, 4, true, new byte[4])));
        attack(
                "Terminate on queue 0",
                "Terminate 1/2/01",
                f -> f.peer.inject(Segments.untagged(Segments.TERMINATE, 0, 0, 1, 0, true, new byte[4])));
        attack(
                "a Terminate in answer to ours",
                "Terminate 1/1/00",
                f -> f.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT), terminated("0/0/00")));
        attack("a storm of Terminates", "FIN", f -> {
            for (int i = 0; i < MANY; i++) {
                f.peer.inject(terminated("1/2/02"));
            }
        });
    }

    // What comes when it is over, and ends at a bad time.
    private void ends() {
        group = "After the end, and bad ends";
        attack(
                "a Write behind our Terminate",
                "Terminate 1/1/00",
                f -> f.peer.inject(
                        Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT),
                        Segments.write(f.open.stag(), BASE, EIGHT)));
        attack("a storm of Writes behind our Terminate", "Terminate 1/1/00", f -> {
            f.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT));
            for (int i = 0; i < MANY; i++) {
                f.peer.inject(Segments.write(f.open.stag(), BASE, EIGHT));
            }
        });
        attack(
                "a Read behind our Terminate",
                "Terminate 1/1/00",
                f -> f.peer.inject(
                        Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT),
                        Segments.readRequest(1, 1, 0, 8, f.open.stag(), BASE)));
        attack(
                "a Send behind the peer's Terminate",
                "FIN",
                f -> f.peer.inject(terminated("0/0/00"), Segments.send(1, EIGHT)));
        attack(
                "an invalidation behind the peer's Terminate",
                "FIN",
                f -> f.peer.inject(terminated("0/0/00"), Segments.sendInvalidate(1, f.window.stag())));
        attack("a bad Write after we have closed", "reset", f -> {
            f.side.stream.disconnect(f.peer.now);
            f.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT));
        });
        attack("a Terminate after we have closed", "FIN", f -> {
            f.side.stream.disconnect(f.peer.now);
            f.peer.inject(terminated("0/0/00"));
        });
        attack(
                "FIN in the middle of a Send",
                "FIN",
                f -> f.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 0, false, new byte[8]))
                        .fin());
        attack("FIN instead of the answers to Reads", "FIN", f -> {
            f.side.read(1, f.local, 0, 8, f.open, 0);
            f.peer.settle();
            f.peer.fin();
        });
        attack("no FIN ever", "Terminate 1/1/00", f -> {
            f.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0, EIGHT));
            f.peer.elapse();
        });
    }

    // Everything a peer can send more of than is good: it is refused or costs nothing that lasts.
    private void excess() {
        group = "Too much of it";
        attack("one Read more than IRD, its answers unread", "Terminate 1/2/02", f -> {
            f.peer.fromStream.window = 0;
            for (int msn = 1; msn <= 5; msn++) {
                f.peer.inject(Segments.readRequest(msn, 1, 0, 8, f.open.stag(), BASE));
            }
            f.peer.fromStream.window = Long.MAX_VALUE;
            f.peer.settle();
        });
        attack("10,000 Sends for 4 receives", "Terminate 1/2/02", f -> {
            for (int msn = 1; msn <= MANY; msn++) {
                f.peer.inject(Segments.send(msn));
            }
        });
        attack("10,000 empty Writes", ALIVE, f -> {
            for (int i = 0; i < MANY; i++) {
                f.peer.inject(Segments.write(HostileFixture.UNKNOWN_STAG, 0));
            }
        });
        attack("a Write of 10,000 segments without an end", ALIVE, f -> {
            for (int i = 0; i < MANY; i++) {
                f.peer.inject(Segments.tagged(Segments.WRITE, f.open.stag(), BASE, false, f.open.bytes(0, 1)));
            }
        });
        attack("a Send of 10,000 empty segments without an end", ALIVE, f -> {
            for (int i = 0; i < MANY; i++) {
                f.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, 0, false));
            }
        });
        attack("a Send beyond its receive in segments of one octet", "Terminate 1/2/05", f -> {
            for (int mo = 0; mo <= HostileFixture.RECEIVE_BYTES; mo++) {
                f.peer.inject(Segments.untagged(Segments.SEND, 0, 0, 1, mo, false, (byte) 0));
            }
        });
        attack("10,000 Reads one after the other", ALIVE, f -> {
            for (int msn = 1; msn <= MANY; msn++) {
                f.peer.inject(Segments.readRequest(msn, 1, 0, 1, f.open.stag(), BASE));
            }
        });
        attack("a FetchAdd octet by octet", ALIVE, f -> {
            for (byte octet : Framing.fpdu(Segments.fetchAdd(1, 1, f.open.stag(), BASE, 0))) {
                f.peer.injectOctets(octet);
            }
        });
        attack("a bad Write octet by octet", "Terminate 1/1/01", f -> {
            for (byte octet : Framing.fpdu(Segments.write(f.open.stag(), BASE - 1, EIGHT))) {
                f.peer.injectOctets(octet);
            }
        });
    }
}
