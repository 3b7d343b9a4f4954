package org.panamaverbs.sockets.lab;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.panamaverbs.memory.RegisteredBuffer;
import org.panamaverbs.sockets.RdmaSockets;

/**
 * The dialogue of rdma-core's {@code riostream}: a peer for it in {@code provider/lab/rsockets}, with the command line
 * of {@link Rstream}. Each side maps its memory for the other, and says by the stream that it has; from then on all
 * goes by memory. The last byte of what is written is a count that the other side waits for, and what is before it in
 * the last transfer of a turn counts up, as with {@code -T v}.
 */
final class Riostream {
    private static final VarHandle OCTET = ValueLayout.JAVA_BYTE.varHandle();

    private final Rstream.Options options;
    private final SocketChannel channel;
    private final Rstream.Wait wait;
    private final MemorySegment memory;
    private final long last;
    private byte nextOut;
    private byte nextIn;
    private byte marker;

    private Riostream(Rstream.Options options, SocketChannel channel, Rstream.Wait wait, MemorySegment memory) {
        this.options = options;
        this.channel = channel;
        this.wait = wait;
        this.memory = memory;
        last = memory.byteSize() - 1;
        OCTET.setVolatile(memory, last, (byte) -1);
    }

    private void turns() throws IOException {
        for (int i = 0; i < options.iterations(); i++) {
            if (options.isClient()) {
                send();
                receive();
            } else {
                receive();
                send();
            }
        }
    }

    private void send() throws IOException {
        for (int i = 1; i < options.transfers(); i++) {
            write();
        }
        for (long at = 0; at < last; at++) {
            memory.set(ValueLayout.JAVA_BYTE, at, nextOut++);
        }
        memory.set(ValueLayout.JAVA_BYTE, last, marker++);
        write();
    }

    private void write() throws IOException {
        ByteBuffer source = memory.asByteBuffer();
        while (source.hasRemaining()) {
            if (RdmaSockets.iowrite(channel, source, source.position()) == 0) {
                wait.until(SelectionKey.OP_WRITE);
            }
        }
    }

    private void receive() throws IOException {
        while ((byte) OCTET.getVolatile(memory, last) != marker) {
            Thread.onSpinWait();
        }
        marker++;
        for (long at = 0; options.verify() && at < last; at++) {
            byte octet = memory.get(ValueLayout.JAVA_BYTE, at);
            if (octet != nextIn++) {
                throw new IOException("byte " + at + " of " + last + " is " + octet);
            }
        }
    }

    /** Runs a command line. */
    static void run(String[] args, PrintStream out) throws IOException {
        Rstream.Options options = Rstream.Options.of(args);
        try (Arena arena = Arena.ofShared();
                Rstream stream = new Rstream(options.unverified(), 1)) {
            MemorySegment memory = arena.allocate(options.bytes());
            SocketChannel channel = stream.connect();
            Rstream.Wait wait = stream.waitFor(channel);
            long micros;
            RegisteredBuffer mapped = RdmaSockets.iomap(channel, memory, 0);
            try {
                Riostream riostream = new Riostream(options, channel, wait, memory);
                stream.sync(channel, wait);
                long begun = System.nanoTime();
                riostream.turns();
                micros = (System.nanoTime() - begun) / 1000;
            } finally {
                mapped.close();
            }
            stream.end(channel, wait, micros, out);
        }
    }

    public static void main(String[] args) throws IOException {
        run(args, System.out);
    }
}
