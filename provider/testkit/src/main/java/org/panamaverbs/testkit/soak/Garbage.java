package org.panamaverbs.testkit.soak;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.RemoteBuffer;
import org.panamaverbs.testkit.random.SeededRandom;
import org.panamaverbs.testkit.soak.line.PartyConfig;
import org.panamaverbs.testkit.soak.traffic.Hello;

/**
 * A hostile peer of iWARP devices, over plain sockets: connects and sends noise, half a request, a good request and
 * then noise, an Offer of shared memory that leads nowhere, or nothing; and listens, to answer requests with noise.
 */
final class Garbage {
    private static final long EVERY_MILLIS = 250;
    private static final int TIMEOUT_MILLIS = 3000;
    private static final int MPA_REVISION = 1;
    private static final int MPA_CRC = 0x40;
    private static final int OFFER_BYTES = 52;
    private static final int OFFER_VERSION = 0x0100_0000;

    private final SeededRandom random;

    private Garbage(SeededRandom random) {
        this.random = random;
    }

    /** Starts attacks on {@code subject}, and a listener; returns the listener's port. */
    static int start(InetSocketAddress subject, PartyConfig config) throws IOException {
        long seed = config.seed() ^ ((long) config.peer() << 32 | config.incarnation());
        Thread.ofPlatform()
                .daemon()
                .name("soak-hostile")
                .start(() -> new Garbage(new SeededRandom(seed)).attackForEver(subject));
        // Closed by the end of the process.
        ServerSocket server = new ServerSocket(0, 16, InetAddress.getByName(config.address()));
        Thread.ofPlatform()
                .daemon()
                .name("soak-hostile-listener")
                .start(() -> new Garbage(new SeededRandom(~seed)).answerForEver(server));
        return server.getLocalPort();
    }

    private void attackForEver(InetSocketAddress subject) {
        while (true) {
            try (Socket socket = new Socket(subject.getAddress(), subject.getPort())) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                attack(socket);
            } catch (IOException e) {
                // The other side may hang up on an attacker, or be gone.
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
        }
    }

    private void attack(Socket socket) throws IOException {
        OutputStream out = socket.getOutputStream();
        switch (random.below(6)) {
            case 0 -> out.write(noise());
            case 1 -> {
                byte[] request = request();
                out.write(request, 0, random.below(request.length));
            }
            case 2 -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.below(2000)));
            case 3 -> {
                byte[] offer = offer();
                out.write(offer, 0, random.between(1, offer.length));
                if (random.oneIn(2)) {
                    out.write(noise());
                }
                socket.getInputStream().skip(Long.MAX_VALUE);
            }
            default -> {
                out.write(request());
                byte[] answer = new byte[20];
                int count = socket.getInputStream().readNBytes(answer, 0, answer.length);
                if (count == answer.length) {
                    out.write(noise());
                    // Until the other side has had enough.
                    socket.getInputStream().skip(Long.MAX_VALUE);
                }
            }
        }
    }

    private void answerForEver(ServerSocket server) {
        while (true) {
            try (Socket socket = server.accept()) {
                socket.setSoTimeout(TIMEOUT_MILLIS);
                socket.getInputStream().read();
                if (!random.oneIn(3)) {
                    socket.getOutputStream().write(noise());
                }
            } catch (IOException e) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }
    }

    private byte[] noise() {
        return random.bytes(random.between(1, 4096));
    }

    // Key, version, name space, reserved bytes; then a name that nobody has, and a token.
    private byte[] offer() {
        return ByteBuffer.allocate(OFFER_BYTES)
                .put((byte) 0xD7)
                .put("PVERBS SHM Offr".getBytes(StandardCharsets.US_ASCII))
                .putInt(OFFER_VERSION)
                .put(random.bytes(OFFER_BYTES - 20))
                .array();
    }

    // RFC 5044 §7.1.1: key, flags, revision, length of the private data; here with a hello that grants nothing.
    private byte[] request() {
        RemoteBuffer nothing = RemoteBuffer.of(
                random.below(1 << 30),
                0,
                1 << 20,
                Access.LOCAL_WRITE,
                Access.REMOTE_READ,
                Access.REMOTE_WRITE,
                Access.REMOTE_ATOMIC);
        byte[] hello = new Hello(-1, -1, 256, 0, 64, 0, nothing).encode();
        return ByteBuffer.allocate(20 + hello.length)
                .put("MPA ID Req Frame".getBytes(StandardCharsets.US_ASCII))
                .put((byte) MPA_CRC)
                .put((byte) MPA_REVISION)
                .putShort((short) hello.length)
                .put(hello)
                .array();
    }
}
