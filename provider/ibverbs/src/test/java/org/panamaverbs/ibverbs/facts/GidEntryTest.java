package org.panamaverbs.ibverbs.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidEntryTest {
    @ParameterizedTest
    @CsvSource({
        "fe80000000000000, aca51ffffe5b12b0, fe80::aca5:1fff:fe5b:12b0",
        "0000000000000000, 0000ffff0a000301, ::ffff:10.0.3.1",
        "fd00000300000000, 0000000000000001, fd00:3::1",
        "20010db800000001, 0001000100010001, 2001:db8:0:1:1:1:1:1",
        "20010db800000000, 0001000000000001, 2001:db8::1:0:0:1",
        "0000000000000000, 0000000000000000, ::",
        "0000000000000000, 0000000000000001, ::1",
        "0001000000000000, 0000000000000000, 1::",
        "5254001234560000, 0000000000000000, 5254:12:3456::",
        "0001000000020000, 0000000300000000, 1:0:2::3:0:0",
    })
    void writesAddressesAsInetNtopDoes(String prefix, String interfaceId, String text) {
        GidEntry gid = new GidEntry(
                0, Long.parseUnsignedLong(prefix, 16), Long.parseUnsignedLong(interfaceId, 16), GidEntry.ROCE_V2);
        assertThat(gid.asAddress()).isEqualTo(text);
    }
}
