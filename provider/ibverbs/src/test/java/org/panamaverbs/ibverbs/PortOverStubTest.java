package org.panamaverbs.ibverbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.entries.DeviceEntries;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.DeviceQuery;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.ibverbs.stub.OverStub;
import org.panamaverbs.ibverbs.stub.Stub;
import org.panamaverbs.ibverbs.stub.StubVerbs;

/** Where a device is on the fabric, as libibverbs and the kernel tell it. */
class PortOverStubTest extends OverStub {
    private static final int ETHERNET = 1;
    private static final int INFINIBAND = 2;
    private static final int BARE = 3;
    // infiniband/verbs.h: enum ibv_transport_type, enum ibv_port_state, enum ibv_gid_type
    private static final int TRANSPORT_IB = 0;
    private static final int TRANSPORT_IWARP = 1;
    private static final int DOWN = 1;
    private static final int ACTIVE = 4;
    private static final int ROCE_V1 = 1;
    private static final int ROCE_V2 = 2;

    private static final String OWN = "10.0.3.1";
    private static final Gid GID = Gid.of(InetAddress.ofLiteral(OWN));

    @TempDir
    private Path classes;

    @BeforeEach
    void open() {
        Stub.transport(TRANSPORT_IB);
    }

    @AfterEach
    void close() {
        for (int index = 0; index < 8; index++) {
            Stub.gid(ETHERNET, index, 0, 0, 0);
            Stub.gid(INFINIBAND, index, 0, 0, 0);
        }
        for (int index = 0; index < 4; index++) {
            Stub.pkey(INFINIBAND, index, 0);
        }
        Stub.port(ETHERNET, ACTIVE, 1, 1);
        Stub.port(INFINIBAND, ACTIVE, 1, 1);
    }

    @Test
    void tellsWhereAPortOfInfiniBandIs() {
        Stub.port(INFINIBAND, ACTIVE, 2, 128);
        assertThat(port(INFINIBAND).query())
                .isEqualTo(new PortAttributes(
                        State.ACTIVE, LinkLayer.INFINIBAND, 4096, 1024, 0xBEEF, 3, 0xC001, 8, 4, 4, Speed.NDR));
        assertThat(port(INFINIBAND).query().activeMegabits()).isEqualTo(400_000);
        assertThat(port(INFINIBAND).addresses()).isEmpty();
    }

    @Test
    void speedBeyondAnOctetIsRead() {
        Stub.port(ETHERNET, ACTIVE, 8, 256);
        assertThat(port(ETHERNET).query().activeSpeed()).isEqualTo(Speed.XDR);
        assertThat(port(ETHERNET).query().activeMegabits()).isEqualTo(2_400_000);
    }

    @Test
    void stateIsThatOfNow() {
        Port port = port(ETHERNET);
        assertThat(port.query().isActive()).isTrue();
        Stub.port(ETHERNET, DOWN, 1, 1);
        assertThat(port.query().state()).isEqualTo(State.DOWN);
        assertThat(port.query().isActive()).isFalse();
        Stub.port(ETHERNET, ACTIVE, 1, 1);
        assertThat(port.query().isActive()).isTrue();
    }

    /** What the list of a port's GIDs is made from: one call for the table, calls for slots, calls of old libraries. */
    @ParameterizedTest
    @ValueSource(strings = {"", "ibv_query_gid_table"})
    void indexIsThatOfTheTableThoughSlotsAreEmptyAndGidsEqual(String missing) {
        fill();
        Stub.fail(missing, Errno.EOPNOTSUPP, Integer.MAX_VALUE);
        Port port = port(ETHERNET);
        assertThat(port.gids())
                .containsExactly(
                        new GidEntry(2, GID, GidEntry.Type.ROCE_V1, ""),
                        new GidEntry(5, GID, GidEntry.Type.ROCE_V2, ""),
                        new GidEntry(7, GID, GidEntry.Type.ROCE_V2, ""));
        assertThat(port.gidIndex(GID, GidEntry.Type.ROCE_V1)).hasValue(2);
        assertThat(port.gidIndex(GID, GidEntry.Type.ROCE_V2)).hasValue(5);
        assertThat(port.gidIndex(GID, GidEntry.Type.IB)).isEqualTo(OptionalInt.empty());
        assertThat(port.addresses()).containsExactly(InetAddress.ofLiteral(OWN));
        assertThat(port(INFINIBAND).gids())
                .extracting(GidEntry::index, GidEntry::type)
                .containsExactly(tuple(1, GidEntry.Type.IB));
    }

