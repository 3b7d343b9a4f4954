package org.panamaverbs.iwarp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.TlsConfig;
import org.panamaverbs.api.cm.TlsConfig.ClientAuthentication;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;
import org.panamaverbs.testkit.network.Relay;
import org.panamaverbs.testkit.network.Relay.Pace;
import org.panamaverbs.testkit.network.Relay.Way;

/** The provider {@code iwarp} in one of its progress modes, both sides in this process: over TCP, but for two. */
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
        return Verbs.open(OpenConfig.provider("iwarp").with("shm", "off").with("progress", progress));
    }

    /** Progress is made by a thread of the provider's. */
    static final class Background extends Iwarp {
        Background() {
            super("background");
        }
    }

    /** Without header prediction: whatever comes takes the general path. */
    static final class General extends Iwarp {
        General() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (no prediction)";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("iwarp").with("shm", "off").with("prediction", "off"));
        }
    }

    /** Over the sockets of NIO, which are not the best of every system. */
    static final class Nio extends Iwarp {
        Nio() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (NIO)";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("iwarp").with("sockets", "nio"));
        }
    }

    /** With a thread of the provider's, under TLS with certificates of both sides. */
    static final class Tls extends Iwarp {
        private final TlsConfig connecting = TlsConfig.of(TestCertificates.context(TestCertificates.CLIENT));
        private final TlsConfig listening = TlsConfig.of(TestCertificates.context(TestCertificates.SERVER))
                .withClientAuthentication(ClientAuthentication.NEED);

        Tls() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (TLS)";
        }

        @Override
        public Verbs openA() {
            return new TlsVerbs(super.openA(), connecting, listening);
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return Set.of(Guarantee.NO_GARBAGE);
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

    /** Over shared memory, with a thread of the provider's. */
    static final class Shm extends Iwarp {
        Shm() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (shared memory)";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(
                    OpenConfig.provider("iwarp").with("shm", "require").with("shm.direct", "off"));
        }
    }

    /** Over shared memory, each side's processor reaching into the other's memory where it can. */
    static final class ShmDirect extends Iwarp {
        ShmDirect() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (shared memory, direct)";
        }

        @Override
        public Verbs openA() {
            return Verbs.open(
                    OpenConfig.provider("iwarp").with("shm", "require").with("shm.direct", "on"));
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return Set.of(Guarantee.ATOMICS_UNDER_WAY);
        }
    }

    /** Over shared memory with small rings, progress being made by who polls. */
    static final class ShmSpin extends Iwarp {
        ShmSpin() {
            super("spin");
        }

        @Override
        public String title() {
            return "iwarp (shared memory, spin)";
        }

        @Override
        public boolean servesWithoutPolling() {
            return false;
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("iwarp")
                    .with("progress", "spin")
                    .with("shm", "require")
                    .with("shm.direct", "off")
                    .with("shm.ring", "16384"));
        }
    }

    /** Over shared memory between two network namespaces, made by {@code provider/lab/namespaces}. */
    static final class Namespaces extends Iwarp {
        private static final String OTHER = System.getProperty("namespaces.other", "");

        Namespaces() {
            super("background");
        }

        @Override
        public String title() {
            return "iwarp (shared memory, two network namespaces)";
        }

        @Override
        public Optional<String> missing() {
            return OTHER.isEmpty()
                    ? Optional.of("there is one network namespace; provider/lab/namespaces makes two")
                    : Optional.empty();
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.provider("iwarp")
                    .with("shm", "require")
                    .with("shm.dir", System.getProperty("namespaces.directory")));
        }

        @Override
        public Verbs openB() {
            return new NetworkNamespaceVerbs(OTHER, this::openA);
        }

        @Override
        public InetSocketAddress listenAddress() {
            return new InetSocketAddress("10.78.0.2", 0);
        }

        @Override
        public Optional<InetSocketAddress> listenAddressV6() {
            return Optional.empty();
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
            return Verbs.open(OpenConfig.provider("iwarp").with("shm", "off").with("fpdu.max", "700"));
        }

        @Override
        public InetSocketAddress connectAddress(InetSocketAddress listening) {
            try {
                SplittableRandom forth = random.split();
                // It ends with the connection through it.
                return new Relay(listening, Way.at(Pace.uneven(forth)), Way.at(Pace.uneven(random.split()))).address();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
