package org.panamaverbs.iwarp.engine.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.iwarp.net.Keepalive;
import org.panamaverbs.iwarp.net.SystemSockets;
import org.panamaverbs.testkit.Requirement;

class IwarpOptionsTest {
    private static IwarpOptions parse(Map<String, String> options) {
        return IwarpOptions.parse(options, new Properties());
    }

    @Test
    @Requirement({"MPA-1.2-01", "MPA-4.4-02", "MPA-4.4-03"})
    void defaultsAreSafe() {
        IwarpOptions options = parse(Map.of());

        assertThat(options.get(IwarpOption.SPIN)).isFalse();
        assertThat(options.get(IwarpOption.CRC)).isTrue();
        assertThat(options.get(IwarpOption.MARKERS)).isFalse();
        assertThat(options.get(IwarpOption.REVISION)).isEqualTo(2);
        assertThat(options.get(IwarpOption.RTR)).containsExactly("write", "read");
        assertThat(options.get(IwarpOption.FPDU_MAX)).isZero();
        assertThat(options.get(IwarpOption.HANDSHAKE_TIMEOUT)).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(options.get(IwarpOption.REPLY_BEGIN)).isEmpty();
        assertThat(options.get(IwarpOption.MAX_HALF_OPEN)).isEqualTo(512);
        assertThat(options.get(IwarpOption.HALF_OPEN_GRACE)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(options.keepalive()).isEqualTo(new Keepalive(true, 60, 10, 4));
        assertThat(options.get(IwarpOption.PROGRESS_TIMEOUT)).isEqualTo(TimeUnit.SECONDS.toNanos(100));
        assertThat(options.get(IwarpOption.FIRST_FPDU_TIMEOUT)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(options.get(IwarpOption.SRQ_SHARE)).isEqualTo(100);
        assertThat(options.get(IwarpOption.DRAFT_SWAP)).isFalse();
        assertThat(options.get(IwarpOption.SOCKETS)).isSameAs(SystemSockets.best());
        assertThat(options.namesSockets()).isFalse();
        assertThat(options.sharedMemory().mode()).isEqualTo(SharedMemoryOptions.Mode.AUTO);
        assertThat(options.sharedMemory().anyUser()).isFalse();
    }

    @Test
    void optionsWinOverSystemProperties() {
        Properties system = new Properties();
        system.setProperty("verbs.iwarp.crc", "off");
        system.setProperty("verbs.iwarp.fpdu.max", "1460");

        IwarpOptions options = IwarpOptions.parse(Map.of("crc", "on"), system);

        assertThat(options.get(IwarpOption.CRC)).isTrue();
        assertThat(options.get(IwarpOption.FPDU_MAX)).isEqualTo(1460);
    }

    static Stream<Arguments> values() {
        return Stream.of(
                arguments(IwarpOption.SPIN, "Spin", true),
                arguments(IwarpOption.CRC, "off", false),
                arguments(IwarpOption.MARKERS, "on", true),
                arguments(IwarpOption.REVISION, "1", 1),
                arguments(IwarpOption.RTR, "send, read", List.of("send", "read")),
                arguments(IwarpOption.FPDU_MAX, "128", 128),
                arguments(IwarpOption.HANDSHAKE_TIMEOUT, "250ms", 250_000_000L),
                arguments(IwarpOption.MAX_HALF_OPEN, "3", 3),
                arguments(IwarpOption.HALF_OPEN_GRACE, "2s", 2_000_000_000L),
                arguments(IwarpOption.LINGER, "4s", 4_000_000_000L),
                arguments(IwarpOption.PROBE, "off", false),
                arguments(IwarpOption.FIRST_FPDU_TIMEOUT, "off", 0L),
                arguments(IwarpOption.DRAFT_SWAP, "on", true),
                arguments(IwarpOption.KEEPALIVE, "off", false),
                arguments(IwarpOption.KEEPALIVE_IDLE, "7s", 7),
                arguments(IwarpOption.KEEPALIVE_INTERVAL, "2000ms", 2),
                arguments(IwarpOption.KEEPALIVE_COUNT, "9", 9),
                arguments(IwarpOption.PROGRESS_TIMEOUT, "off", 0L),
                arguments(IwarpOption.SOCKETS, "nio", SystemSockets.nio()),
                arguments(IwarpOption.SHM, "require", SharedMemoryOptions.Mode.REQUIRE),
                arguments(IwarpOption.SHM_RING, "65536", 65_536),
                arguments(IwarpOption.SHM_MAX, "9", 9),
                arguments(IwarpOption.SHM_ANY_USER, "any", true),
                arguments(IwarpOption.SHM_DIRECTORY, " /run/Verbs", Optional.of(Path.of("/run/Verbs"))),
                arguments(IwarpOption.SHM_DIRECT, "on", SharedMemoryOptions.Direct.ON),
                arguments(IwarpOption.SRQ_SHARE, "25", 25),
                arguments(IwarpOption.MAX_SNAPSHOTS, "0", 0));
    }

    @ParameterizedTest
    @MethodSource("values")
    void readsAnOption(IwarpOption<?> option, String text, Object value) {
        assertThat(parse(Map.of(option.key(), text)).get(option)).isEqualTo(value);
    }

    @Test
    void optionsOfOneThingAreReadTogether() {
        IwarpOptions options = parse(Map.ofEntries(
                Map.entry("keepalive", "off"),
                Map.entry("keepalive.idle", "7s"),
                Map.entry("keepalive.interval", "2s"),
                Map.entry("keepalive.count", "9"),
                Map.entry("sockets", "nio"),
                Map.entry("shm", "require"),
                Map.entry("shm.ring", "65536"),
                Map.entry("shm.max", "9"),
                Map.entry("shm.users", "any"),
                Map.entry("shm.dir", "/run/Verbs")));

        assertThat(options.namesSockets()).isTrue();
        assertThat(options.keepalive()).isEqualTo(new Keepalive(false, 7, 2, 9));
        assertThat(options.sharedMemory())
                .isEqualTo(new SharedMemoryOptions(
                        SharedMemoryOptions.Mode.REQUIRE,
                        65_536,
                        9,
                        true,
                        Path.of("/run/Verbs"),
                        SharedMemoryOptions.Direct.AUTO,
                        false));
    }

    @Test
    void eachOptionHasARowOfItsOwn() {
        assertThat(IwarpOption.all()).extracting(IwarpOption::key).doesNotHaveDuplicates();
        assertThat(IwarpOption.all())
                .allSatisfy(each -> assertThat(
                                parse(Map.of(each.key(), each.initial())).get(each))
                        .as(each.key())
                        .isEqualTo(parse(Map.of()).get(each)));
    }

    @Test
    void connectionsHaveTheOptionsOfTheirContextUnlessTheySayOtherwise() {
        IwarpOptions on = parse(Map.of("draft.swap", "on"));
        ConnectionConfig plain = ConnectionConfig.defaults();

        assertThat(ConnectionOptions.parse(plain, on).draftSwap()).isTrue();
        assertThat(ConnectionOptions.parse(plain.with("draft.swap", " Off"), on).draftSwap())
                .isFalse();
        assertThat(ConnectionOptions.parse(plain.with("draft.swap", "on"), parse(Map.of()))
                        .draftSwap())
                .isTrue();
    }

    @Test
    void connectionsHaveADirectoryOfTheirOwn() {
        IwarpOptions one = parse(Map.of("shm.dir", "/run/One", "shm", "auto"));
        ConnectionConfig plain = ConnectionConfig.defaults();

        assertThat(ConnectionOptions.parse(plain, one).sharedMemory()).isEqualTo(one.sharedMemory());
        assertThat(ConnectionOptions.parse(plain.with("shm.dir", "/run/Two"), one)
                        .sharedMemory())
                .isEqualTo(parse(Map.of("shm.dir", "/run/Two")).sharedMemory());
        assertThat(ConnectionOptions.parse(plain.with("shm.dir", "OFF"), one)
                        .sharedMemory()
                        .directory())
                .isNull();
    }

    @Test
    void refusesUnknownOptionsOfConnections() {
        IwarpOptions defaults = parse(Map.of());
        assertThatThrownBy(() ->
                        ConnectionOptions.parse(ConnectionConfig.defaults().with("crc", "off"), defaults))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("no connection option crc", "draft.swap");
        assertThatThrownBy(() ->
                        ConnectionOptions.parse(ConnectionConfig.defaults().with("draft.swap", "1"), defaults))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("option draft.swap", "on or off", "\"1\"");
    }

    @Test
    void namesAllOptionsWhenOneIsUnknown() {
        assertThatThrownBy(() -> parse(Map.of("crcs", "on")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no option crcs")
                .hasMessageContaining(IwarpOption.all().stream()
                        .map(IwarpOption::key)
                        .sorted()
                        .collect(Collectors.joining(", ")));
    }

    @Test
    void refusesUnknownSystemProperties() {
        Properties system = new Properties();
        system.setProperty("verbs.iwarp.fast", "on");

        assertThatThrownBy(() -> IwarpOptions.parse(Map.of(), system))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no option fast");
    }

    @ParameterizedTest
    @CsvSource({
        "progress, fast",
        "crc, true",
        "shm.direct, yes",
        "revision, 3",
        "rtr, push",
        "rtr, ''",
        "fpdu.max, 127",
        "fpdu.max, 65536",
        "fpdu.max, many",
        "handshake.timeout, 10",
        "handshake.timeout, 0s",
        "handshake.timeout, 90000s",
        "linger, xs",
        "max.half.open, 0",
        "half.open.grace, 0ms",
        "keepalive.idle, 1500ms",
        "keepalive.interval, 40000s",
        "keepalive.count, 0",
        "progress.timeout, never",
        "first.fpdu.timeout, 0ms",
        "srq.share, 0",
        "srq.share, 101",
        "shm.ring, 65537",
        "shm.ring, 8192",
        "reply.begin, ''",
        "reply.begin, 018",
        "reply.begin, 0x01",
        "shm.dir, ''",
        "shm.dir, run/verbs",
        "shm.dir, /run\0verbs"
    })
    @Requirement("ENH-9.2-03")
    void refusesValuesThatMakeNoSense(String name, String value) {
        assertThatThrownBy(() -> parse(Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("option " + name)
                .hasMessageContaining("\"" + value + "\"");
    }
}
