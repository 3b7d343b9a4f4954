package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.DeviceInfo.Location;
import org.panamaverbs.api.device.DeviceInfo.Transport;
import org.panamaverbs.api.device.Gid;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;
import org.panamaverbs.cli.command.JsonWriter;

class PortListTest {
    private static final Gid GID = Gid.of(InetAddress.ofLiteral("10.0.3.1"));
    private static final Location LOCATION = new Location(OptionalInt.of(3), OptionalInt.of(1), "0000:3b:00.0");

    private static final Port ROCE = new Answering(
            1,
            new PortAttributes(State.ACTIVE, LinkLayer.ETHERNET, 4096, 1024, 0, 0, 0, 8, 1, 4, Speed.EDR),
            List.of(InetAddress.ofLiteral("10.0.3.1")),
            List.of(
                    new GidEntry(2, GID, GidEntry.Type.ROCE_V1, "eth0"),
                    new GidEntry(5, GID, GidEntry.Type.ROCE_V2, "eth0")),
            0xffff);
    private static final Port INFINIBAND = new Answering(
            2,
            new PortAttributes(State.ARMED, LinkLayer.INFINIBAND, 4096, 4096, 0xbeef, 3, 0xc001, 1, 4, 2, Speed.XDR),
            List.of(),
            List.of(new GidEntry(0, new Gid(0xfe80_0000_0000_0000L, 7), GidEntry.Type.IB, "")),
            0,
            0xffff,
            0,
            0x8001);
    private static final Port IWARP = new Answering(
            7,
            new PortAttributes(State.DOWN, LinkLayer.ETHERNET, 1440, 1440, 0, 0, 0, 0, 0, 0, Speed.UNKNOWN),
            List.of(),
            List.of());

    @Test
    void describesPortsThatCannotBeAskedOrHaveGoneAndSaysWhy() {
        DeviceInfo device = new DeviceInfo(
                "mlx5_0", Transport.ROCE, "", "", 0, List.of(new DeviceInfo.Port(3, true, 1024, List.of("10.0.3.1"))));
        for (RuntimeException failure : List.of(
                new ResourceException("ibv_query_port", "no such port", 5),
                new IllegalArgumentException("no such port"))) {
            PortList ports = PortList.asked(
                    () -> {
                        throw failure;
                    },
                    device);

            StringWriter text = new StringWriter();
            ports.print(new PrintWriter(text));
            assertThat(text.toString()).contains("port 3", "10.0.3.1", "not asked: ", failure.getMessage());
            JsonObject object = json(ports::json);
            assertThat(object.get("portsFailure").getAsString()).isEqualTo(failure.getMessage());
            assertThat(object.getAsJsonArray("ports")).hasSize(1);
        }
    }

