package org.panamaverbs.api;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.config.Fields;

/** Which provider and device to open, and how. Immutable; fields may be added. */
public final class OpenConfig implements Cloneable {
    /** The name that lets the machine decide. */
    public static final String AUTO = "auto";

    private static final Fields<OpenConfig> FIELDS = new Fields<>(
            OpenConfig.class,
            fields -> fields.and("provider", config -> config.provider)
                    .and("device", config -> config.device)
                    .and("options", config -> config.options));

    private String provider;
    private String device = "";
    private Map<String, String> options = Map.of();

    private OpenConfig(String provider) {
        this.provider = provider;
    }

    /**
     * Returns what system properties and environment say: {@code -Dverbs.provider} or {@code VERBS_PROVIDER}, and
     * {@code -Dverbs.device} or {@code VERBS_DEVICE}; properties win.
     */
    public static OpenConfig fromEnvironment() {
        return provider(setting("verbs.provider", "VERBS_PROVIDER", AUTO))
                .withDevice(setting("verbs.device", "VERBS_DEVICE", ""));
    }

    /** Returns the configuration that opens {@code provider}'s first usable device. */
    public static OpenConfig provider(String provider) {
        return FIELDS.made(new OpenConfig(provider));
    }

    /**
     * Returns the provider's name, or {@link #AUTO} for the first with a usable device, of the name that is asked for.
     */
    public String provider() {
        return provider;
    }

    /**
     * Returns the device's name, or empty, the default, for the provider's first usable one; one without active port is
     * refused.
     */
    public String device() {
        return device;
    }

    /** Returns a copy with another device. */
    public OpenConfig withDevice(String name) {
        return with(copy -> copy.device = name);
    }

    /**
     * Returns options of the provider, by name without the prefix {@code verbs.PROVIDER.}; none by default. Each
     * provider documents its own and refuses unknown ones. Unmodifiable.
     */
    public Map<String, String> options() {
        return options;
    }

    /** Returns a copy with the provider's option {@code name} set. */
    public OpenConfig with(String name, String value) {
        return withOptions(Map.of(name, value));
    }

    /** Returns a copy with the options of {@code further} set in addition to its own. */
    public OpenConfig withOptions(Map<String, String> further) {
        Map<String, String> more = new HashMap<>(options);
        more.putAll(further);
        return with(copy -> copy.options = Map.copyOf(more));
    }

    private static String setting(String property, String variable, String fallback) {
        String value = System.getProperty(property);
        if (value == null || value.isBlank()) {
            value = System.getenv(variable);
        }
        return value == null || value.isBlank() ? fallback : value.strip();
    }

    private OpenConfig with(Consumer<OpenConfig> change) {
        return FIELDS.changed(super::clone, change);
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
