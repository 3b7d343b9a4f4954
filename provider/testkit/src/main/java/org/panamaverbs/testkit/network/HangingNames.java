package org.panamaverbs.testkit.network;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * The system's resolver, which does not answer for some names, as with name servers that are gone. In use where the
 * tests' resources name it as a service of the JDK. For one test at a time.
 */
public final class HangingNames extends InetAddressResolverProvider {
    private static final String SUFFIX = ".hanging.invalid";

    private static final AtomicInteger NAMES = new AtomicInteger();
    private static final AtomicInteger LOOKUPS = new AtomicInteger();
    private static volatile CountDownLatch answer = new CountDownLatch(1);

    /** For the JDK, which finds it as a service. */
    public HangingNames() {
        // All its state is the process's.
    }

    /**
     * Returns a name whose lookups hang until they are released, and counts them from 0. Each is new, since the JDK
     * remembers that a name is unknown.
     */
    public static String hang() {
        LOOKUPS.set(0);
        answer = new CountDownLatch(1);
        return "host" + NAMES.incrementAndGet() + SUFFIX;
    }

    /** Ends all lookups that hang: the name is unknown. */
    public static void release() {
        answer.countDown();
    }

    /** Returns how many lookups have hung. */
    public static int lookups() {
        return LOOKUPS.get();
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver builtIn = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (host.endsWith(SUFFIX)) {
                    LOOKUPS.incrementAndGet();
                    awaitRelease();
                    throw new UnknownHostException(host);
                }
                return builtIn.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return builtIn.lookupByAddress(address);
            }
        };
    }

    @Override
    public String name() {
        return "the system's, which hangs for *" + SUFFIX;
    }

    // As native code, which no interrupt reaches.
    private static void awaitRelease() {
        CountDownLatch released = answer;
        boolean interrupted = false;
        while (released.getCount() > 0) {
            try {
                released.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
