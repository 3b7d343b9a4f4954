package org.panamaverbs.spi.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ProviderUnavailableException;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.ProviderReport;
import org.panamaverbs.spi.Examination;
import org.panamaverbs.spi.VerbsProvider;

/** Finds the providers and opens the requested one. */
public final class ProviderSelection {
    private static final System.Logger LOGGER = System.getLogger("org.panamaverbs.api");

    private static final String REMEDY = "; remedy: ";
    private static final String DEVICE_SETTINGS = "-Dverbs.device, VERBS_DEVICE or OpenConfig";

    // The choice is logged once, not for every open.
    private static final Set<String> SAID = ConcurrentHashMap.newKeySet();

    private ProviderSelection() {}

    /** Returns every provider found, including those of {@code loader}, in the order in which they are tried. */
    public static List<ProviderReport> reports(@Nullable ClassLoader loader) {
        return search(loader).found().stream()
                .map(provider -> new ProviderReport(provider.name(), provider.priority(), provider.availability()))
                .toList();
    }

    /** Opens {@code config} with one of the providers found, including those of {@code loader}. */
    public static Verbs open(OpenConfig config, @Nullable ClassLoader loader) {
        ProviderSearch search = search(loader);
        return open(search.found(), search::asked, config);
    }

    private static ProviderSearch search(@Nullable ClassLoader loader) {
        return new ProviderSearch(
                VerbsProvider.class.getClassLoader(),
                loader,
                Thread.currentThread().getContextClassLoader());
    }

    /**
     * Opens what {@code config} says with one of {@code providers}, in the order in which they are to be tried;
     * {@code asked} says who gave them.
     */
    static Verbs open(List<VerbsProvider> providers, Supplier<String> asked, OpenConfig config) {
        return config.provider().equals(OpenConfig.AUTO)
                ? openFirst(providers, asked, config)
                : openNamed(providers, asked, config);
    }

    private static Verbs openNamed(List<VerbsProvider> providers, Supplier<String> asked, OpenConfig config) {
        for (VerbsProvider provider : providers) {
            if (provider.name().equals(config.provider())) {
                return openNamed(provider, config);
            }
        }
        throw unavailable(
                "no provider is named " + config.provider() + "; there are "
                        + providers.stream().map(VerbsProvider::name).collect(Collectors.joining(", "))
                        + " and auto; " + asked.get(),
                "choose one of them with -Dverbs.provider or VERBS_PROVIDER, or pass a class loader to"
                        + " Verbs.open(config, loader)",
                providers);
    }

    private static Verbs openNamed(VerbsProvider provider, OpenConfig config) {
        try (Examination examined = provider.examine(config)) {
            switch (examined.found()) {
                case Availability.Unavailable unavailable ->
                    throw new ProviderUnavailableException("provider " + provider.name() + " is not available: "
                            + unavailable.reason() + "; remedy: " + unavailable.remedy());
                case Availability.Available available -> {
                    Availability.Unavailable obstacle = available.unusable().get(config.device());
                    if (obstacle != null) {
                        throw new ProviderUnavailableException("provider " + provider.name() + " cannot use what "
                                + DEVICE_SETTINGS + " names: " + obstacle.reason() + "; remedy: " + obstacle.remedy());
                    }
                    return examined.open("requested by name");
                }
            }
        }
    }

    private static Verbs openFirst(List<VerbsProvider> providers, Supplier<String> asked, OpenConfig config) {
        List<String> passed = new ArrayList<>();
        RuntimeException failure = null;
        for (VerbsProvider provider : providers) {
            Optional<String> obstacle;
            try (Examination examined = provider.examine(config)) {
                obstacle = obstacle(examined.found(), config.device());
                if (obstacle.isEmpty()) {
                    return opened(provider.name(), examined, why(config, passed));
                }
            } catch (ResourceException | IllegalArgumentException e) {
                // Available a moment ago, or an option is another's: the next one may do.
                failure = failure == null ? e : failure;
                obstacle = Optional.of(
                        " cannot be opened: " + String.valueOf(e.getMessage()).replaceFirst(REMEDY + "(.*)", " ($1)"));
            }
            passed.add(provider.name() + obstacle.get());
        }
        if (passed.isEmpty()) {
            throw unavailable(
                    "no provider was found; " + asked.get(),
                    "put panama-verbs-iwarp or panama-verbs-ibverbs on the module or class path, link a jlink image with"
                            + " --add-modules org.panamaverbs.iwarp,org.panamaverbs.ibverbs, or pass another class"
                            + " loader to Verbs.open(config, loader)",
                    providers);
        }
        String said = String.join("; ", passed);
        ProviderUnavailableException unavailable = config.device().isEmpty()
                ? unavailable("no provider has a usable device: " + said, "", providers)
                : new ProviderUnavailableException("no provider can use the device " + config.device() + ", which "
                        + DEVICE_SETTINGS + " names: " + said + "; remedy: leave the name out to use the best one");
        if (failure instanceof IllegalArgumentException) {
            failure.addSuppressed(unavailable);
            throw failure;
        }
        if (failure != null) {
            unavailable.addSuppressed(failure);
        }
        throw unavailable;
    }

    private static ProviderUnavailableException unavailable(String what, String remedy, List<VerbsProvider> found) {
        return new ProviderUnavailableException(UnlistedProviders.explained(
                what,
                remedy,
                VerbsProvider.class.getClassLoader(),
                found.stream().map(VerbsProvider::name).collect(Collectors.toSet())));
    }

    /** Returns why the device, or any if the name is empty, cannot be used, as a clause behind the provider's name. */
    private static Optional<String> obstacle(Availability availability, String device) {
        // No switch over types: the first one of a process costs it milliseconds.
        if (availability instanceof Availability.Unavailable unavailable) {
            return Optional.of(clause(unavailable));
        }
        Availability.Available available = (Availability.Available) availability;
        if (device.isEmpty() || available.has(device)) {
            return Optional.empty();
        }
        Availability.Unavailable obstacle = available.unusable().get(device);
        return Optional.of(
                obstacle == null
                        ? " has only "
                                + available.devices().stream()
                                        .map(DeviceInfo::name)
                                        .collect(Collectors.joining(", "))
                        : clause(obstacle));
    }

    private static String clause(Availability.Unavailable obstacle) {
        return " cannot be used: " + obstacle.reason() + " (" + obstacle.remedy() + ")";
    }

    private static String why(OpenConfig config, List<String> passed) {
        if (!config.device().isEmpty()) {
            return "requested by name, device " + config.device();
        }
        return passed.isEmpty() ? "first provider with a usable device" : String.join("; ", passed);
    }

    private static Verbs opened(String provider, Examination examined, String why) {
        Verbs verbs = examined.open(why);
        if (SAID.add(provider)) {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    () -> "chose verbs provider " + provider + ", since " + verbs.selection());
        }
        return verbs;
    }
}
