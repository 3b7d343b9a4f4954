package org.panamaverbs.iwarp.engine.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Timeout;
import org.panamaverbs.iwarp.core.memory.StagTable;
import org.panamaverbs.iwarp.core.receive.Staging;
import org.panamaverbs.iwarp.core.send.BufferPool;
import org.panamaverbs.iwarp.core.setup.Negotiated;
import org.panamaverbs.iwarp.core.stream.Stream;
import org.panamaverbs.iwarp.core.stream.StreamQueues;
import org.panamaverbs.iwarp.core.work.CompletionSink;
import org.panamaverbs.iwarp.core.work.ReceiveRing;
import org.panamaverbs.iwarp.core.work.StreamConfig;
import org.panamaverbs.iwarp.engine.transport.TcpTransport;
import org.panamaverbs.iwarp.io.Lending;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.iwarp.net.TcpSocket;
import org.panamaverbs.testkit.faults.StackEnd;

/** A transport is closed as a whole, or not at all where the stack ends, and then the next time. */
@Timeout(60)
class TransportAtStackEndTest {
    private static final int DEPTH = 16;
    private static final int FRAMES_OF_A_CLOSE = 50;
    private static final CompletionSink NOWHERE =
            (wrId, status, opcode, qpNumber, byteCount, flags, immediateOrStag, vendorError) -> 0;

    private static final Lending<Staging> STAGINGS = Streams.stagings();

    private StreamSocket socket = new StreamSocket(stream(), STAGINGS);
    private boolean halfClosed;
    private int closes;

    private final class DeepTransport extends TcpTransport {
        DeepTransport(TcpSocket socket) {
            super(socket, "");
        }

        @Override
        public void close(boolean reset) {
            halfClosed = true;
            closes += deeper(FRAMES_OF_A_CLOSE);
            halfClosed = false;
        }

        private static int deeper(int frames) {
            return frames == 0 ? 1 : deeper(frames - 1);
        }
    }

    private static Stream stream() {
        StreamConfig config = StreamConfig.builder()
                .qpNumber(1)
                .domainId(1)
                .maxSendWr(DEPTH)
                .lingerNanos(0)
                .build();
        StagTable stags = new StagTable(DEPTH, new SplittableRandom(1)::nextInt);
        StreamQueues queues = StreamQueues.withOwn(NOWHERE, NOWHERE, new ReceiveRing(0, 1));
        return new Stream(config, stags, new BufferPool(DEPTH), queues, (event, fault) -> {});
    }

    /** Returns a socket that is to close its transport. */
    private StreamSocket aborted(TcpSocket channel) {
        Stream stream = stream();
        StreamSocket made = new StreamSocket(stream, STAGINGS);
        stream.start(Negotiated.builder(false).depths(DEPTH).emss(65_000).build(), 0);
        made.open(new DeepTransport(channel));
        stream.abort();
        return made;
    }

    @RepeatedTest(3)
    void aCloseThatHasBegunComesToItsEnd() throws IOException, InterruptedException {
        TcpSocket channel = SystemSockets.best().open(false);
        try {
            socket = aborted(channel);
            StackEnd.Outcome outcome = StackEnd.each(() -> socket.close(0), () -> {
                assertThat(halfClosed).isFalse();
                socket.close(0);
                assertThat(socket.isClosed()).isTrue();
                assertThat(closes).isOne();
                closes = 0;
                socket = aborted(channel);
            });

            assertThat(outcome.overflows()).isPositive();
            assertThat(outcome.tried()).isGreaterThan(outcome.overflows());
        } finally {
            channel.close();
        }
    }
}
