package org.panamaverbs.testkit.conformance.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.testkit.ApiCase;
import org.panamaverbs.testkit.Conformance;

/** Where a device is on the fabric: its ports and their tables. */
@ApiCase
public abstract class PortConformance extends Conformance {
    private static final int MAX_LID = 0xFFFF;
    private static final int MAX_LMC = 7;

    /** For subclasses. */
    protected PortConformance() {}

    @Test
    void portsAreThoseOfTheDescription() {
        Verbs verbs = openA();
        for (DeviceInfo.Port described : verbs.device().ports()) {
            Port port = verbs.port(described.number());
            PortAttributes attributes = port.query();
            assertThat(port.number()).isEqualTo(described.number());
            assertThat(attributes.isActive()).isEqualTo(described.active());
            assertThat(attributes.activeMtuBytes()).isEqualTo(described.mtuBytes());
            assertThat(attributes.maxMtuBytes()).isGreaterThanOrEqualTo(attributes.activeMtuBytes());
            assertThat(attributes.lid()).isBetween(0, MAX_LID);
            assertThat(attributes.smLid()).isBetween(0, MAX_LID);
            assertThat(attributes.lmc()).isBetween(0, MAX_LMC);
            assertThat(attributes.activeWidth()).isIn(0, 1, 2, 4, 8, 12);
            assertThat(attributes.gidTableLength()).isNotNegative();
            assertThat(attributes.pkeyTableLength()).isBetween(0, MAX_LID);
        }
    }

    /** The state is asked for, and not that of the time when the port was got or the device opened. */
    @Test
    void eachQueryIsOfNow() {
        Verbs verbs = openA();
        Verbs other = openA();
        for (Port port : ports(verbs).toList()) {
            PortAttributes before = port.query();
            assertThat(other.port(port.number()).query()).isEqualTo(before);
            assertThat(port.query()).isEqualTo(before).isNotSameAs(before);
        }
    }

