package org.panamaverbs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.memory.Access;
import org.panamaverbs.memory.Resources;

/** The base of all conformance classes: opens devices and connected pairs, closes them after each test. */
@ExtendWith(ConformanceExtension.class)
@Timeout(120)
public abstract class Conformance {
    private final Resources resources = new Resources();
    private final Poller poller = new Poller();
    private final Set<String> devices = new TreeSet<>();
    private @Nullable ProviderUnderTest provider;

    /** For subclasses. */
    protected Conformance() {}

    /** Returns what the test runs on. */
    protected final ProviderUnderTest provider() {
        return Objects.requireNonNull(provider, "the class lacks @RunsOn");
    }

    /** Returns what is closed after the test. */
    protected final Resources resources() {
        return resources;
    }

    /** Returns what polls both sides. */
    protected final Poller poller() {
        return poller;
    }

    /** Opens side A's device. */
    protected final Verbs openA() {
        return opened(provider().openA());
    }

    /** Opens side B's device. */
    protected final Verbs openB() {
        return opened(provider().openB());
    }

    /**
     * Opens side A with domain, queue and buffer, not connected; skips the test if it lacks one of {@code features}.
     */
    protected final Endpoint sideA(Feature... features) {
        return side(openA(), PairConfig.defaults(), features);
    }

    /**
     * Opens side B with domain, queue and buffer, not connected; skips the test if it lacks one of {@code features}.
     */
    protected final Endpoint sideB(Feature... features) {
        return side(openB(), PairConfig.defaults(), features);
    }

    /** Opens both sides and connects them; skips the test if one lacks one of {@code features}. */
    protected final ConnectedPair pair(Feature... features) {
        return pair(PairConfig.defaults(), features);
    }

    /**
     * Opens both sides and connects them as {@code config} says; skips the test if one lacks one of {@code features}.
     */
    protected final ConnectedPair pair(PairConfig config, Feature... features) {
        return new ConnectedPair(
                provider(),
                resources,
                poller,
                side(openA(), config, features),
                side(openB(), config, features),
                config);
    }

    /** Skips the test unless {@code verbs} has all {@code features}. */
    protected static void requires(Verbs verbs, Feature... features) {
        for (Feature feature : features) {
            requires(verbs.capabilities().has(feature), verbs, "lacks " + feature);
        }
    }

    /** Skips the test unless {@code condition}, saying of the device {@code otherwise}. */
    protected static void requires(boolean condition, Verbs verbs, String otherwise) {
        Assumptions.assumeTrue(condition, () -> "device " + verbs.device().name() + " " + otherwise);
    }

    /** Skips the test if a side is known to break {@code guarantee}. */
    protected final void guaranteed(ConnectedPair pair, Guarantee guarantee) {
        for (Endpoint side : List.of(pair.a(), pair.b())) {
            requires(side.keeps(guarantee), side.verbs(), "does not keep " + guarantee + ": " + guarantee.otherwise());
        }
    }

    /** Skips the test if the device {@code verbs} is known to break {@code guarantee}. */
    protected final void guaranteed(Verbs verbs, Guarantee guarantee) {
        boolean kept = !missing(verbs).contains(guarantee);
        requires(kept, verbs, "does not keep " + guarantee + ": " + guarantee.otherwise());
    }

    /** Registers memory of {@code side} with guards around it. */
    protected final GuardedBuffer guarded(Endpoint side, long bytes, Access... access) {
        return GuardedBuffer.register(resources, side.domain(), bytes, access);
    }

    /** Runs {@code work} on another thread while both sides are polled. */
    protected final <T> T whilePolling(String what, Callable<T> work) {
        return poller.whilePolling(what, work);
    }

    /** Disconnects {@code end} while both sides are polled, and fails unless it is disconnected then. */
    protected final void disconnect(Connection end) {
        boolean connected = whilePolling("disconnect", () -> {
            end.disconnect(Waits.deadline());
            return end.isConnected();
        });
        assertThat(connected).isFalse();
    }

    /** Fails unless {@code status} says that the request was accepted. */
    protected static void accepted(int status) {
        Posts.accepted(status);
    }

    @AfterEach
    void closeEverything() {
        resources.close();
    }

    final void runOn(ProviderUnderTest tested) {
        provider = tested;
    }

    final Set<String> devices() {
        return devices;
    }

    private Endpoint side(Verbs verbs, PairConfig config, Feature... features) {
        requires(verbs, features);
        return new Endpoint(verbs, missing(verbs), resources, poller, config);
    }

    private Set<Guarantee> missing(Verbs verbs) {
        return Guarantee.missing(provider().broken(verbs), verbs.device().transport());
    }

    private Verbs opened(Verbs verbs) {
        resources.add(verbs);
        devices.add(verbs.provider() + ":" + verbs.device().name());
        return verbs;
    }
}