    @Test
    void printsEachPortWithItsTables() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        PortList.print(LOCATION, out);
        PortList.of(List.of(ROCE, INFINIBAND, IWARP)).print(out);
        assertThat(text.toString().lines())
                .containsExactly(
                        "        index             3",
                        "        NUMA node         1",
                        "        PCI address       0000:3b:00.0",
                        "        port 1            ACTIVE, ETHERNET, MTU 1024 of 4096 bytes, 4x EDR (100.0 Gbit/s), 10.0.3.1",
                        "            GID 2             ::ffff:10.0.3.1, ROCE_V1, eth0",
                        "            GID 5             ::ffff:10.0.3.1, ROCE_V2, eth0",
                        "            P_Key 0           0xffff",
                        "        port 2            ARMED, INFINIBAND, MTU 4096 bytes, 2x XDR (400.0 Gbit/s)",
                        "            LID               0xbeef, LMC 3",
                        "            SM LID            0xc001",
                        "            GID 0             fe80::7, IB",
                        "            P_Key 1           0xffff",
                        "            P_Key 3           0x8001",
                        "        port 7            DOWN, ETHERNET, MTU 1440 bytes, no address");
    }

    @Test
    void printsNoLocationWhereThereIsNone() {
        StringWriter text = new StringWriter();
        PortList.print(Location.NONE, new PrintWriter(text));
        assertThat(text.toString()).isEmpty();
        assertThat(json(writer -> PortList.json(Location.NONE, writer))).isEqualTo(parsed("{'pciAddress': ''}"));
    }

    @Test
    void jsonHasTheIndexOfEachGid() {
        assertThat(json(writer -> {
                    PortList.json(LOCATION, writer);
                    PortList.of(List.of(ROCE)).json(writer);
                }))
                .isEqualTo(parsed("""
                        {'index': 3, 'numaNode': 1, 'pciAddress': '0000:3b:00.0', 'ports': [{
                          'number': 1, 'active': true, 'mtuBytes': 1024, 'addresses': ['10.0.3.1'],
                          'state': 'ACTIVE', 'linkLayer': 'ETHERNET', 'maxMtuBytes': 4096, 'lid': 0, 'lmc': 0, 'smLid': 0,
                          'activeWidth': 4, 'activeSpeed': 'EDR', 'activeMegabits': 100000, 'gidTableLength': 8,
                          'gids': [
                            {'index': 2, 'gid': '::ffff:10.0.3.1', 'type': 'ROCE_V1', 'networkDevice': 'eth0'},
                            {'index': 5, 'gid': '::ffff:10.0.3.1', 'type': 'ROCE_V2', 'networkDevice': 'eth0'}],
                          'pkeys': ['0xffff']}]}"""));
    }

    @Test
    void placeOfAPartitionKeyInJsonIsItsIndex() {
        JsonObject json = json(PortList.of(List.of(INFINIBAND, IWARP))::json);
        JsonObject first = json.getAsJsonArray("ports").get(0).getAsJsonObject();
        assertThat(first.get("pkeys").toString()).isEqualTo("[\"0x0000\",\"0xffff\",\"0x0000\",\"0x8001\"]");
        assertThat(first.get("lid").getAsInt()).isEqualTo(0xbeef);
        JsonObject second = json.getAsJsonArray("ports").get(1).getAsJsonObject();
        assertThat(second.get("pkeys").toString()).isEqualTo("[]");
        assertThat(second.get("gids").toString()).isEqualTo("[]");
    }

    @Test
    void deviceThatCannotBeOpenedIsDescribed() {
        DeviceInfo device = new DeviceInfo(
                "mlx5_0",
                Transport.ROCE,
                "",
                "",
                0,
                List.of(
                        new DeviceInfo.Port(1, true, 1024, List.of("::ffff:10.0.3.1", "fe80::1")),
                        new DeviceInfo.Port(2, false, 0, List.of())));
        StringWriter text = new StringWriter();
        PortList.printDescribed(device, new PrintWriter(text));
        assertThat(text.toString().lines())
                .containsExactly(
                        "        port 1            active, MTU 1024 bytes, ::ffff:10.0.3.1 fe80::1",
                        "        port 2            down, MTU 0 bytes, no address");
        assertThat(json(writer -> PortList.jsonDescribed(device, writer))).isEqualTo(parsed("""
                {'ports': [
                  {'number': 1, 'active': true, 'mtuBytes': 1024, 'addresses': ['::ffff:10.0.3.1', 'fe80::1']},
                  {'number': 2, 'active': false, 'mtuBytes': 0, 'addresses': []}]}"""));
    }

    private static JsonObject json(Consumer<JsonWriter> content) {
        JsonWriter writer = new JsonWriter().object();
        content.accept(writer);
        return parsed(writer.end().toString());
    }

    private static JsonObject parsed(String json) {
        return JsonParser.parseString(json).getAsJsonObject();
    }

    /** A port that always says the same; one without a table refuses what is asked of it. */
    private record Answering(
            int number, PortAttributes query, List<InetAddress> addresses, List<GidEntry> table, List<Integer> keys)
            implements Port {
        Answering(
                int number, PortAttributes query, List<InetAddress> addresses, List<GidEntry> table, Integer... keys) {
            this(number, query, addresses, table, List.of(keys));
        }

        @Override
        public List<GidEntry> gids() {
            if (table.isEmpty()) {
                throw new UnsupportedOperationException("no table");
            }
            return table;
        }

        @Override
        public Optional<GidEntry> gid(int index) {
            throw new UnsupportedOperationException("not asked for");
        }

        @Override
        public int[] pkeys() {
            if (keys.isEmpty()) {
                throw new UnsupportedOperationException("no table");
            }
            return keys.stream().mapToInt(Integer::intValue).toArray();
        }

        @Override
        public int pkey(int index) {
            throw new UnsupportedOperationException("not asked for");
        }
    }
}
