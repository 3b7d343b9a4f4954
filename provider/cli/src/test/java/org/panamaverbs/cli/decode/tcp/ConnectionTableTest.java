package org.panamaverbs.cli.decode.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConnectionTableTest {
    private static final int SYN = 2;
    private static final int ACK = 16;

    private final List<String> log = new ArrayList<>();
    private boolean wanted = true;
    private final ConnectionTable table = new ConnectionTable(Recorder::new, new Budget(1 << 20));

    /** Writes down what happens to a connection. */
    private final class Recorder implements Conversation {
        private final Endpoint opener;

        Recorder(Endpoint opener, Endpoint other, Link link) {
            this.opener = opener;
            log.add("met " + opener.port() + ">" + other.port());
        }

        @Override
        public StreamSink sink(boolean fromOpener) {
            return new StreamSink() {
                @Override
                public void begins(boolean fromStart) {}

                @Override
                public void octets(byte[] octets, int offset, int length, long frame, long timeNanos) {
                    log.add(opener.port() + (fromOpener ? " > " : " < ") + length);
                }

                @Override
                public void missing(long count, long frame, long timeNanos, Gap gap) {}

                @Override
                public void lags(boolean now) {}

                @Override
                public void closed(long frame, long timeNanos) {}

                @Override
                public void reset(long frame, long timeNanos) {}
            };
        }

        @Override
        public boolean wanted() {
            return wanted;
        }

        @Override
        public void finish() {
            log.add("end " + opener.port());
        }
    }

    private void segment(int from, int to, int sequence, int flags, int length) {
        segment(Link.NONE, from, to, sequence, flags, length);
    }

    private void segment(Link link, int from, int to, int sequence, int flags, int length) {
        Endpoint source = new Endpoint(false, 0, from, from);
        Endpoint target = new Endpoint(false, 0, to, to);
        table.segment(new TcpSegment(
                new TcpSegment.Arrival(1, 1, link),
                source,
                target,
                sequence,
                0,
                flags,
                new TcpSegment.Payload(new byte[length], 0, length, length)));
    }

    @Test
    void knowsWhoOpened() {
        segment(7, 3, 1, SYN, 0);
        segment(3, 7, 5, SYN | ACK, 0);
        segment(3, 7, 6, ACK, 10);
        segment(2, 8, 5, SYN | ACK, 0);
        segment(8, 2, 100, ACK, 11);

        assertThat(log).containsExactly("met 7>3", "7 < 10", "met 8>2", "8 > 11");
    }

    @Test
    void anAcknowledgmentAloneIsNoConnection() {
        segment(7, 3, 1, ACK, 0);

        assertThat(table.met()).isZero();
    }

    @Test
    void aNewSynIsANewConnection() {
        segment(7, 3, 1, SYN, 0);
        segment(7, 3, 1, SYN, 0);
        segment(7, 3, 2, ACK, 4);
        segment(7, 3, 1000, SYN, 0);
        table.finish();

        assertThat(log).containsExactly("met 7>3", "7 > 4", "end 7", "met 7>3", "end 7");
    }

    @Test
    void whatNobodyWantsIsEndedAndNotMetAgain() {
        segment(7, 3, 1, SYN, 0);
        wanted = false;
        segment(7, 3, 2, ACK, 4);
        segment(7, 3, 6, ACK, 4);
        table.finish();

        assertThat(log).containsExactly("met 7>3", "7 > 4", "end 7");
    }

    @Test
    void endsTheQuietestWhenThereAreTooMany() {
        segment(70_000, 3, 1, SYN, 0);
        segment(70_001, 3, 1, SYN, 0);
        segment(70_000, 3, 2, ACK, 4);
        for (int i = 2; i <= ConnectionTable.MAX_CONNECTIONS; i++) {
            segment(70_000 + i, 3, 1, SYN, 0);
        }

        assertThat(table.evicted()).isEqualTo(1);
        assertThat(log).contains("end 70001").doesNotContain("end 70000");
    }

    @Test
    void endsTheEldestOfTooManyThatAreAlike() {
        for (int i = 0; i < 66; i++) {
            segment(new Link(i, 0, List.of()), 7, 3, i << 24, SYN, 0);
        }
        segment(new Link(0, 0, List.of()), 7, 3, 1, ACK, 4);
        segment(new Link(2, 0, List.of()), 7, 3, (2 << 24) + 1, ACK, 4);

        assertThat(table.met()).isEqualTo(66);
        assertThat(table.evicted()).isEqualTo(2);
        assertThat(log).containsOnlyOnce("7 > 4").endsWith("7 > 4");
    }

    @Test
    void aConnectionOnTwoLinksIsEndedOnce() {
        Link other = new Link(1, 0, List.of());
        segment(7, 3, 1, SYN, 0);
        segment(other, 7, 3, 1, SYN, 0);
        segment(7, 3, 1000, SYN, 0);
        segment(other, 7, 3, 2, ACK, 4); // late, of the one that is over
        segment(other, 7, 3, 1000, SYN, 0);
        segment(other, 7, 3, 1001, ACK, 5);
        table.finish();

        assertThat(log).containsExactly("met 7>3", "end 7", "met 7>3", "7 > 5", "end 7");
    }
}
