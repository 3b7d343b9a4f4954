package org.panamaverbs.memcpy;

import java.util.List;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.spi.VerbsProvider;
import org.panamaverbs.spi.support.Known;

/** The service. */
public final class MemcpyProvider implements VerbsProvider {
    /** For the {@link java.util.ServiceLoader}; does no work. */
    public MemcpyProvider() {}

    @Override
    public String name() {
        return MemcpyVerbs.PROVIDER;
    }

    @Override
    public int priority() {
        return 0; // never before a provider that reaches other machines
    }

    @Override
    public Availability availability() {
        return new Availability.Available(List.of(MemcpyVerbs.INFO));
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        Known.options(MemcpyVerbs.PROVIDER, List.of(), config);
        Known.device(MemcpyVerbs.PROVIDER, List.of(MemcpyVerbs.INFO.name()), config);
        return new MemcpyVerbs(selection);
    }
}
