package org.panamaverbs.ibverbs.cm;

import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Capabilities.Feature;
import org.panamaverbs.api.TlsConfig;

/** Adapters and kernel devices carry RDMA without TLS: who asks for it must not get a connection without. */
public final class NoTls {
    private NoTls() {}

    /**
     * Does nothing if {@code asked} is null.
     *
     * @throws UnsupportedOperationException otherwise, naming device, capability and the provider that has it
     */
    public static void require(String operation, @Nullable TlsConfig asked, String device) {
        if (asked != null) {
            throw new UnsupportedOperationException(operation + ": device " + device + " lacks " + Feature.TLS
                    + ", which provider iwarp has (-Dverbs.provider=iwarp, also at the peer)");
        }
    }
}