    /** As of a container's interface, whose GIDs the other containers and the host see. */
    @Test
    void gidThatCannotBeReadIsLeftOutOfLists() {
        fill();
        Stub.gid(ETHERNET, 5, 0x0A00_0302, ROCE_V2, -1);
        assertThat(port(ETHERNET).gids()).extracting(GidEntry::index).containsExactly(2, 7);
        assertThat(port(ETHERNET).addresses()).containsExactly(InetAddress.ofLiteral(OWN));
        assertThat(DeviceEntries.of(facts()).ports()).hasSize(BARE);
        assertThatThrownBy(() -> port(ETHERNET).gid(5))
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENODEV))
                .hasMessageContaining("GID 5 of port 1 of device stub0");
    }

    /** What some kernels say of an empty slot. */
    @Test
    void slotThatIsNotValidIsEmpty() {
        Stub.fail("ibv_query_gid_ex", Errno.EINVAL, 1);
        assertThat(port(ETHERNET).gid(3)).isEmpty();
    }

    @Test
    void eachIndexAskedAloneIsTheSame() {
        fill();
        Port port = port(ETHERNET);
        for (int index = 0; index < 8; index++) {
            int asked = index;
            assertThat(port.gid(index))
                    .isEqualTo(port.gids().stream()
                            .filter(entry -> entry.index() == asked)
                            .findFirst());
        }
    }

    /** They lack ibv_query_gid_ex: the type and the interface are in the kernel's files. */
    @Test
    void oldLibrariesAreAskedSlotBySlot() throws IOException {
        fill();
        Path attributes = classes.resolve("infiniband/stub0/ports/1/gid_attrs");
        Path types = Files.createDirectories(attributes.resolve("types"));
        Path devices = Files.createDirectories(attributes.resolve("ndevs"));
        for (int index : List.of(2, 5, 7)) {
            Files.writeString(types.resolve(Integer.toString(index)), index == 2 ? "IB/RoCE v1\n" : "RoCE v2\n");
            Files.writeString(devices.resolve(Integer.toString(index)), "eth0\n");
        }
        Port port = port(ETHERNET);
        Stub.fail("ibv_query_gid_ex", Errno.EOPNOTSUPP, 1);
        assertThat(port.gid(5)).contains(new GidEntry(5, GID, GidEntry.Type.ROCE_V2, "eth0"));
        Stub.fail("ibv_query_gid_ex", Errno.EOPNOTSUPP, 1);
        assertThat(port.gid(2)).contains(new GidEntry(2, GID, GidEntry.Type.ROCE_V1, "eth0"));
        Stub.fail("ibv_query_gid_ex", Errno.EOPNOTSUPP, 1);
        assertThat(port.gid(3)).isEmpty();
    }

    /** Of siw the library says RoCE v1, and its one GID is the interface's hardware address. */
    @ParameterizedTest
    @ValueSource(strings = {"", "ibv_query_gid_ex"})
    void gidOfIwarpIsNoAddress(String missing) throws IOException {
        Stub.transport(TRANSPORT_IWARP);
        Stub.gid(ETHERNET, 0, 0x0A00_0301, ROCE_V1, 0);
        Path attributes = classes.resolve("infiniband/stub0/ports/1/gid_attrs");
        Files.writeString(Files.createDirectories(attributes.resolve("types")).resolve("0"), "IB/RoCE v1\n");
        Files.writeString(Files.createDirectories(attributes.resolve("ndevs")).resolve("0"), "lo\n");
        Stub.fail(missing, Errno.EOPNOTSUPP, 1);
        assertThat(port(ETHERNET).gid(0)).contains(new GidEntry(0, GID, GidEntry.Type.IB, "lo"));
        assertThat(port(ETHERNET).gids()).containsExactly(new GidEntry(0, GID, GidEntry.Type.IB, "lo"));
        assertThat(port(ETHERNET).addresses())
                .contains(InetAddress.getLoopbackAddress())
                .doesNotContain(InetAddress.ofLiteral(OWN));
    }

    @Test
    void networkInterfaceIsNamed() throws SocketException {
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Stub.gid(ETHERNET, 3, 0x0A00_0301, ROCE_V2, loopback.getIndex());
        assertThat(port(ETHERNET).gid(3)).contains(new GidEntry(3, GID, GidEntry.Type.ROCE_V2, loopback.getName()));
        assertThat(port(ETHERNET).gids())
                .containsExactly(new GidEntry(3, GID, GidEntry.Type.ROCE_V2, loopback.getName()));
    }

    @Test
    void partitionKeysHaveTheirIndex() {
        Stub.pkey(INFINIBAND, 1, 0xFFFF);
        Stub.pkey(INFINIBAND, 2, 0x8001);
        Stub.pkey(INFINIBAND, 3, 0x8001);
        Port port = port(INFINIBAND);
        assertThat(port.pkeys()).containsExactly(0, 0xFFFF, 0x8001, 0x8001);
        assertThat(port.pkey(1)).isEqualTo(0xFFFF);
        assertThat(port.pkey(0)).isZero();
        assertThat(port.pkeyIndex(0x8001)).hasValue(2);
        assertThat(port.pkeyIndex(0x0001)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 8, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void indexBeyondTheTableIsRefused(int index) {
        assertThatThrownBy(() -> port(ETHERNET).gid(index))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("gid: the table of GIDs of port 1 of device stub0 has indices 0 to 7, got " + index);
        assertThatThrownBy(() -> port(INFINIBAND).pkey(index))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("partition keys of port 2 of device stub0 has indices 0 to 3, got " + index);
    }

    @Test
    void portWithoutTablesSaysSo() {
        Port port = port(BARE);
        assertThat(port.query().gidTableLength()).isZero();
        assertThat(port.query().pkeyTableLength()).isZero();
        for (var question : List.<ThrowingCallable>of(
                port::gids,
                () -> port.gid(0),
                port::pkeys,
                () -> port.pkey(0),
                () -> port.gidIndex(GID, GidEntry.Type.ROCE_V2),
                () -> port.pkeyIndex(1))) {
            assertThatThrownBy(question)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("port 3 of device stub0 has no table of ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ibv_query_port, port 1 of device stub0",
        "ibv_query_gid_ex, GID 1 of port 1 of device stub0",
        "ibv_query_pkey, partition key 1 of port 1 of device stub0",
    })
    void failureNamesWhatWasAsked(String call, String object) {
        Port port = port(ETHERNET);
        Stub.fail(call, Errno.EIO, 1);
        assertThatThrownBy(() -> {
                    if (call.equals("ibv_query_pkey")) {
                        port.pkey(1);
                    } else {
                        port.gid(1);
                    }
                })
                .isInstanceOfSatisfying(
                        ResourceException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EIO))
                .hasMessageContaining(object);
    }

    @Test
    void closedDeviceIsNotAsked() {
        Port port;
        try (StubVerbs other = new StubVerbs()) {
            port = new IbvPort(other.context(), ETHERNET, new Sysfs(classes));
            assertThat(port.query().isActive()).isTrue();
        }
        assertThatThrownBy(port::query).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(port::gids).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> port.pkey(0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void textForTheEyeIsThatOfTheTable() {
        fill();
        assertThat(DeviceEntries.of(facts()).ports().getFirst().entries())
                .filteredOn(entry -> entry.name().startsWith("GID"))
                .extracting(entry -> entry.name() + ": " + entry.value())
                .containsExactly(
                        "GID[  2]: 0000:0000:0000:0000:0000:ffff:0a00:0301, RoCE v1",
                        "GID[  5]: ::ffff:10.0.3.1, RoCE v2",
                        "GID[  7]: ::ffff:10.0.3.1, RoCE v2");
    }

    @Test
    void locationIsThatOfTheKernel() throws IOException {
        Path bus = Files.createDirectories(classes.resolve("devices/pci0000:3a/0000:3b:00.0"));
        Files.writeString(bus.resolve("numa_node"), "1\n");
        Path entry = Files.createDirectories(classes.resolve("infiniband/stub0"));
        Files.createSymbolicLink(entry.resolve("device"), bus);
        assertThat(facts().location().index()).hasValue(7);
        assertThat(facts().location().numaNode()).hasValue(1);
        assertThat(facts().location().pciAddress()).isEqualTo("0000:3b:00.0");
        Files.writeString(bus.resolve("numa_node"), "-1\n");
        assertThat(facts().location().numaNode()).isEmpty();
    }

    @Test
    void locationIsNotKnownWithoutTheKernelsFiles() {
        Stub.fail("ibv_get_device_index", Errno.EOPNOTSUPP, 1);
        DeviceFacts facts = facts();
        assertThat(facts.location().index()).isEmpty();
        assertThat(facts.location().numaNode()).isEmpty();
        assertThat(facts.location().pciAddress()).isEmpty();
    }

    /** Equal GIDs at indices that are not their places, and one of another port. */
    private static void fill() {
        Stub.gid(ETHERNET, 2, 0x0A00_0301, ROCE_V1, 0);
        Stub.gid(ETHERNET, 5, 0x0A00_0301, ROCE_V2, 0);
        Stub.gid(ETHERNET, 7, 0x0A00_0301, ROCE_V2, 0);
        Stub.gid(INFINIBAND, 1, 0x0A00_0301, 0, 0);
    }

    private Port port(int number) {
        return new IbvPort(verbs.context(), number, new Sysfs(classes));
    }

    private DeviceFacts facts() {
        MemorySegment context = verbs.context().handle();
        return DeviceQuery.of(context, new Sysfs(classes));
    }
}
