package org.panamaverbs.sockets;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A peer that speaks MPA over plain TCP: it accepts one rsocket, and then says nothing any more. What comes is read as
 * FPDUs when a test asks for one, so that nobody takes bytes that no test wants. It offers no iomap entries, and a
 * buffer of which nothing is there.
 */
final class SilentPeer implements AutoCloseable {
    /** Its table is at 0x1000, its buffer of 2^30 bytes at 0x2000, both of key 1. */
    private static final byte[] CONNECT_DATA = HexFormat.of()
            .parseHex("01020180" + "00000000" + "0000000000001000" + "00000001" + "00000002" + "0000000000002000"
                    + "00000001" + "40000000");

    private static final int REQUEST_BYTES = 20 + CONNECT_DATA.length;
    private static final int WINDOW_BYTES = 4096;
    private static final int CRC_BYTES = 4;

    private final ServerSocket listener;
    private final CompletableFuture<Socket> accepted;

    SilentPeer() throws IOException {
        listener = new ServerSocket();
        listener.setReceiveBufferSize(WINDOW_BYTES);
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        accepted = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                accepted.complete(accept());
            } catch (IOException e) {
                accepted.completeExceptionally(e);
            }
        });
    }

    InetSocketAddress address() {
        return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
    }

    private Socket accept() throws IOException {
        Socket peer = listener.accept();
        new DataInputStream(peer.getInputStream()).readFully(new byte[REQUEST_BYTES]);
        // RFC 5044 §7.1.1: the key, no flags, revision 1, the length of the private data.
        ByteArrayOutputStream reply = new ByteArrayOutputStream();
        reply.writeBytes("MPA ID Rep Frame".getBytes(StandardCharsets.US_ASCII));
        reply.writeBytes(new byte[] {0, 1, 0, (byte) CONNECT_DATA.length});
        reply.writeBytes(CONNECT_DATA);
        peer.getOutputStream().write(reply.toByteArray());
        return peer;
    }

    /** Returns the next FPDU without its CRC, as hex. */
    String fpdu() throws Exception {
        DataInputStream in =
                new DataInputStream(accepted.get(30, TimeUnit.SECONDS).getInputStream());
        int length = in.readUnsignedShort();
        ByteBuffer octets = ByteBuffer.allocate(2 + length).putShort((short) length);
        in.readFully(octets.array(), octets.position(), length);
        // RFC 5044 §4: the FPDU is padded to a multiple of four bytes, and the CRC follows.
        in.readFully(new byte[Math.floorMod(-octets.capacity(), CRC_BYTES) + CRC_BYTES]);
        return HexFormat.of().formatHex(octets.array());
    }

    @Override
    public void close() throws IOException {
        listener.close();
        if (accepted.isDone() && !accepted.isCompletedExceptionally()) {
            accepted.join().close();
        }
    }
}
