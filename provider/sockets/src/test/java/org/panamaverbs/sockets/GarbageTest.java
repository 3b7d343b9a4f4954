package org.panamaverbs.sockets;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.panamaverbs.testkit.process.Allocation;

/**
 * What the calling thread leaves to the collector when it reads, writes and selects: nothing. By shared memory, so that
 * it is not the way of a provider through the system's sockets that counts.
 */
@Timeout(200)
@Tag("alone")
class GarbageTest {
    private static final int TRIPS = 500;
    private static final int ROUNDS = 40;
    private static final int BYTES = 64;

    @Test
    void readsAndWritesLeaveNone() throws IOException {
        try (Channels channels = new Channels(Channels.Way.RDMA_BY_SHARED_MEMORY)) {
            Channels.Pair pair = unblocked(channels.pair());
            for (ByteBuffer buffer : new ByteBuffer[] {ByteBuffer.allocate(BYTES), ByteBuffer.allocateDirect(BYTES)}) {
                Allocation.expectNone(TRIPS, ROUNDS, () -> {
                    for (int i = 0; i < TRIPS; i++) {
                        write(pair.client(), buffer);
                        read(pair.server(), buffer);
                    }
                });
            }
        }
    }

    /** The key stays selected: an entry in the set of those is what the JDK's selector makes, too. */
    @ParameterizedTest
    @EnumSource(names = {"RDMA_BY_SHARED_MEMORY", "RULED_TCP"})
    void selectionsLeaveNone(Channels.Way way) throws IOException {
        try (Channels channels = new Channels(way);
                Selector selector = channels.provider().openSelector()) {
            Channels.Pair pair = unblocked(channels.pair());
            SelectionKey key = pair.server().register(selector, SelectionKey.OP_READ);
            ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
            Allocation.expectNone(TRIPS, ROUNDS, () -> {
                for (int i = 0; i < TRIPS; i++) {
                    write(pair.client(), buffer);
                    select(selector, key);
                    read(pair.server(), buffer);
                }
            });
        }
    }

    private static Channels.Pair unblocked(Channels.Pair pair) throws IOException {
        pair.client().configureBlocking(false);
        pair.server().configureBlocking(false);
        return pair;
    }

    private static void write(SocketChannel channel, ByteBuffer buffer) {
        try {
            buffer.clear();
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void read(SocketChannel channel, ByteBuffer buffer) {
        try {
            buffer.clear();
            while (buffer.hasRemaining()) {
                if (channel.read(buffer) < 0) {
                    throw new AssertionError("the end");
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void select(Selector selector, SelectionKey key) {
        try {
            do {
                selector.selectNow();
            } while (!selector.selectedKeys().contains(key));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
