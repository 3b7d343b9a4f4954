package org.panamaverbs.iwarp.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.iwarp.engine.context.ConnectionOptions;
import org.panamaverbs.iwarp.engine.context.IwarpOptions;
import org.panamaverbs.iwarp.engine.context.SharedMemoryOptions;
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

        assertThat(options.spin()).isFalse();
        assertThat(options.wire().crc()).isTrue();
        assertThat(options.wire().markers()).isFalse();
        assertThat(options.wire().revision()).isEqualTo(2);
        assertThat(options.wire().rtr().write()).isTrue();
        assertThat(options.wire().rtr().read()).isTrue();
        assertThat(options.wire().rtr().send()).isFalse();
        assertThat(options.wire().segmentBytes()).isZero();
        assertThat(options.halfOpen().handshakeNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(10));
        assertThat(options.halfOpen().most()).isEqualTo(512);
        assertThat(options.halfOpen().graceNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(options.patience().keepalive()).isEqualTo(new Keepalive(true, 60, 10, 4));
        assertThat(options.patience().progressNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(100));
        assertThat(options.patience().firstFpduNanos()).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
        assertThat(options.shares().receivesPercent()).isEqualTo(100);
        assertThat(options.wire().draftSwap()).isFalse();
        assertThat(options.sockets()).isSameAs(SystemSockets.best());
        assertThat(options.sharedMemory().mode()).isEqualTo(SharedMemoryOptions.Mode.AUTO);
        assertThat(options.sharedMemory().anyUser()).isFalse();
    }

    @Test
    void optionsWinOverSystemProperties() {
        Properties system = new Properties();
        system.setProperty("verbs.iwarp.crc", "off");
        system.setProperty("verbs.iwarp.fpdu.max", "1460");

        IwarpOptions options = IwarpOptions.parse(Map.of("crc", "on"), system);

        assertThat(options.wire().crc()).isTrue();
        assertThat(options.wire().segmentBytes()).isEqualTo(1460);
    }

    @Test
    void readsEveryOption() {
        IwarpOptions options = parse(Map.ofEntries(
                Map.entry("progress", "Spin"),
                Map.entry("crc", "off"),
                Map.entry("markers", "on"),
                Map.entry("revision", "1"),
                Map.entry("rtr", "send, read"),
                Map.entry("handshake.timeout", "250ms"),
                Map.entry("max.half.open", "3"),
                Map.entry("half.open.grace", "2s"),
                Map.entry("linger", "4s"),
                Map.entry("nudge", "off"),
                Map.entry("first.fpdu.timeout", "off"),
                Map.entry("draft.swap", "on"),
                Map.entry("keepalive", "off"),
                Map.entry("keepalive.idle", "7s"),
                Map.entry("keepalive.interval", "2s"),
                Map.entry("keepalive.count", "9"),
                Map.entry("progress.timeout", "off"),
                Map.entry("sockets", "nio"),
                Map.entry("shm", "require"),
                Map.entry("shm.ring", "65536"),
                Map.entry("shm.max", "9"),
                Map.entry("shm.users", "any"),
                Map.entry("shm.dir", " /run/Verbs"),
                Map.entry("srq.share", "25"),
                Map.entry("max.snapshots", "17")));

        assertThat(options)
                .isEqualTo(new IwarpOptions(
                        true,
                        new IwarpOptions.Wire(false, true, 1, new IwarpOptions.RtrKinds(false, true, true), 0, true),
                        new IwarpOptions.HalfOpen(250_000_000L, 3, 2_000_000_000L),
                        new IwarpOptions.Patience(4_000_000_000L, false, 0, new Keepalive(false, 7, 2, 9), 0),
                        SystemSockets.nio(),
                        new SharedMemoryOptions(
                                SharedMemoryOptions.Mode.REQUIRE, 65_536, 9, true, Path.of("/run/Verbs"), false, false),
                        new IwarpOptions.Shares(25, 17)));
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
                .isEqualTo(one.sharedMemory().with(Path.of("/run/Two")));
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
                .hasMessageContaining(
                        "crc, draft.swap, first.fpdu.timeout, fpdu.max, half.open.grace, handshake.timeout, keepalive, "
                                + "keepalive.count, keepalive.idle, keepalive.interval, linger, markers, max.half.open, max.snapshots, nudge, progress, "
                                + "progress.timeout, revision, rtr, shm, shm.dir, shm.direct, shm.max, shm.ring, shm.users, sockets, srq.share");
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
