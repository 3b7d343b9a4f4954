package org.panamaverbs.api;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.ProviderReport;
import org.panamaverbs.api.spi.VerbsProvider;

/** Finds the providers and opens the one that is asked for. */
final class ProviderSelection {
    private static final System.Logger LOGGER = System.getLogger("org.panamaverbs.api");

    // The choice is logged once, not for every open.
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private ProviderSelection() {}

    static List<ProviderReport> reports() {
        return providers().stream()
                .map(provider -> new ProviderReport(provider.name(), provider.priority(), provider.availability()))
                .toList();
    }

    static Verbs open(OpenConfig config) {
        List<VerbsProvider> providers = providers();
        return config.provider().equals(OpenConfig.AUTO) ? openFirst(providers, config) : openNamed(providers, config);
    }

    private static Verbs openNamed(List<VerbsProvider> providers, OpenConfig config) {
        for (VerbsProvider provider : providers) {
            if (provider.name().equals(config.provider())) {
                if (provider.availability() instanceof Availability.Unavailable unavailable) {
                    throw new ProviderUnavailableException("provider " + provider.name() + " is not available: "
                            + unavailable.reason() + "; remedy: " + unavailable.remedy());
                }
                return provider.open(config, "asked for by name");
            }
        }
        throw new ProviderUnavailableException("no provider is named " + config.provider() + "; there are "
                + providers.stream().map(VerbsProvider::name).collect(Collectors.joining(", "))
                + " and auto (-Dverbs.provider or VERBS_PROVIDER chooses)");
    }

    private static Verbs openFirst(List<VerbsProvider> providers, OpenConfig config) {
        List<String> passed = new ArrayList<>();
        for (VerbsProvider provider : providers) {
            switch (provider.availability()) {
                case Availability.Unavailable unavailable ->
                    passed.add(provider.name() + ": " + unavailable.reason() + " (" + unavailable.remedy() + ")");
                case Availability.Available available -> {
                    String why = why(available, passed);
                    if (SAID.add(provider.name())) {
                        LOGGER.log(System.Logger.Level.INFO, () -> "verbs provider " + provider.name() + ": " + why);
                    }
                    return provider.open(config, why);
                }
            }
        }
        throw new ProviderUnavailableException(
                passed.isEmpty()
                        ? "no provider was found; put panama-verbs-iwarp or panama-verbs-ibverbs on the module or class path"
                        : "no provider has a usable device: " + String.join("; ", passed));
    }

    private static String why(Availability.Available available, List<String> passed) {
        String chosen =
                passed.isEmpty() ? "first provider with a usable device" : "passed over " + String.join("; ", passed);
        return available.why().isEmpty() ? chosen : chosen + "; it has " + available.why();
    }

    private static List<VerbsProvider> providers() {
        List<VerbsProvider> found = new ArrayList<>();
        var iterator = ServiceLoader.load(VerbsProvider.class, VerbsProvider.class.getClassLoader())
                .iterator();
        while (true) {
            try {
                if (!iterator.hasNext()) {
                    break;
                }
                found.add(iterator.next());
            } catch (ServiceConfigurationError e) {
                LOGGER.log(System.Logger.Level.WARNING, "a verbs provider cannot be loaded and is left out", e);
            }
        }
        found.sort(Comparator.comparingInt(VerbsProvider::priority).reversed().thenComparing(VerbsProvider::name));
        return found;
    }
}
