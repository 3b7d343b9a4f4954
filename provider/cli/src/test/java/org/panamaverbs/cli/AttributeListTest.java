package org.panamaverbs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.cli.command.JsonWriter;

class AttributeListTest {
    private static final DeviceAttributes ATTRIBUTES = new DeviceAttributes(
            List.of(
                    new Entry("", "hca_id", "rxe0", List.of()),
                    new Entry("", "device_cap_flags", "0x00000006", List.of("BAD_PKEY_CNTR", "BAD_QKEY_CNTR")),
                    new Entry("tso_caps", "max_tso", "0", List.of()),
                    new Entry("", "rc_odp_caps", "", List.of("NO SUPPORT"))),
            List.of(new DeviceAttributes.Port(
                    1, List.of(new Entry("", "GID[  0]", "::ffff:10.0.3.1, RoCE v2", List.of())))));

    @Test
    void printsValuesUnderTheirHeadingsAndFlagsUnderTheirValues() {
        StringWriter text = new StringWriter();
        AttributeList.print(ATTRIBUTES, new PrintWriter(text));
        assertThat(text.toString().lines())
                .containsExactly(
                        "        the provider says:",
                        "          hca_id:                  rxe0",
                        "          device_cap_flags:        0x00000006",
                        "            BAD_PKEY_CNTR",
                        "            BAD_QKEY_CNTR",
                        "          tso_caps:",
                        "            max_tso:               0",
                        "          rc_odp_caps:",
                        "            NO SUPPORT",
                        "          port: 1",
                        "            GID[  0]:              ::ffff:10.0.3.1, RoCE v2");
    }

    @Test
    void printsNothingWhereThereIsNothing() {
        StringWriter text = new StringWriter();
        AttributeList.print(DeviceAttributes.EMPTY, new PrintWriter(text));
        assertThat(text.toString()).isEmpty();
    }

    @Test
    void jsonKeepsTheOrder() {
        JsonWriter writer = new JsonWriter().object();
        AttributeList.json(ATTRIBUTES, writer);
        String compact = writer.end().toString().replaceAll("\\n *", "");
        assertThat(compact)
                .startsWith("{\"attributes\": {\"device\": [{\"name\": \"hca_id\",\"value\": \"rxe0\"},"
                        + "{\"name\": \"device_cap_flags\",\"value\": \"0x00000006\","
                        + "\"flags\": [\"BAD_PKEY_CNTR\",\"BAD_QKEY_CNTR\"]},"
                        + "{\"group\": \"tso_caps\",\"name\": \"max_tso\",\"value\": \"0\"}")
                .endsWith("\"ports\": [{\"number\": 1,\"entries\": ["
                        + "{\"name\": \"GID[  0]\",\"value\": \"::ffff:10.0.3.1, RoCE v2\"}]}]}}");
    }
}
