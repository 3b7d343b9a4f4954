package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;

class AddressHandleConfigTest {
    private static final int VALUE = 7;
    private static final List<GidEntry> OWN = List.of(
            entry(0, "fe80::1", GidEntry.Type.ROCE_V1),
            entry(2, "10.0.0.1", GidEntry.Type.ROCE_V1),
            entry(3, "10.0.0.1", GidEntry.Type.ROCE_V2),
            entry(5, "fd00::1", GidEntry.Type.ROCE_V2),
            entry(6, "fd00::1", GidEntry.Type.ROCE_V2));

    /** Each value that is set is that value and no other. */
    @ParameterizedTest
    @ValueSource(
            strings = {"lid", "gidIndex", "port", "serviceLevel", "flowLabel", "hopLimit", "trafficClass", "staticRate"
            })
    void setsWhatItIsNamedAfter(String name) throws ReflectiveOperationException {
        AddressHandleConfig before = AddressHandleConfig.to(new byte[16]);
        String wither = "with" + Character.toUpperCase(name.charAt(0)) + name.substring(1);

        Object initial = AddressHandleConfig.class.getMethod(name).invoke(before);
        Object after = AddressHandleConfig.class.getMethod(wither, int.class).invoke(before, VALUE);

        assertThat(AddressHandleConfig.class.getMethod(name).invoke(after)).isEqualTo(VALUE);
        assertThat(AddressHandleConfig.class.getMethod(wither, int.class).invoke(after, initial))
                .isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"10.0.0.9, 3", "fe80::9, 0", "fd00::9, 5"})
    void theOwnGidIsOfTheKindOfTheOther(String peer, int index) throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName(peer));
        AddressHandleConfig config = AddressHandleConfig.to(gid, new Ported(OWN));
        assertThat(config.gidIndex()).isEqualTo(index);
        assertThat(config.port()).isEqualTo(2);
        assertThat(config.gid()).isEqualTo(gid.toBytes());
    }

    @Test
    void withoutAGidOfTheKindThePortIsNamed() throws UnknownHostException {
        Gid gid = Gid.of(InetAddress.getByName("10.0.0.9"));
        List<GidEntry> own = OWN.subList(0, 1);
        assertThatThrownBy(() -> AddressHandleConfig.to(gid, new Ported(own)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("from port 2")
                .hasMessageContaining("remedy: ");
    }

    private static GidEntry entry(int index, String address, GidEntry.Type type) {
        try {
            return new GidEntry(index, Gid.of(InetAddress.getByName(address)), type, "");
        } catch (UnknownHostException e) {
            throw new AssertionError(address, e);
        }
    }

    /** A port with a GID table and nothing else. */
    private record Ported(List<GidEntry> gids) implements Port {
        @Override
        public int number() {
            return 2;
        }

        @Override
        public PortAttributes query() {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<InetAddress> addresses() {
            return List.of();
        }

        @Override
        public Optional<GidEntry> gid(int index) {
            return Optional.empty();
        }

        @Override
        public int pkey(int index) {
            return 0;
        }

        @Override
        public int[] pkeys() {
            return new int[0];
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0xBFFF})
    void aLidNeedsNoGid(int lid) {
        AddressHandleConfig config = AddressHandleConfig.toLid(lid);

        assertThat(config.gid()).isEmpty();
        assertThat(config.lid()).isEqualTo(lid);
        assertThat(config.port()).isEqualTo(1);
    }
}
