package org.panamaverbs.testkit.conformance;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;
import org.panamaverbs.testkit.RunsOn;

/**
 * The whole suite within the device that the environment chooses ({@code VERBS_PROVIDER}, {@code VERBS_DEVICE}), as
 * {@code verbs doctor --bundle} runs it. {@code -Dverbs.test.address=192.0.2.1} names an address of its network
 * interface where the device's ports do not, as on InfiniBand.
 */
@RunsOn(DeviceSuite.Device.class)
@ExtendWith(WithoutManager.class)
public final class DeviceSuite extends ConformanceSuite {
    /** For JUnit. */
    public DeviceSuite() {}

    /** The device on both sides. */
    public static final class Device implements ProviderUnderTest {
        private static final String ADDRESS = System.getProperty("verbs.test.address", "");

        private final String missing;
        private final boolean software;
        private final Set<Guarantee> broken;
        private final Optional<InetSocketAddress> address;
        private final Optional<InetSocketAddress> addressV6;

        /** For the suite; looks at the device once. */
        public Device() {
            List<String> addresses = List.of();
            boolean iwarp = false;
            Set<Guarantee> guarantees = Set.of();
            String why = "";
            try (Verbs verbs = openA()) {
                iwarp = verbs.provider().equals("iwarp");
                guarantees = iwarp ? Set.of() : brokenBy(verbs.device());
                addresses = iwarp ? List.of("127.0.0.1", "::1") : addresses(verbs.device());
                why = "device " + verbs.device().name() + " has no address; remedy: name one by -Dverbs.test.address";
            } catch (VerbsException e) {
                why = "no device: " + e.getMessage();
            }
            software = iwarp;
            broken = guarantees;
            address = first(addresses, false);
            addressV6 = first(addresses, true);
            missing = why;
        }

        private static List<String> addresses(DeviceInfo device) {
            return ADDRESS.isEmpty()
                    ? device.ports().stream()
                            .filter(DeviceInfo.Port::active)
                            .flatMap(port -> port.addresses().stream())
                            .toList()
                    : List.of(ADDRESS);
        }

        private static Optional<InetSocketAddress> first(List<String> addresses, boolean v6) {
            return addresses.stream()
                    .map(InetAddress::ofLiteral)
                    .filter(each -> each.getAddress().length > Integer.BYTES == v6 && !each.isLinkLocalAddress())
                    .map(each -> new InetSocketAddress(each, 0))
                    .findFirst();
        }

        @Override
        public String title() {
            return "the device";
        }

        @Override
        public Optional<String> missing() {
            return address.isPresent() ? Optional.empty() : Optional.of(missing);
        }

        @Override
        public Verbs openA() {
            return Verbs.open(OpenConfig.fromEnvironment());
        }

        @Override
        public InetSocketAddress listenAddress() {
            return address.orElseThrow();
        }

        @Override
        public Optional<InetSocketAddress> listenAddressV6() {
            return addressV6;
        }

        // Drivers round up. Of the kernel's iwcm.c destroy_cm_id() waits, and requests complete when they are sent.
        private static Set<Guarantee> brokenBy(DeviceInfo device) {
            return device.transport() == DeviceInfo.Transport.IWARP
                    ? Set.of(
                            Guarantee.EXACT_DEPTHS,
                            Guarantee.CLOSED_ATTEMPT_LETS_GO,
                            Guarantee.DISCONNECT_AWAITS_ARRIVAL)
                    : Set.of(Guarantee.EXACT_DEPTHS);
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return broken;
        }

        // Of the kernel's connection manager no device has the Terminate.
        @Override
        public boolean reportsTerminate() {
            return software;
        }
    }
}
