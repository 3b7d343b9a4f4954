package org.panamaverbs.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.device.Gid;

class GrhViewTest {
    // Made with Python's struct and ipaddress.
    private static final String IPV6 =
            "62854321 0054 11 3f fd000003000000000000000000000001 fd000003000000000000000000000002";
    private static final String IPV4 = "45280068 12344000 3f11 0f27 0a000301 0a000302";
    private static final String ZEROS = "00".repeat(20);

    private static GrhView view(String hex) {
        byte[] octets = HexFormat.of().parseHex("ee" + hex.replace(" ", ""));
        return new GrhView().wrap(MemorySegment.ofArray(octets), 1);
    }

    private static Gid gid(String address) {
        return Gid.of(InetAddress.ofLiteral(address));
    }

    @Test
    void readsAGlobalRouteHeader() {
        GrhView view = view(IPV6);
        assertThat(view.isIpv4()).isFalse();
        assertThat(view.trafficClass()).isEqualTo(0x28);
        assertThat(view.flowLabel()).isEqualTo(0x54321);
        assertThat(view.payloadBytes()).isEqualTo(84);
        assertThat(view.nextHeader()).isEqualTo(17);
        assertThat(view.hopLimit()).isEqualTo(63);
        assertThat(view.source()).isEqualTo(gid("fd00:3::1"));
        assertThat(view.destination()).isEqualTo(gid("fd00:3::2"));
        assertThat(view.isMulticast()).isFalse();
        assertThat(view)
                .hasToString(
                        "fd00:3::1 to fd00:3::2, traffic class 40, flow label 0x54321, 63 hops left, next header 17,"
                                + " 84 bytes");
    }

    @Test
    void readsAnIpv4HeaderInItsPlace() {
        GrhView view = view(ZEROS + IPV4);
        assertThat(view.isIpv4()).isTrue();
        assertThat(view.trafficClass()).isEqualTo(0x28);
        assertThat(view.flowLabel()).isZero();
        assertThat(view.payloadBytes()).isEqualTo(84);
        assertThat(view.nextHeader()).isEqualTo(17);
        assertThat(view.hopLimit()).isEqualTo(63);
        assertThat(view.source()).isEqualTo(gid("10.0.3.1"));
        assertThat(view.destination()).isEqualTo(gid("10.0.3.2"));
        assertThat(view.isMulticast()).isFalse();
    }

    /** As devices leave it that write nothing there, in a receive that had a global route header before. */
    @Test
    void findsAnIpv4HeaderBehindWhatLooksLikeAnotherBySum() {
        String former = IPV6.replace(" ", "").substring(0, 40);
        assertThat(view(former + IPV4).isIpv4()).isTrue();
        assertThat(view(former + IPV4.replace("3f11", "3e11")).isIpv4())
                .as("a wrong sum")
                .isFalse();
    }

    @Test
    void comparesItsSourceWithoutAnObject() {
        for (GrhView view : new GrhView[] {view(ZEROS + IPV4), view(IPV6)}) {
            assertThat(view.isFrom(view.source())).isTrue();
            assertThat(view.isFrom(view.destination())).isFalse();
            assertThat(new Gid(view.sourceSubnetPrefix(), view.sourceInterfaceId()))
                    .isEqualTo(view.source());
        }
    }

    @Test
    void knowsMulticastGroups() {
        assertThat(view(ZEROS + IPV4.replace("0a000302", "ef010203")).isMulticast())
                .isTrue();
        assertThat(view(IPV6.replace("fd000003000000000000000000000002", "ff0e000000000000000000000e010203"))
                        .isMulticast())
                .isTrue();
    }

    @Test
    void isLaidOverOctetsThatAreThere() {
        MemorySegment memory = MemorySegment.ofArray(new byte[41]);
        GrhView view = new GrhView();
        assertThat(view.wrap(memory, 1)).isSameAs(view);
        assertThatThrownBy(() -> view.wrap(memory, 2)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> view.wrap(memory, -1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void isCopiedAsItIs() {
        byte[] copy = new byte[GrhView.BYTES];
        view(IPV6).copyTo(MemorySegment.ofArray(copy));
        assertThat(copy).isEqualTo(HexFormat.of().parseHex(IPV6.replace(" ", "")));
    }
}
