package org.panamaverbs.iwarp.engine.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which number a network interface has as a port. */
class PortNumbersTest {
    private record Interface(int index, boolean loopback) {}

    private static final Interface LOOPBACK = new Interface(1, true);
    private static final Interface FIRST = new Interface(4, false);
    private static final Interface SECOND = new Interface(7, false);

    private final PortNumbers numbers = new PortNumbers();

    private List<Integer> numbered(Interface... present) {
        return numbers.of(List.of(present), Interface::index, Interface::loopback);
    }

    @Test
    void loopbackIsLast() {
        assertThat(numbered(LOOPBACK, SECOND, FIRST)).containsExactly(3, 2, 1);
    }

    @Test
    void loopbackIsTheFirstWhereItIsAlone() {
        assertThat(numbered(LOOPBACK)).containsExactly(1);
    }

    @Test
    void numberStaysWhenOthersComeAndGo() {
        assertThat(numbered(FIRST, LOOPBACK)).containsExactly(1, 2);
        assertThat(numbered(LOOPBACK)).containsExactly(2);
        assertThat(numbered(LOOPBACK, SECOND)).containsExactly(2, 3);
        assertThat(numbered(SECOND, FIRST, LOOPBACK)).containsExactly(3, 1, 2);
    }
}
