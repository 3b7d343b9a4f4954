package org.panamaverbs.iwarp.engine.cm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.panamaverbs.iwarp.engine.cm.HalfOpenPeers.Source;

class HalfOpenPeersTest {
    private static final long GRACE = 100;

    private final HalfOpenPeers<String> peers = new HalfOpenPeers<>(4, GRACE);

    private void add(String peer, String address, long now) throws UnknownHostException {
        peers.add(peer, InetAddress.getByName(address), now);
    }

    @Test
    void theOldestOfTheGreatestSourceGoesFirst() throws Exception {
        add("old and alone", "192.0.2.1", 1);
        add("attacker 1", "192.0.2.66", 2);
        add("attacker 2", "192.0.2.66", 3);
        assertThat(peers.isFull()).isFalse();
        add("young", "192.0.2.2", 4);

        assertThat(peers.isFull()).isTrue();
        assertThat(peers.next()).isEqualTo("attacker 1");
        assertThat(peers.nextNanos()).isEqualTo(2 + GRACE);
        assertThat(peers.remove("attacker 1")).isTrue();
        assertThat(peers.next()).as("all hold one").isEqualTo("old and alone");
    }

    @Test
    void aSourceNeverLosesItsOnlyPlaceToAGreaterOne() throws Exception {
        add("honest", "192.0.2.1", 0);
        for (int i = 1; i < 1000; i++) {
            if (peers.isFull()) {
                String next = Objects.requireNonNull(peers.next());
                assertThat(next).startsWith("attacker");
                assertThat(peers.remove(next)).isTrue();
            }
            add("attacker " + i, "192.0.2.66", i);
        }
        assertThat(peers.contains("honest")).isTrue();
        assertThat(peers.all()).containsExactly("honest", "attacker 997", "attacker 998", "attacker 999");
    }

    @Test
    void forgetsWhoIsGone() throws Exception {
        add("one", "192.0.2.1", 5);
        assertThat(peers.remove("one")).isTrue();
        assertThat(peers.remove("one")).isFalse();
        assertThat(peers.contains("one")).isFalse();
        assertThat(peers.next()).isNull();
        add("two", "192.0.2.2", 6);
        add("three", "192.0.2.1", 7);
        add("four", "192.0.2.1", 8);
        assertThat(peers.next()).isEqualTo("three");
    }

    @Test
    void aSiteOfIpv6IsOneSource() throws Exception {
        Source site = Source.of(InetAddress.getByName("2001:db8:1:2::1"));

        assertThat(Source.of(InetAddress.getByName("2001:db8:1:2:ffff::9"))).isEqualTo(site);
        assertThat(Source.of(InetAddress.getByName("2001:db8:1:3::1"))).isNotEqualTo(site);
        assertThat(Source.of(InetAddress.getByName("::c000:201")))
                .isNotEqualTo(Source.of(InetAddress.getByName("192.0.2.1")));
    }
}
