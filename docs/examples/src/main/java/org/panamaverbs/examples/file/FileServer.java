package org.panamaverbs.examples.file;

import static org.panamaverbs.memory.Access.REMOTE_READ;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;
import org.panamaverbs.memory.MemorySlab;

/** The server maps the file, registers that memory, and does nothing more: Reads need no help of its processor. */
final class FileServer {
    private FileServer() {}

    static void run(TwoEnds ends, Path file) throws IOException {
        long size = Files.size(file);
        if (size == 0) {
            throw new UsageException("--from: " + file + " is empty, and memory cannot be mapped to nothing");
        }
        // Granted is reading alone. A device of Linux before 6.2 takes no memory that a file is mapped to read-only.
        boolean writable = Files.isWritable(file);
        // Closed in the order from the bottom to the top: the registration ends before its memory does.
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var slab = MemorySlab.map(file, 0, size, writable);
                var lent = domain.register(slab.segment(), REMOTE_READ);
                var queue = verbs.completionQueue(1);
                var listener = verbs.listen(ends.listenAddress())) {
            var sum = new CRC32C();
            sum.update(slab.segment().asByteBuffer());
            byte[] where = lent.remote().encode();
            byte[] offer = ByteBuffer.allocate(where.length + Long.BYTES)
                    .put(where)
                    .putLong(sum.getValue())
                    .array();
            ends.listening(listener.localAddress());
            var config = QueuePairConfig.of(domain, queue).withDepth(1, 0).withAccess(REMOTE_READ);
            try (var request = listener.accept(ends.deadline());
                    var connection = request.accept(
                            config, ConnectionConfig.defaults().withPrivateData(offer), ends.deadline())) {
                ends.say("server: lends %,d bytes of %s to %s", size, file, connection.remoteAddress());
                connection.awaitDisconnect(ends.deadline());
            }
        }
    }
}
