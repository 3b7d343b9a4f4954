package org.panamaverbs.cli.command;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProviderUnavailableException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.ProviderReport;

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
        return open(OpenConfig.provider(config.provider())
                .withDevice(name == null ? config.device() : name)
                .withOptions(options));
    }

    /** Opens the device {@code name} of {@code provider}. */
    public static Verbs named(String provider, String name) {
        return open(OpenConfig.provider(provider).withDevice(name));
    }

    private static Verbs open(OpenConfig config) {
        try {
            return Verbs.open(config);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.ofUsage("open: " + e.getMessage(), e);
        } catch (ProviderUnavailableException e) {
            throw namesNothing(config) ? CommandFailure.ofUsage(String.valueOf(e.getMessage()), e) : e;
        }
    }

    /**
     * Tells whether {@code config} names a provider or a device that there is not. A device that one of them cannot
     * look for now may be there later.
     */
    private static boolean namesNothing(OpenConfig config) {
        boolean auto = config.provider().equals(OpenConfig.AUTO);
        List<ProviderReport> named = Verbs.providers().stream()
                .filter(report -> auto || report.name().equals(config.provider()))
                .toList();
        if (named.isEmpty()) {
            return !auto;
        }
        return !config.device().isEmpty()
                && named.stream()
                        .allMatch(report -> report.availability() instanceof Availability.Available available
                                && !available.has(config.device())
                                && !available.unusable().containsKey(config.device()));
    }
}
