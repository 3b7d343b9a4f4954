package org.panamaverbs.bench.peers;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.CommonContext;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.AgentInvoker;
import org.jspecify.annotations.Nullable;

/**
 * What Aeron's messages go over: the drivers, their directories and the channels of one side. A side is known to the
 * other by a number. Used by one thread.
 */
sealed interface AeronMedium extends AutoCloseable {
    int STREAM = 1001;

    /** Has the driver of this process, if it has one, do what is to be done. */
    void drive();

    /** Tells whether idle look number {@code count} gives the driver its turn. */
    boolean isTurn(int count);

    /** Opens this side for a client, and returns the Aeron that its messages go through. */
    Aeron listen();

    /** Opens this side for the server that is known by {@code number}. */
    Aeron connect(int number);

    /** Returns the stream of messages to the server. */
    int toServer();

    /** Returns the stream of messages to the client; the same where their channels differ. */
    int toClient();

    /** Returns the channel to subscribe to. */
    String source();

    /** Returns by which number the other side knows this one, once that is known; else 0. */
    int number(Subscription from);

    /** Returns the channel to the side that is known by {@code number}. */
    String sink(int number);

    @Override
    void close();

    /** Returns the context of a driver whose turns the thread of this side gives it, and whose files go with it. */
    private static MediaDriver.Context driver(String directory) {
        // Longer than a thread waits for its turn on a busy machine.
        long liveness = TimeUnit.SECONDS.toNanos(30);
        return new MediaDriver.Context()
                .aeronDirectoryName(directory)
                .threadingMode(ThreadingMode.INVOKER)
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(false)
                .clientLivenessTimeoutNs(liveness)
                .imageLivenessTimeoutNs(liveness)
                .publicationUnblockTimeoutNs(2 * liveness);
    }

    private static Aeron.Context client(String directory) {
        return new Aeron.Context().aeronDirectoryName(directory).useConductorAgentInvoker(true);
    }

    /** Returns a directory where the caller of this process wants it, or where Aeron itself has it. */
    private static String directory(String name) {
        String parent = System.getProperty("bench.peers.directory");
        return parent == null
                ? CommonContext.getAeronDirectoryName() + "-" + name
                : Path.of(parent, "aeron-" + name).toString();
    }

    /** UDP: each side has its own driver, which never pauses. A number is a port. */
    final class Udp implements AeronMedium {
        private static final String LOOPBACK = "127.0.0.1";
        // Aeron's guide has it for networks with large frames; messages longer than this are cut.
        private static final int MTU = 8 << 10;
        private static final int TERM_BYTES = 16 << 20;
        // Half of what the system lets a socket have by default: its account has overheads of each datagram.
        private static final int SOCKET_BYTES = 208 << 10;
        private static final int WINDOW_BYTES = 128 << 10;

        private final String directory =
                directory("udp-" + ProcessHandle.current().pid() + "-" + System.nanoTime());
        private final MediaDriver driver = MediaDriver.launch(driver(directory)
                .publicationTermBufferLength(TERM_BYTES)
                .mtuLength(MTU)
                .socketSndbufLength(SOCKET_BYTES)
                .socketRcvbufLength(SOCKET_BYTES)
                .initialWindowLength(WINDOW_BYTES));
        private final AgentInvoker turns = driver.sharedAgentInvoker();

        @Override
        public void drive() {
            turns.invoke();
        }

        @Override
        public boolean isTurn(int count) {
            return true;
        }

        @Override
        public Aeron listen() {
            return Aeron.connect(client(directory).driverAgentInvoker(turns));
        }

        @Override
        public Aeron connect(int number) {
            return listen();
        }

        @Override
        public int toServer() {
            return STREAM;
        }

        @Override
        public int toClient() {
            return STREAM;
        }

        @Override
        public String source() {
            return sink(0);
        }

        @Override
        public int number(Subscription from) {
            String channel = from.tryResolveChannelEndpointPort();
            if (channel == null) {
                return 0;
            }
            int begin = channel.indexOf(LOOPBACK + ":") + LOOPBACK.length() + 1;
            int end = channel.indexOf('|');
            return Integer.parseInt(channel.substring(begin, end < 0 ? channel.length() : end));
        }

        @Override
        public String sink(int number) {
            return new ChannelUriStringBuilder()
                    .media("udp")
                    .endpoint(LOOPBACK + ":" + number)
                    .build();
        }

        @Override
        public void close() {
            driver.close();
        }
    }

    /**
     * Shared memory: messages go through logs that both sides have mapped, and the server's driver only manages those.
     * A number is part of the name of its directory.
     */
    final class Ipc implements AeronMedium {
        private static final int TERM_BYTES = 16 << 20;
        private static final int MTU = 32 << 10;
        private static final int MOST = 1 << 20;
        private static final int LOOKS_A_TURN = 64;
        private static final int CLIENT = 1;

        private @Nullable MediaDriver driver;
        private @Nullable AgentInvoker turns;
        private int number = CLIENT;

        @Override
        public void drive() {
            if (turns != null) {
                turns.invoke();
            }
        }

        @Override
        public boolean isTurn(int count) {
            return count % LOOKS_A_TURN == 0;
        }

        private static String directoryOf(int number) {
            return directory("ipc-" + number);
        }

        @Override
        public Aeron listen() {
            number = ThreadLocalRandom.current().nextInt(CLIENT + 1, MOST);
            MediaDriver made = MediaDriver.launch(
                    driver(directoryOf(number)).ipcTermBufferLength(TERM_BYTES).ipcMtuLength(MTU));
            driver = made;
            turns = made.sharedAgentInvoker();
            return Aeron.connect(client(directoryOf(number)).driverAgentInvoker(made.sharedAgentInvoker()));
        }

        @Override
        public Aeron connect(int server) {
            return Aeron.connect(client(directoryOf(server)));
        }

        @Override
        public int toServer() {
            return STREAM;
        }

        @Override
        public int toClient() {
            return STREAM + 1;
        }

        @Override
        public String source() {
            return CommonContext.IPC_CHANNEL;
        }

        @Override
        public int number(Subscription from) {
            return number;
        }

        @Override
        public String sink(int to) {
            return CommonContext.IPC_CHANNEL;
        }

        @Override
        public void close() {
            if (driver != null) {
                driver.close();
            }
        }
    }
}
