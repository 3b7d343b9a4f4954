package org.panamaverbs.bindings;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the bindings demand of the machine and of the command line before any library can matter. */
final class NativePlatform {
    private NativePlatform() {}

    /**
     * Why the bindings do not fit an operating system and architecture (values of {@code os.name} and {@code os.arch}),
     * with the remedy. Elsewhere than on x86-64 some layouts differ (pthread_mutex_t and all behind it in ibv_context,
     * epoll_event), and a wrong offset would corrupt memory instead of failing.
     */
    static Optional<String> mismatch(String osName, String osArch) {
        if (!osName.equals("Linux")) {
            return Optional.of("verbs libraries exist on Linux only and this is " + osName
                    + "; use the provider in Java (-Dverbs.provider=iwarp)");
        }
        if (!osArch.equals("amd64") && !osArch.equals("x86_64")) {
            return Optional.of("the layouts bound here are those of x86-64 and this is " + osArch
                    + "; use the provider in Java (-Dverbs.provider=iwarp) or regenerate the bindings on this machine");
        }
        return Optional.empty();
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
