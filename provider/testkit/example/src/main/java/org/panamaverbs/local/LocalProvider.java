package org.panamaverbs.local;

import java.util.List;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.local.context.Device;
import org.panamaverbs.spi.VerbsProvider;
import org.panamaverbs.spi.support.Known;

/** The service: a provider that can always be used and is never chosen before those that reach other machines. */
public final class LocalProvider implements VerbsProvider {
    /** For the {@link java.util.ServiceLoader}. */
    public LocalProvider() {}

    @Override
    public String name() {
        return Device.PROVIDER;
    }

    @Override
    public int priority() {
        return 1;
    }

    @Override
    public Availability availability() {
        return new Availability.Available(List.of(Device.INFO));
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        Known.options(Device.PROVIDER, List.of(), config);
        Known.device(Device.PROVIDER, List.of(Device.NAME), config);
        return new LocalVerbs(selection + "; memory is copied within this process");
    }
}
