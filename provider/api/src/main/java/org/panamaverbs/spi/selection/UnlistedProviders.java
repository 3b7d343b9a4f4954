package org.panamaverbs.spi.selection;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.panamaverbs.spi.VerbsProvider;

/**
 * Our own providers whose classes are there without the entry by which they are found: what remains of them in a jar
 * that was made of several ones, and has the service file of one alone.
 */
final class UnlistedProviders {
    private static final Map<String, String> OURS = new TreeMap<>(Map.of(
            "ibverbs", "org.panamaverbs.ibverbs.IbverbsProvider",
            "iwarp", "org.panamaverbs.iwarp.IwarpProvider"));

    private UnlistedProviders() {}

    /**
     * Returns {@code what} with {@code remedy}, and if {@code loader} has providers whose names are not {@code found},
     * with their names and the remedy for that instead.
     *
     * @param remedy empty if {@code what} has those of each provider
     */
    static String explained(String what, String remedy, ClassLoader loader, Set<String> found) {
        List<String> unlisted = OURS.entrySet().stream()
                .filter(ours -> !found.contains(ours.getKey()))
                .map(Map.Entry::getValue)
                .filter(type -> loader.getResource(type.replace('.', '/') + ".class") != null)
                .toList();
        if (!unlisted.isEmpty()) {
            return what + "; " + String.join(" and ", unlisted)
                    + " cannot be found, though on the class path: no META-INF/services/"
                    + VerbsProvider.class.getName()
                    + " names it; remedy: merge the files of this name in a shaded jar (Maven:"
                    + " ServicesResourceTransformer; Gradle: mergeServiceFiles())";
        }
        return remedy.isEmpty() ? what : what + "; remedy: " + remedy;
    }
}
