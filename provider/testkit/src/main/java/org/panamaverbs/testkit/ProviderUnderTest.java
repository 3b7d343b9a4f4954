package org.panamaverbs.testkit;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import org.panamaverbs.api.Verbs;

/**
 * What the suite runs on: two devices that reach each other. They may be the same device opened twice, or devices of
 * two providers, so that one implementation is tested against another.
 */
public interface ProviderUnderTest {
    /** Returns what the summary calls this run, for example {@code iwarp (spin)}. */
    String title();

    /** Returns why nothing can be run here, for example that there is no such device; empty if it can. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /** Opens the side that connects; the test closes it. */
    Verbs openA();

    /** Opens the side that listens; the test closes it. */
    default Verbs openB() {
        return openA();
    }

    /** Returns the address at which side B listens; port 0 lets the system choose. */
    default InetSocketAddress listenAddress() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    }

    /** Returns an IPv6 address at which side B can listen, empty if there is none. */
    default Optional<InetSocketAddress> listenAddressV6() {
        return Optional.of(new InetSocketAddress(InetAddress.ofLiteral("::1"), 0));
    }

    /** Returns where side A reaches a listener of side B that says it listens at {@code listening}. */
    default InetSocketAddress connectAddress(InetSocketAddress listening) {
        return listening;
    }

    /** Tells whether a side serves its peer's Writes, Reads and Atomics although its application never polls. */
    default boolean servesWithoutPolling() {
        return true;
    }

    /** Returns the guarantees that the device behind {@code verbs} is known to break; the fewer the better. */
    default Set<Guarantee> broken(Verbs verbs) {
        return Set.of();
    }

    /**
     * Tells whether a target's application is told of requests that were refused, by an asynchronous event and, on
     * iWARP, by the Terminate at both sides. A kernel's software devices keep them to themselves.
     */
    default boolean reportsTerminate() {
        return true;
    }
}
