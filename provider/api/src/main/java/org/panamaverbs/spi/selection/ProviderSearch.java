package org.panamaverbs.spi.selection;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.spi.VerbsProvider;

/**
 * Asks class loaders for providers: the one of the api, one that the caller may name, and the thread's context class
 * loader, in this order. A loader with its own copy of the api is skipped, since its providers belong to that copy.
 */
final class ProviderSearch {
    private static final System.Logger LOGGER = System.getLogger("org.panamaverbs.api");

    // By the name of the class: a class loader may have a copy of a provider that another one has.
    private final Map<String, VerbsProvider> found = new LinkedHashMap<>();
    private final Map<ClassLoader, String> asked = new LinkedHashMap<>();

    /** Asks {@code own}, which has the api, then the others. */
    ProviderSearch(ClassLoader own, @Nullable ClassLoader named, @Nullable ClassLoader context) {
        ask(own, "the API's class loader");
        ask(named, "the class loader that was given");
        ask(context, "the thread's context class loader");
    }

    private void ask(@Nullable ClassLoader loader, String role) {
        if (loader == null || asked.containsKey(loader)) {
            return;
        }
        boolean sharesApi = sharesApi(loader);
        asked.put(loader, role + (sharesApi ? "" : ", which has a copy of the API of its own"));
        if (sharesApi) {
            load(loader);
        }
    }

    /** Returns whether providers of {@code loader} are of this api, or else of a copy that it has. */
    @SuppressWarnings("ReferenceEquality") // whatever a loader thinks equal
    private static boolean sharesApi(ClassLoader loader) {
        if (loader == VerbsProvider.class.getClassLoader()) {
            return true; // without asking for a class by name, which a native image does not have
        }
        try {
            return loader.loadClass(VerbsProvider.class.getName()) == VerbsProvider.class;
        } catch (ClassNotFoundException | LinkageError e) {
            return true; // if it has providers, loading them says what they lack
        }
    }

    private void load(ClassLoader loader) {
        var iterator = ServiceLoader.load(VerbsProvider.class, loader).iterator();
        while (true) {
            try {
                if (!iterator.hasNext()) {
                    return;
                }
                VerbsProvider provider = iterator.next();
                found.putIfAbsent(provider.getClass().getName(), provider);
            } catch (ServiceConfigurationError e) {
                LOGGER.log(System.Logger.Level.WARNING, "a verbs provider cannot be loaded and is skipped", e);
            }
        }
    }

    /** Returns the providers, none twice, in the order in which they are to be tried. */
    List<VerbsProvider> found() {
        List<VerbsProvider> all = new ArrayList<>(found.values());
        all.sort(ProviderSearch::order);
        return all;
    }

    private static int order(VerbsProvider one, VerbsProvider other) {
        int byPriority = Integer.compare(other.priority(), one.priority());
        return byPriority != 0 ? byPriority : one.name().compareTo(other.name());
    }

    /** Returns which class loaders were asked, as a clause of a message. */
    String asked() {
        StringJoiner all = new StringJoiner("; ", "class loaders searched: ", "");
        // What a loader says of itself may be pages.
        asked.forEach((loader, role) ->
                all.add((loader.getName() == null ? loader.getClass().getName() : loader.getName()) + ", " + role));
        return all.toString();
    }
}
