package org.panamaverbs.iwarp.engine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.panamaverbs.api.PostStatus;
import org.panamaverbs.api.QueuePair;
import org.panamaverbs.api.SendFlag;
import org.panamaverbs.api.WcStatus;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.api.cm.TerminateReason;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * A program whose registered files are truncated before the next access: it says what became of each, if it lives to
 * say it.
 */
final class TruncatedFile implements AutoCloseable {
    static final String DONE = "done";

    private static final int BYTES = 64 * 1024;
    private static final int SMALL = 100;

    /** What is done with the file. */
    enum Access {
        SEND_FROM(true, BYTES, WcStatus.LOCAL_PROTECTION_ERROR),
        SEND_LITTLE_FROM(true, SMALL, WcStatus.LOCAL_PROTECTION_ERROR),
        WRITE_FROM(true, BYTES, WcStatus.LOCAL_PROTECTION_ERROR),
        READ_INTO(true, BYTES, WcStatus.LOCAL_PROTECTION_ERROR),
        READ_LITTLE_INTO(true, SMALL, WcStatus.LOCAL_PROTECTION_ERROR),
        RESULT_INTO(true, Long.BYTES, WcStatus.LOCAL_PROTECTION_ERROR),
        RECEIVE_INTO(false, BYTES, WcStatus.LOCAL_PROTECTION_ERROR),
        RECEIVE_LITTLE_INTO(false, SMALL, WcStatus.LOCAL_PROTECTION_ERROR),
        WRITTEN_BY_PEER(false, BYTES, WcStatus.REMOTE_ACCESS_ERROR),
        READ_BY_PEER(false, BYTES, WcStatus.REMOTE_ACCESS_ERROR),
        READ_A_LITTLE_BY_PEER(false, SMALL, WcStatus.REMOTE_ACCESS_ERROR),
        ADDED_TO_BY_PEER(false, Long.BYTES, WcStatus.REMOTE_ACCESS_ERROR);

        private final boolean atRequester;
        private final int bytes;
        private final WcStatus status;

        Access(boolean atRequester, int bytes, WcStatus status) {
            this.atRequester = atRequester;
            this.bytes = bytes;
            this.status = status;
        }
    }

    private final Access access;
    private final Arena arena = Arena.ofShared();
    private final FileChannel channel;
    private final Peer requester;
    private final Peer responder;
    private final RegisteredBuffer file;

    private TruncatedFile(Access access, Path path, String options) throws IOException, InterruptedException {
        this.access = access;
        channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE);
        requester = new Peer(Secured.options(options));
        responder = new Peer(Secured.options(options));
        file = (access.atRequester ? requester : responder)
                .domain.register(channel.map(MapMode.READ_WRITE, 0, BYTES, arena), Peer.ALL);
        Secured.connect(requester, responder, options);
    }

    private RegisteredBuffer local() {
        return access.atRequester ? file : requester.buffer;
    }

    private RegisteredBuffer remote() {
        return access.atRequester ? responder.buffer : file;
    }

    private WorkCompletion once() {
        QueuePair queuePair = requester.queuePair();
        int bytes = access.bytes;
        switch (access) {
            case SEND_FROM, SEND_LITTLE_FROM, RECEIVE_INTO, RECEIVE_LITTLE_INTO -> {
                PostStatus.check(responder.queuePair().recv(1, remote(), 0, bytes));
                PostStatus.check(queuePair.send(2, local(), 0, bytes, SendFlag.SIGNALED));
            }
            case WRITE_FROM, WRITTEN_BY_PEER ->
                PostStatus.check(queuePair.write(2, local(), 0, bytes, remote().remote(), 0, SendFlag.SIGNALED));
            case READ_INTO, READ_LITTLE_INTO, READ_BY_PEER, READ_A_LITTLE_BY_PEER ->
                PostStatus.check(queuePair.read(2, local(), 0, bytes, remote().remote(), 0, SendFlag.SIGNALED));
            case RESULT_INTO, ADDED_TO_BY_PEER ->
                PostStatus.check(queuePair.fetchAdd(2, local(), 0, remote().remote(), 0, 1, SendFlag.SIGNALED));
        }
        WorkCompletion completion = requester.next();
        if (!completion.ok()) {
            return completion;
        }
        return switch (access) {
            case SEND_FROM, SEND_LITTLE_FROM, RECEIVE_INTO, RECEIVE_LITTLE_INTO -> responder.next();
            case WRITTEN_BY_PEER -> {
                // A Write is done once it is sent: only an answer of the peer says that it arrived.
                PostStatus.check(queuePair.read(3, local(), 0, 8, responder.buffer.remote(), 0, SendFlag.SIGNALED));
                WorkCompletion answer = requester.next();
                yield answer;
            }
            default -> completion;
        };
    }

    private String truncated(int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            WorkCompletion completion = once();
            if (!completion.ok()) {
                return "failed before the file was truncated: " + completion;
            }
        }
        channel.truncate(0);
        WorkCompletion completion = once();
        boolean written = access == Access.WRITTEN_BY_PEER && !completion.ok();
        if (completion.status() != access.status && !written) {
            return completion.toString();
        }
        boolean byPeer = access.status == WcStatus.REMOTE_ACCESS_ERROR;
        return byPeer && !isNamed()
                ? "the responder says " + responder.queuePair().terminateCause()
                : "as expected";
    }

    /** Tells whether the side that has the file is told that its memory is gone, and no access of its peer wrong. */
    private boolean isNamed() {
        return responder
                .queuePair()
                .terminateCause()
                .filter(cause -> cause.reason() == TerminateReason.MEMORY_FAULT)
                .isPresent();
    }

    @Override
    public void close() throws IOException {
        file.close();
        requester.close();
        responder.close();
        arena.close();
        channel.close();
    }

    /** Takes the options, how often each access is done before, and tries them all. */
    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[1]);
        for (String crc : new String[] {"on", "off"}) {
            for (Access access : Access.values()) {
                Path path = Files.createTempFile("truncated", ".bin");
                try (TruncatedFile run = new TruncatedFile(access, path, arguments[0] + " crc=" + crc)) {
                    System.out.println(access + " crc " + crc + ": " + run.truncated(rounds));
                } finally {
                    Files.delete(path);
                }
            }
        }
        System.out.println(DONE);
    }
}
