package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.panamaverbs.api.SendFlag.SIGNALED;
import static org.panamaverbs.memory.Access.LOCAL_WRITE;
import static org.panamaverbs.memory.Access.REMOTE_READ;
import static org.panamaverbs.memory.Access.REMOTE_WRITE;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.CompletionQueue;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePairConfig;
import org.panamaverbs.api.SendOpcode;
import org.panamaverbs.api.SgList;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.WorkCompletions;
import org.panamaverbs.api.WorkRequest;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.testkit.Requirement;

/** Messages of 2^32-1 bytes: nothing on the way counts in 31 bits. */
@Tag("proof")
class LongestMessageTest {
    private static final long LENGTH = SgList.MAX_LENGTH;
    private static final long NEEDED = 3 * LENGTH;
    private static final Deadline DEADLINE = Deadline.in(600, TimeUnit.SECONDS);

    @Test
    @Requirement({"RDMAP-4.4-05", "DDP-5.2-03", "DDP-5.2-05", "DDP-5.2-07"})
    void carriesTheLongestWriteReadAndSend() throws IOException {
        long available = availableBytes();
        assumeTrue(available >= NEEDED, () -> "needs " + NEEDED + " bytes of free memory, there are " + available);
        try (Verbs verbs = Verbs.open(
                        OpenConfig.provider("iwarp").with("shm", "off").with("crc", "off"));
                var domain = verbs.protectionDomain();
                var from = domain.allocate(LENGTH + 1, LOCAL_WRITE, REMOTE_READ);
                var to = domain.allocate(LENGTH + 1, LOCAL_WRITE, REMOTE_READ, REMOTE_WRITE);
                var sends = verbs.completionQueue(8);
                var receives = verbs.completionQueue(8);
                var listener = verbs.listen(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            QueuePairConfig accepting = QueuePairConfig.of(domain, receives).withAccess(REMOTE_READ, REMOTE_WRITE);
            var accepted = CompletableFuture.supplyAsync(
                    () -> listener.accept(DEADLINE).accept(accepting, ConnectionConfig.defaults(), DEADLINE));
            try (var connection = verbs.connect(listener.localAddress(), QueuePairConfig.of(domain, sends), DEADLINE);
                    var peer = accepted.join()) {
                MemorySegment source = from.segment().asSlice(0, LENGTH);
                MemorySegment target = to.segment().asSlice(0, LENGTH);
                for (long at = 0; at + Long.BYTES <= LENGTH; at += 4096) {
                    source.set(ValueLayout.JAVA_LONG_UNALIGNED, at, at * 0x9E3779B97F4A7C15L);
                }
                var qp = connection.queuePair();

                PostStatus.check(qp.write(1, from, 0, LENGTH, to.remote(), 0, SIGNALED));
                assertThat(next(sends).ok()).isTrue();
                PostStatus.check(qp.read(2, from, LENGTH, 1, to.remote(), LENGTH - 1, SIGNALED));
                assertThat(next(sends).ok()).isTrue();
                assertThat(source.mismatch(target)).isEqualTo(-1);

                source.asSlice(0, LENGTH / 2).fill((byte) 0);
                PostStatus.check(qp.read(3, from, 0, LENGTH, to.remote(), 0, SIGNALED));
                assertThat(next(sends).byteCount()).isEqualTo(LENGTH);
                assertThat(source.mismatch(target)).isEqualTo(-1);

                target.fill((byte) 0);
                PostStatus.check(peer.queuePair().recv(4, to, 0, LENGTH));
                PostStatus.check(qp.send(5, from, 0, LENGTH, SIGNALED));
                assertThat(next(receives).byteCount()).isEqualTo(LENGTH);
                assertThat(source.mismatch(target)).isEqualTo(-1);
                assertThat(qp.post(WorkRequest.of(SendOpcode.SEND)
                                .wrId(6)
                                .local(0, LENGTH + 1, 0)
                                .flags(SIGNALED)))
                        .isEqualTo(PostStatus.MESSAGE_TOO_LONG);
            }
        }
    }

    private static WorkCompletion next(CompletionQueue queue) {
        WorkCompletions completions = WorkCompletions.ofCapacity(1);
        queue.poll(completions, DEADLINE);
        WorkCompletion completion = completions.get(0);
        assertThat(completion.ok()).as(completion.toString()).isTrue();
        return completion;
    }

    private static long availableBytes() throws IOException {
        Path info = Path.of("/proc/meminfo");
        if (!Files.isReadable(info)) {
            return 0;
        }
        Matcher matcher = Pattern.compile("MemAvailable:\\s+(\\d+) kB").matcher(Files.readString(info));
        return matcher.find() ? Long.parseLong(matcher.group(1)) * 1024 : 0;
    }
}
