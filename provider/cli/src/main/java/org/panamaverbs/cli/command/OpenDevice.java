package org.panamaverbs.cli.command;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;

/** Opens the device that a command works on. */
public final class OpenDevice {
    private OpenDevice() {}

    /** Opens the best device, or the one that the environment names; what it names wrongly is the user's to mend. */
    public static Verbs best() {
        return open(OpenConfig.fromEnvironment());
    }

    /** As {@link #best()}, but the device {@code name} if that is not null, with {@code options} of the provider. */
    public static Verbs best(@Nullable String name, Map<String, String> options) {
        OpenConfig config = OpenConfig.fromEnvironment();
        return open(new OpenConfig(config.provider(), name == null ? config.device() : name, options));
    }

    /** Opens the device {@code name} of {@code provider}. */
    public static Verbs named(String provider, String name) {
        return open(OpenConfig.provider(provider).withDevice(name));
    }

    private static Verbs open(OpenConfig config) {
        try {
            return Verbs.open(config);
        } catch (IllegalArgumentException e) {
            throw new CommandFailure("open: " + e.getMessage(), e);
        }
    }
}
