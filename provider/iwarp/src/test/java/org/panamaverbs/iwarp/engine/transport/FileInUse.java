package org.panamaverbs.iwarp.engine.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import org.panamaverbs.iwarp.net.unix.SealedFile;

/** A call that has the memory of a file, which cannot be unmapped meanwhile; until it is closed. */
final class FileInUse implements AutoCloseable {
    private final Pipe pipe;
    private final Thread using;

    /** Begins to use {@code file}, of which more is left than a pipe has room for. */
    FileInUse(SealedFile file) throws IOException {
        pipe = Pipe.open();
        using = Thread.ofPlatform().daemon().start(() -> write(file, pipe));
        // From then on the call has it.
        assertThat(pipe.source().read(ByteBuffer.allocate(1))).isOne();
    }

    private static void write(SealedFile file, Pipe pipe) {
        try (Pipe.SinkChannel sink = pipe.sink()) {
            sink.write(file.memory().asByteBuffer());
        } catch (IOException e) {
            // Nobody reads any more.
        }
    }

    /** Ends the call, and waits for that; an interrupt ends the wait and is kept. */
    @Override
    public void close() throws IOException {
        pipe.source().close();
        try {
            using.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
