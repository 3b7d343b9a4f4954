package org.panamaverbs.spi.selection;

import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.spi.VerbsProvider;

/** A provider that the class path does not register: {@link ProviderDiscoveryTest} has class loaders that do. */
public final class PluginProvider implements VerbsProvider {
    /** For the service loader. */
    public PluginProvider() {}

    @Override
    public String name() {
        return "plugin";
    }

    @Override
    public int priority() {
        return 0;
    }

    @Override
    public Availability availability() {
        return new Availability.Unavailable("it is only to be found", "none");
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        throw new UnsupportedOperationException();
    }
}
