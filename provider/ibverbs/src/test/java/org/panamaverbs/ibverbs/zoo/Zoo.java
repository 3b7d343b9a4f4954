package org.panamaverbs.ibverbs.zoo;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.ibverbs.IbverbsProvider;
import org.panamaverbs.stub.StubLibrary;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;

/**
 * The devices of the library that {@link StubLibrary#compileZoo} makes: both sides of a test are one of them. It is the
 * libibverbs and the librdmacm of this process from the first use of this class on, so that its tests need a process of
 * their own: they end in {@code OverZooTest}.
 */
abstract class Zoo implements ProviderUnderTest {
    private static final String ABSENCE = install();

    private final String device;
    private final int number;

    /** A device with the addresses 127.0.9.NUMBER and fd00::9:NUMBER, as cm.c of the zoo has it. */
    private Zoo(String device, int number) {
        this.device = device;
        this.number = number;
    }

    @Override
    public String title() {
        return "ibverbs over the zoo's " + device;
    }

    @Override
    public Optional<String> missing() {
        return ABSENCE.isEmpty() ? Optional.empty() : Optional.of("no zoo of libibverbs and librdmacm: " + ABSENCE);
    }

    @Override
    public Verbs openA() {
        // Not by Verbs.open, which asks for the files of the kernel's devices first.
        return new IbverbsProvider().open(OpenConfig.provider("ibverbs").withDevice(device), "a test");
    }

    @Override
    public InetSocketAddress listenAddress() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.9." + number), 0);
    }

    @Override
    public Optional<InetSocketAddress> listenAddressV6() {
        return Optional.of(new InetSocketAddress(InetAddress.ofLiteral("fd00::9:" + number), 0));
    }

    // The provider asks for a place more than it is asked for, and drivers round up.
    @Override
    public Set<Guarantee> broken(Verbs verbs) {
        return Set.of(Guarantee.EXACT_DEPTHS);
    }

    // Of the kernel's connection manager no device has the Terminate.
    @Override
    public boolean reportsTerminate() {
        return false;
    }

    private static String install() {
        try {
            String library = StubLibrary.compileZoo(Path.of("target", "zoo")).toString();
            System.setProperty("verbs.libibverbs", library);
            System.setProperty("verbs.librdmacm", library);
            return "";
        } catch (StubLibrary.UnavailableException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            throw new AssertionError("cannot compile the zoo", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while compiling the zoo", e);
        }
    }

    /** What the InfiniBand Architecture describes. */
    static final class Roce extends Zoo {
        Roce() {
            super("roce0", 1);
        }
    }

    /** What the RFCs of iWARP describe. */
    static final class Iwarp extends Zoo {
        Iwarp() {
            super("iwarp0", 2);
        }
    }
}
