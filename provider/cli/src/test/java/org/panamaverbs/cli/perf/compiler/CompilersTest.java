package org.panamaverbs.cli.perf.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.panamaverbs.api.Deadline;

class CompilersTest {
    /** Is loaded again and again, each time as a class that nobody has compiled. */
    static final class Hot implements IntUnaryOperator {
        Hot() {}

        @Override
        public int applyAsInt(int times) {
            int sum = 0;
            for (int i = 0; i < times; i++) {
                sum = sum * 31 + i;
            }
            return sum;
        }
    }

    @Test
    void workWhileSomethingIsCompiled() throws Exception {
        Compilers compilers = Compilers.ofThisVirtualMachine();
        byte[] octets;
        try (InputStream in = CompilersTest.class.getResourceAsStream("CompilersTest$Hot.class")) {
            assertThat(in).isNotNull();
            octets = in.readAllBytes();
        }
        long before = compilers.busyNanos();
        int sum = 0;
        Deadline patience = Deadline.in(30, TimeUnit.SECONDS);
        while (compilers.busyNanos() == before && !patience.passed()) {
            sum += runHot(octets);
        }

        assertThat(compilers.busyNanos()).as("with the sum %s", sum).isGreaterThan(before);
    }

    private static int runHot(byte[] octets) throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.lookup().defineHiddenClass(octets, true);
        IntUnaryOperator hot =
                (IntUnaryOperator) lookup.lookupClass().getDeclaredConstructor().newInstance();
        int sum = 0;
        for (int i = 0; i < 20_000; i++) {
            sum += hot.applyAsInt(20);
        }
        return sum;
    }

    @Test
    void areNotKnownToBeIdleAtTheFirstLook() {
        assertThat(Compilers.ofThisVirtualMachine().idleForASecond()).isFalse();
    }
}
