package org.panamaverbs.bindings;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the bindings demand of the machine and of the command line before any library can matter. */
final class NativePlatform {
    private static final String LINUX = "Linux";

    private NativePlatform() {}

    /** What the layouts of one library demand of an operating system and architecture. */
    @FunctionalInterface
    interface Demand {
        /**
         * Why {@code os.name} and {@code os.arch} with such values do not do, followed by the remedy; empty if they do.
         */
        Optional<String> mismatch(String osName, String osArch);
    }

    /** As {@link Demand#mismatch}, of libibverbs and librdmacm. */
    static Optional<String> verbsMismatch(String osName, String osArch) {
        if (!osName.equals(LINUX)) {
            return Optional.of("verbs libraries exist on Linux only, and this is " + osName
                    + "; remedy: use provider iwarp (-Dverbs.provider=iwarp), which runs here over java.nio");
        }
        if (!Architecture.of(osArch).isKnown()) {
            return Optional.of("libibverbs and librdmacm are supported on " + known() + " only, and this machine is "
                    + osArch + "; remedy: use provider iwarp (-Dverbs.provider=iwarp), which runs here over java.nio");
        }
        return Optional.empty();
    }

    /** As {@link Demand#mismatch}, of the C library. */
    static Optional<String> libcMismatch(String osName, String osArch) {
        if (osName.equals(LINUX) && Architecture.of(osArch).isKnown()) {
            return Optional.empty();
        }
        return Optional.of("system calls are supported for Linux on " + known() + " only, and this is " + osName
                + " on " + osArch + "; remedy: set option sockets=nio");
    }

    private static String known() {
        return Arrays.stream(Architecture.values())
                .filter(Architecture::isKnown)
                .map(Architecture::toString)
                .collect(Collectors.joining(" and "));
    }

    /** The flag that grants native access to {@code modules}, each named once. */
    static String nativeAccessFlag(Module... modules) {
        return "--enable-native-access="
                + Arrays.stream(modules)
                        .map(module -> module.isNamed() ? module.getName() : "ALL-UNNAMED")
                        .distinct()
                        .collect(Collectors.joining(","));
    }
}
