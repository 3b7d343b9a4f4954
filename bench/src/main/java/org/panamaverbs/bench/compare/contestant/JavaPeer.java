package org.panamaverbs.bench.compare.contestant;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** A library for Java, by the measurements of the module bench/peers. */
public final class JavaPeer implements Contestant {
    public static final String AERON_LINE = "Aeron UDP";
    private static final String MAIN = "org.panamaverbs.bench.peers.PeerCommand";
    // Since this release Java says something about sun.misc.Unsafe unless told not to.
    private static final int UNSAFE_OPTION_SINCE = 23;

    private final Bench bench;
    private final Kind kind;

    /** The libraries. */
    public enum Kind {
        NETTY("Netty", "Netty", "netty-transport-classes-epoll-", 70_000, 2_500_000, 1_800),
        AERON("Aeron", AERON_LINE, "aeron-client-", 100_000, 2_300_000, 1_000),
        JUCX("JUCX", "JUCX tag", "jucx-", 65_000, 150_000, 2_500);

        private final String title;
        private final String line;
        private final String jar;
        // About how many of each there are in a second: its programs count messages, not seconds.
        private final int roundTrips;
        private final int small;
        private final int large;

        Kind(String title, String line, String jar, int roundTrips, int small, int large) {
            this.title = title;
            this.line = line;
            this.jar = jar;
            this.roundTrips = roundTrips;
            this.small = small;
            this.large = large;
        }
    }

    public JavaPeer(Bench bench, Kind kind) {
        this.bench = bench;
        this.kind = kind;
    }

    @Override
    public String name() {
        return kind.title;
    }

    private Path libraries() {
        return bench.home().resolve("bench/peers/target/libs");
    }

    @Override
    public Optional<String> missing() {
        if (!Files.isDirectory(libraries())) {
            return Optional.of(libraries() + " is not there: mvn -pl bench/peers -am package");
        }
        return kind == Kind.JUCX ? missingUcx() : Optional.empty();
    }

    private Optional<String> missingUcx() {
        try {
            if (bench.run(List.of("/sbin/ldconfig", "-p")).contains("libucp.so.0")) {
                return Optional.empty();
            }
        } catch (IOException | Children.FailedException e) {
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
        List<Job> jobs = new ArrayList<>();
        jobs.add(new Job(Question.SEND_64, kind.line, () -> roundTrips(amounts, 64, kind.roundTrips)));
        jobs.add(new Job(Question.WRITE_4K, kind.line, () -> roundTrips(amounts, 4096, kind.roundTrips / 2)));
        if (kind == Kind.NETTY) {
            jobs.add(
                    new Job(Question.BLOCKING_64, kind.line, () -> roundTrips(amounts, 64, kind.roundTrips / 4, "-e")));
        }
        jobs.add(new Job(
                Question.BATCH_64,
                kind.line,
                () -> Reading.of(Bench.rate(stream(amounts, 64, kind.small, CFloor.BATCH), "messages_per_second"))));
        jobs.add(new Job(
                Question.WRITE_1M,
                kind.line,
                () -> Reading.of(Bench.rate(stream(amounts, 1 << 20, kind.large, 1), "octets_per_second"))));
        return jobs;
    }

    private Reading roundTrips(Amounts amounts, int size, int perSecond, String... options)
            throws IOException, InterruptedException, Children.FailedException {
        return Bench.roundTrips(run("ping_pong", size, amounts, perSecond, List.of(options)));
    }

    private String stream(Amounts amounts, int size, int perSecond, int batch)
            throws IOException, InterruptedException, Children.FailedException {
        return run("stream", size, amounts, perSecond, List.of("-b", "" + batch));
    }

    private String run(String test, int size, Amounts amounts, int perSecond, List<String> options)
            throws IOException, InterruptedException, Children.FailedException {
        List<String> java = Bench.command(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                options(),
                "-cp",
                bench.home().resolve("bench/peers/target/classes") + ":" + libraries() + "/*",
                MAIN,
                kind.name().toLowerCase(Locale.ROOT),
                test);
        List<String> both = Bench.command(
                "-s",
                size,
                "-n",
                amounts.java().seconds() * perSecond,
                "-w",
                amounts.java().warmUpSeconds() * perSecond,
                options);
        return bench.pair(
                Map.of("UCX_TLS", "tcp", "UCX_NET_DEVICES", "lo"),
                Bench.command(java, both),
                Bench.command(java, "PORT", both));
    }

    private static List<String> options() {
        List<String> options = new ArrayList<>(List.of(
                "-XX:+UseSerialGC",
                "-XX:-UsePerfData",
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
                "-Dagrona.disable.bounds.checks=true",
                "-Dio.netty.leakDetection.level=disabled",
                "-Dio.netty.buffer.checkAccessible=false",
                "-Dio.netty.buffer.checkBounds=false"));
        if (Runtime.version().feature() >= UNSAFE_OPTION_SINCE) {
            options.add("--sun-misc-unsafe-memory-access=allow");
        }
        return options;
    }
}
