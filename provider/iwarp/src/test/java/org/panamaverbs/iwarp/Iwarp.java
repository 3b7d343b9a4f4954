package org.panamaverbs.iwarp;

import java.net.InetSocketAddress;
import java.util.SplittableRandom;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.testkit.ProviderUnderTest;

/** The provider {@code iwarp} in one of its progress modes, both sides in this process. */
abstract class Iwarp implements ProviderUnderTest {
    private final String progress;

    private Iwarp(String progress) {
        this.progress = progress;
    }

    @Override
    public String title() {
        return "iwarp (" + progress + ")";
    }

    @Override
    public Verbs openA() {
        return Verbs.open(OpenConfig.provider("iwarp").with("progress", progress));
    }

    /** Progress is made by a thread of the provider's. */
    static final class Background extends Iwarp {
        Background() {
            super("background");
        }
    }

    /** Progress is made by who polls. */
    static final class Spin extends Iwarp {
        Spin() {
            super("spin");
        }

        @Override
        public boolean servesWithoutPolling() {
            return false;
        }
    }

    /** Through a {@link Relay}, with FPDUs that are small. */
    static final class Relayed extends Iwarp {
        private final SplittableRandom random = new SplittableRandom(Long.getLong("relay.seed", 5040));

        Relayed() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (relayed)";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("iwarp").with("fpdu.max", "700"));
        }

        @Override
        public InetSocketAddress connectAddress(InetSocketAddress listening) {
            return Relay.to(listening, random.split());
        }
    }
}
