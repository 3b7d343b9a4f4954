package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A library for Java, by the measurements of the module bench/peers. */
public final class JavaPeer extends Contestant {
    public static final String NETTY_LINE = "Netty";
    public static final String JUCX_LINE = "JUCX tag";
    public static final String AERON_LINE = "Aeron UDP";
    public static final String AERON_IPC_LINE = "Aeron IPC";
    public static final String JUCX_POSIX_LINE = "JUCX posix tag";
    private static final String MAIN = "org.panamaverbs.bench.peers.PeerCommand";
    // Since this release Java says something about sun.misc.Unsafe unless told not to.
    private static final int UNSAFE_OPTION_SINCE = 23;

    private final Kind kind;

    /** The libraries, and what each goes over. */
    public enum Kind {
        NETTY("Netty", NETTY_LINE, "netty-transport-classes-epoll-", Place.NETWORK, 70_000, 2_500_000, 1_800),
        AERON("Aeron", AERON_LINE, "aeron-client-", Place.NETWORK, 100_000, 2_300_000, 1_000),
        JUCX("JUCX", JUCX_LINE, "jucx-", Place.NETWORK, 65_000, 150_000, 2_500),
        AERON_IPC("Aeron", AERON_IPC_LINE, "aeron-client-", Place.ONE_HOST, 800_000, 6_000_000, 2_500),
        JUCX_POSIX("JUCX", JUCX_POSIX_LINE, "jucx-", Place.ONE_HOST, 300_000, 500_000, 3_000);

        private final String title;
        private final String line;
        private final String jar;
        private final Place place;
        // About how many of each there are in a second: its programs count messages, not seconds.
        private final int roundTrips;
        private final int small;
        private final int large;

        Kind(String title, String line, String jar, Place place, int roundTrips, int small, int large) {
            this.title = title;
            this.line = line;
            this.jar = jar;
            this.place = place;
            this.roundTrips = roundTrips;
            this.small = small;
            this.large = large;
        }

        private boolean isUcx() {
            return this == JUCX || this == JUCX_POSIX;
        }

        /** Returns what the peers call it. */
        private String library() {
            return this == JUCX_POSIX ? "jucx" : name().toLowerCase(Locale.ROOT);
        }
    }

    public JavaPeer(Bench bench, Kind kind) {
        super(bench, kind.title);
        this.kind = kind;
    }

    private Path libraries() {
        return bench.home().resolve("bench/peers/target/libs");
    }

    @Override
    public Optional<String> missing() {
        Optional<String> reason = missing(libraries(), "mvn -pl bench/peers -am package");
        return reason.isEmpty() && kind.isUcx() ? missingUcx() : reason;
    }

    private Optional<String> missingUcx() {
        try {
            if (bench.run(List.of("/sbin/ldconfig", "-p")).contains("libucp.so.0")) {
                return Optional.empty();
            }
        } catch (IOException e) {
            return Optional.of("ldconfig does not say whether libucp.so.0 is there: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Optional.of("no libucp.so.0: apt-get install libucx0, or bench/compare --install");
    }

    @Override
    public String version() throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(libraries(), kind.jar + "*.jar")) {
            for (Path jar : jars) {
                return jar.getFileName().toString().replace(kind.jar, "").replace(".jar", "");
            }
        }
        return "unknown";
    }

    @Override
    public List<Job> jobs(Amounts amounts) {
        boolean oneHost = kind.place == Place.ONE_HOST;
        List<Job> jobs = new ArrayList<>();
        jobs.add(pingPong(oneHost ? Question.HOST_SEND_64 : Question.SEND_64, amounts, kind.roundTrips));
        if (!oneHost) {
            jobs.add(pingPong(Question.WRITE_4K, amounts, kind.roundTrips / 2));
        }
        if (kind == Kind.NETTY) {
            jobs.add(pingPong(Question.BLOCKING_64, amounts, kind.roundTrips / 4, "-e"));
        }
        jobs.add(stream(
                oneHost ? Question.HOST_BATCH_64 : Question.BATCH_64,
                amounts,
                kind.small,
                CFloor.BATCH,
                "messages_per_second"));
        jobs.add(stream(
                oneHost ? Question.HOST_WRITE_1M : Question.WRITE_1M, amounts, kind.large, 1, "octets_per_second"));
        return jobs;
    }

    private Job pingPong(Question question, Amounts amounts, int perSecond, String... options) {
        return Job.roundTrips(
                question, kind.line, () -> run("ping_pong", question.size(), amounts, perSecond, List.of(options)));
    }

    private Job stream(Question question, Amounts amounts, int perSecond, int batch, String rate) {
        return Job.rate(
                question,
                kind.line,
                rate,
                () -> run("stream", question.size(), amounts, perSecond, List.of("-b", "" + batch)));
    }

    private String run(String test, int size, Amounts amounts, int perSecond, List<String> options)
            throws IOException, InterruptedException {
        List<String> java = Bench.command(
                java(),
                options(),
                "-Dbench.peers.directory=" + bench.scratch().directory(),
                "-cp",
                bench.home().resolve("bench/peers/target/classes") + ":" + libraries() + "/*",
                MAIN,
                kind.library(),
                test);
        List<String> both = Bench.command(
                "-s",
                size,
                "-n",
                amounts.java().seconds() * perSecond,
                "-w",
                amounts.java().peerWarmUpSeconds() * perSecond,
                options);
        return bench.pair(
                UcxPerftest.environment(bench, kind.place == Place.ONE_HOST ? "posix,cma" : "tcp"),
                Bench.command(java, both),
                Bench.command(java, "PORT", both));
    }

    private static List<String> options() {
        List<String> options = new ArrayList<>(Bench.words("""
                -XX:+UseSerialGC -XX:-UsePerfData --enable-native-access=ALL-UNNAMED \
                --add-opens=java.base/jdk.internal.misc=ALL-UNNAMED -Dagrona.disable.bounds.checks=true \
                -Dio.netty.leakDetection.level=disabled \
                -Dio.netty.buffer.checkAccessible=false -Dio.netty.buffer.checkBounds=false\
                """));
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }
}
