package org.panamaverbs.api.xrc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which domain is opened, {@code struct ibv_xrcd_init_attr}.
 *
 * @param file by which processes have the same domain: it belongs to the file, whatever its name and its content, as
 *     long as one of them has it open; null for one of this opener alone
 * @param opening whether it may exist, and may be made; one without file is always made
 */
public record XrcDomainConfig(@Nullable Path file, Opening opening) {
    /** Whether a domain of a file may exist, and may be made. */
    public enum Opening {
        /** It must exist. */
        EXISTING,
        /** It is made if there is none, {@code O_CREAT}. */
        ANY,
        /** It must not exist and is made, {@code O_CREAT | O_EXCL}. */
        NEW
    }

    /**
     * Checks that one without file is made.
     *
     * @throws IllegalArgumentException if it is not
     */
    public XrcDomainConfig {
        if (file == null && opening == Opening.EXISTING) {
            throw new IllegalArgumentException("an existing domain is found by its file, and none was given");
        }
    }

    /** Returns a configuration for a domain of this opener alone. */
    public static XrcDomainConfig unshared() {
        return new XrcDomainConfig(null, Opening.NEW);
    }

    /** Returns a configuration for the domain of {@code file}, which is made if there is none. */
    public static XrcDomainConfig of(Path file) {
        return new XrcDomainConfig(file, Opening.ANY);
    }
}
