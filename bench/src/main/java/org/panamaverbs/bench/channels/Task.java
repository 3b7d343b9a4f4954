package org.panamaverbs.bench.channels;

import java.io.IOException;
import java.util.List;
import org.panamaverbs.bench.loopback.exchange.PairTable;
import org.panamaverbs.bench.loopback.exchange.SidePair;

/**
 * What the two sides do: the client sends messages, of which the last of each burst asks for an answer.
 *
 * @param by whose: {@code channel}, {@code hand} or {@code tcp}
 * @param way {@code SENDS} or {@code RING}
 * @param shm the option of provider iwarp
 * @param burst messages of a burst, 1 for round trips
 * @param connections that take turns
 * @param pace nanoseconds from one burst to the next, 0 for at once
 * @param bytes of a message; more than {@link #BYTES} by channels alone
 */
record Task(String by, String way, String shm, int burst, int connections, long pace, int bytes)
        implements PairTable.Subject {
    /** Bytes of a message where nothing else is said. */
    static final int BYTES = 64;
    /** Messages of a burst that share what is given to the system, where that is done by hand. */
    static final int BATCH = 64;
    /** Long enough to measure a rate, short enough for many in a window. */
    static final int BURST = 100_000;
    /** The first word of a message that asks for an answer; others have 0. */
    static final long ASKING = 1;

    static Task trips(String by, String way, String shm) {
        return new Task(by, way, shm, 1, 1, 0, BYTES);
    }

    static Task stream(String by, String way, String shm) {
        return trips(by, way, shm).streamed();
    }

    Task streamed() {
        return new Task(by, way, shm, BURST, connections, pace, bytes);
    }

    Task among(int channels) {
        return new Task(by, way, shm, burst, channels, pace, bytes);
    }

    Task every(long nanos) {
        return new Task(by, way, shm, burst, connections, nanos, bytes);
    }

    /** Returns a stream of {@code count} messages of {@code length} bytes a burst. */
    Task streamed(int count, int length) {
        return new Task(by, way, shm, count, connections, pace, length);
    }

    @Override
    public Object processes() {
        return this;
    }

    @Override
    public boolean polls() {
        return true;
    }

    @Override
    public SidePair start(int[] processors) throws IOException {
        return new SidePair(by, processors, List.of(), ChannelSide.class, words());
    }

    /** Returns the words that {@link #of} takes. */
    List<String> words() {
        return List.of(by, way, shm, "" + burst, "" + connections, "" + pace, "" + bytes);
    }

    static Task of(String... words) {
        return new Task(
                words[0],
                words[1],
                words[2],
                Integer.parseInt(words[3]),
                Integer.parseInt(words[4]),
                Long.parseLong(words[5]),
                Integer.parseInt(words[6]));
    }
}
