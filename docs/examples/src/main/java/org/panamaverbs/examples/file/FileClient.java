package org.panamaverbs.examples.file;

import static org.panamaverbs.memory.Access.LOCAL_WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.util.LongTransfer;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.memory.MemorySlab;
import org.panamaverbs.memory.RemoteBuffer;

/** The client maps its own file, and has Reads put the bytes right where they belong. */
final class FileClient {
    private FileClient() {}

    static void run(TwoEnds ends, Path file, int piece, int depth) throws Exception {
        var server = ends.server();
        try (var verbs = Verbs.open();
                var domain = verbs.protectionDomain();
                var queue = verbs.completionQueue(depth);
                var connection =
                        verbs.connect(server, QueuePairConfig.of(domain, queue).withDepth(depth, 0), ends.deadline())) {
            ByteBuffer offer = ByteBuffer.wrap(connection.privateData());
            RemoteBuffer theirs = RemoteBuffer.decode(offer);
            long expected = offer.getLong();
            resize(file, theirs.length());
            try (var slab = MemorySlab.map(file, 0, theirs.length(), true);
                    var mine = domain.register(slab.segment(), LOCAL_WRITE)) {
                var transfer = LongTransfer.read(1, mine, 0, theirs.length(), theirs, 0, piece);
                long begin = System.nanoTime();
                fetch(transfer, connection.queuePair(), queue, theirs.length(), ends);
                double seconds = (System.nanoTime() - begin) / 1e9;
                connection.disconnect(ends.deadline());
                var sum = new CRC32C();
                sum.update(slab.segment().asByteBuffer());
                if (sum.getValue() != expected) {
                    throw new IllegalStateException(String.format(
                            "client: CRC32C 0x%08x, and the server's file has 0x%08x", sum.getValue(), expected));
                }
                ends.say(
                        "client: %,d bytes in %.3f s, %,.0f MiB a second, CRC32C 0x%08x as the server's file",
                        theirs.length(), seconds, theirs.length() / seconds / (1 << 20), expected);
            }
        }
    }

    private static void fetch(
            LongTransfer transfer, QueuePair queuePair, CompletionQueue queue, long length, TwoEnds ends) {
        WorkCompletions completions = WorkCompletions.ofCapacity(16);
        long told = 0;
        while (!transfer.isCompleted()) {
            int status = transfer.post(queuePair);
            if (status != PostStatus.QUEUE_FULL) {
                PostStatus.check(status);
            }
            int count = queue.poll(completions, ends.deadline());
            for (int i = 0; i < count; i++) {
                transfer.complete(completions.get(i));
            }
            long percent = transfer.completedBytes() * 100 / length;
            if (percent / 10 > told / 10) {
                told = percent;
                ends.say("client: %3d %%", percent);
            }
        }
        if (transfer.status() != WcStatus.SUCCESS) {
            throw new IllegalStateException("client: " + transfer);
        }
    }

    /** Makes {@code file} {@code size} bytes long, since memory can be mapped only to what is there. */
    private static void resize(Path file, long size) throws IOException {
        try (var channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            channel.write(ByteBuffer.wrap(new byte[1]), size - 1);
        }
    }
}
