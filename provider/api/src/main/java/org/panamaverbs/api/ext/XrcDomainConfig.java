package org.panamaverbs.api.ext;

import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;

/** Which domain is opened, {@code struct ibv_xrcd_init_attr}. Immutable; fields may be added. */
public final class XrcDomainConfig implements Cloneable {
    private static final Fields<XrcDomainConfig> FIELDS = new Fields<>(
            XrcDomainConfig.class,
            XrcDomainConfig::check,
            fields -> fields.and("file", config -> config.file).and("opening", config -> config.opening));

    private final @Nullable Path file;
    private Opening opening;

    /** Whether the domain of a file may already exist, and may be created. Values may be added. */
    public enum Opening {
        /** It must exist. */
        EXISTING,
        /** It is created unless it exists, {@code O_CREAT}. */
        ANY,
        /** It must not exist, and is created, {@code O_CREAT | O_EXCL}. */
        NEW
    }

    private XrcDomainConfig(@Nullable Path file, Opening opening) {
        this.file = file;
        this.opening = opening;
    }

    /** Returns a configuration for a domain that is not shared. */
    public static XrcDomainConfig unshared() {
        return FIELDS.made(new XrcDomainConfig(null, Opening.NEW));
    }

    /** Returns a configuration for the domain of {@code file}, which is created unless it exists. */
    public static XrcDomainConfig of(Path file) {
        return FIELDS.made(new XrcDomainConfig(file, Opening.ANY));
    }

    /**
     * Returns the file that identifies a shared domain, {@code fd}: processes that open the same file share the domain
     * while one of them has it open, whatever the file's name and content; null for a domain that is not shared.
     */
    public @Nullable Path file() {
        return file;
    }

    /**
     * Returns whether the domain may exist, and may be created, {@code oflags}; one without a file is always created.
     */
    public Opening opening() {
        return opening;
    }

    /**
     * Returns a copy with another rule for existing domains.
     *
     * @throws IllegalArgumentException if it must exist and has no file
     */
    public XrcDomainConfig withOpening(Opening newOpening) {
        return with(copy -> copy.opening = newOpening);
    }

    private XrcDomainConfig with(Consumer<XrcDomainConfig> change) {
        return FIELDS.changed(super::clone, change);
    }

    private void check() {
        if (file == null && opening == Opening.EXISTING) {
            throw new IllegalArgumentException(
                    "Opening.EXISTING needs the file of the domain; remedy: use XrcDomainConfig.of(file)");
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return FIELDS.equal(this, other);
    }

    @Override
    public int hashCode() {
        return FIELDS.hash(this);
    }

    @Override
    public String toString() {
        return FIELDS.toString(this);
    }
}