    @Test
    void portThatIsNotThereIsRefusedByName() {
        Verbs verbs = openA();
        List<Integer> numbers =
                verbs.device().ports().stream().map(DeviceInfo.Port::number).toList();
        int beyond = numbers.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        for (int number : new int[] {0, -1, beyond, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> verbs.port(number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(verbs.device().name())
                    .hasMessageContaining("no port " + number)
                    .hasMessageContaining(numbers.toString());
        }
    }

    @Test
    void peersReachItByOneOfItsAddresses() {
        Verbs verbs = openB();
        InetAddress wanted = provider().listenAddress().getAddress();
        requires(verbs.device().transport() != Transport.INFINIBAND, verbs, "does not tell IP addresses");
        requires(!wanted.isAnyLocalAddress(), verbs, "listens at any address");
        assertThat(ports(verbs).flatMap(port -> port.addresses().stream())).contains(wanted);
    }

    @Test
    void gidAskedByItsIndexIsTheOneOfTheTable() {
        Verbs verbs = openA();
        List<Port> ports = withGids(verbs);
        for (Port port : ports) {
            List<GidEntry> table = port.gids();
            assertThat(table).extracting(GidEntry::index).isSorted().doesNotHaveDuplicates();
            for (GidEntry entry : table) {
                assertThat(entry.gid().isZero()).isFalse();
                assertThat(port.gid(entry.index())).contains(entry);
                int first = port.gidIndex(entry.gid(), entry.type()).orElseThrow();
                assertThat(first).isLessThanOrEqualTo(entry.index());
                assertThat(port.gid(first).map(GidEntry::gid)).contains(entry.gid());
            }
            // A slot is in the list or empty; the last as well as those beside the entries.
            int length = port.query().gidTableLength();
            Stream.concat(
                            Stream.of(0, length - 1),
                            table.stream().flatMap(entry -> Stream.of(entry.index() - 1, entry.index() + 1)))
                    .filter(index -> index >= 0 && index < length)
                    .distinct()
                    .forEach(index -> assertThat(port.gid(index))
                            .isEqualTo(table.stream()
                                    .filter(entry -> entry.index() == index)
                                    .findFirst()));
            assertThat(port.gidIndex(new Gid(0, 0), GidEntry.Type.IB)).isEmpty();
        }
    }

    @Test
    void gidBeyondTheTableIsRefused() {
        Verbs verbs = openA();
        for (Port port : withGids(verbs)) {
            int length = port.query().gidTableLength();
            for (int index : new int[] {-1, length, Integer.MAX_VALUE}) {
                refuses(verbs, IllegalArgumentException.class, () -> port.gid(index));
            }
        }
    }

    @Test
    void partitionKeyAskedByItsIndexIsTheOneOfTheTable() {
        Verbs verbs = openA();
        for (Port port : withKeys(verbs)) {
            int[] keys = port.pkeys();
            assertThat(keys).hasSize(port.query().pkeyTableLength());
            for (int index = 0; index < keys.length; index++) {
                assertThat(port.pkey(index)).isEqualTo(keys[index]).isBetween(0, MAX_LID);
                int first = port.pkeyIndex(keys[index]).orElseThrow();
                assertThat(first).isLessThanOrEqualTo(index);
                assertThat(keys[first]).isEqualTo(keys[index]);
            }
            assertThat(port.pkeyIndex(-1)).isEmpty();
        }
    }

    @Test
    void partitionKeyBeyondTheTableIsRefused() {
        Verbs verbs = openA();
        for (Port port : withKeys(verbs)) {
            int length = port.query().pkeyTableLength();
            for (int index : new int[] {-1, length, Integer.MAX_VALUE}) {
                refuses(verbs, IllegalArgumentException.class, () -> port.pkey(index));
            }
        }
    }

    @Test
    void tableThatIsNotThereIsRefusedByName() {
        Verbs verbs = openA();
        List<Port> lacking = ports(verbs)
                .filter(port ->
                        port.query().gidTableLength() == 0 || port.query().pkeyTableLength() == 0)
                .toList();
        requires(!lacking.isEmpty(), verbs, "has every table");
        for (Port port : lacking) {
            if (port.query().gidTableLength() == 0) {
                refuses(verbs, UnsupportedOperationException.class, port::gids);
                refuses(verbs, UnsupportedOperationException.class, () -> port.gid(0));
                refuses(
                        verbs,
                        UnsupportedOperationException.class,
                        () -> port.gidIndex(new Gid(0, 1), GidEntry.Type.ROCE_V2));
            }
            if (port.query().pkeyTableLength() == 0) {
                refuses(verbs, UnsupportedOperationException.class, port::pkeys);
                refuses(verbs, UnsupportedOperationException.class, () -> port.pkey(0));
                refuses(verbs, UnsupportedOperationException.class, () -> port.pkeyIndex(MAX_LID));
            }
        }
    }

    @Test
    void deviceSaysWhereItIsInItsMachine() {
        DeviceInfo.Location location = openA().device().location();
        assertThat(location.index().orElse(0)).isNotNegative();
        assertThat(location.numaNode().orElse(0)).isNotNegative();
        assertThat(location.pciAddress()).matches("|[0-9a-f]+:[0-9a-f]+:[0-9a-f]+\\.[0-7]");
    }

    private static void refuses(Verbs verbs, Class<? extends RuntimeException> type, ThrowingCallable question) {
        assertThatThrownBy(question)
                .isInstanceOf(type)
                .hasMessageContaining("port ")
                .hasMessageContaining(verbs.device().name());
    }

    private static Stream<Port> ports(Verbs verbs) {
        return verbs.device().ports().stream().map(port -> verbs.port(port.number()));
    }

    private static List<Port> withGids(Verbs verbs) {
        List<Port> found =
                ports(verbs).filter(port -> port.query().gidTableLength() > 0).toList();
        requires(!found.isEmpty(), verbs, "has no table of GIDs");
        return found;
    }

    private static List<Port> withKeys(Verbs verbs) {
        List<Port> found =
                ports(verbs).filter(port -> port.query().pkeyTableLength() > 0).toList();
        requires(!found.isEmpty(), verbs, "has no table of partition keys");
        return found;
    }
}
