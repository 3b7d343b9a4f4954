package org.panamaverbs.bench.channels;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import org.panamaverbs.bench.loopback.exchange.SpinningEnd;
import org.panamaverbs.bench.loopback.exchange.TcpPair;

/** By plain TCP: a socket of the JDK that does not block, to which messages of a burst are given a batch at a time. */
final class TcpEnd extends SpinningEnd {
    private final SocketChannel socket;
    private final int burst;
    private final ByteBuffer out = ByteBuffer.allocateDirect(Task.BATCH * Task.BYTES);
    private final ByteBuffer in = ByteBuffer.allocateDirect(4 * Task.BATCH * Task.BYTES);
    private boolean asked;

    TcpEnd(Task task, int port) throws IOException {
        pace(task.pace());
        burst = task.burst();
        out.order(ByteOrder.nativeOrder());
        in.order(ByteOrder.nativeOrder());
        socket = TcpPair.ends(1, port).getFirst();
    }

    private void put(long word) throws IOException {
        out.putLong(out.position(), word).position(out.position() + Task.BYTES);
        if (word == Task.ASKING || !out.hasRemaining()) {
            out.flip();
            while (out.hasRemaining()) {
                socket.write(out);
            }
            out.clear();
        }
    }

    /** Reads once and looks at each message; returns whether anything has come. */
    private boolean take() throws IOException {
        int count = TcpPair.read(socket, in);
        in.flip();
        while (in.remaining() >= Task.BYTES) {
            asked |= in.getLong(in.position()) == Task.ASKING;
            in.position(in.position() + Task.BYTES);
        }
        in.compact();
        return count > 0;
    }

    @Override
    protected boolean answer(boolean polls) throws IOException {
        boolean came = take();
        if (asked) {
            asked = false;
            put(Task.ASKING);
        }
        return came;
    }

    @Override
    protected void ask() throws IOException {
        asked = false;
        for (int i = 1; i < burst; i++) {
            put(0);
        }
        put(Task.ASKING);
    }

    @Override
    protected boolean hasCome(boolean polls) throws IOException {
        take();
        return asked;
    }

    @Override
    public void close() throws IOException {
        rest();
        socket.close();
    }
}
