package org.panamaverbs.api;

import java.util.HashMap;
import java.util.Map;

/**
 * Which provider and device to open, and how.
 *
 * @param provider the provider's name, or {@code auto} for the first with a usable device, of the name that is asked
 *     for
 * @param device the device's name, or empty for the provider's first usable one; one without active port is refused
 * @param options options of the provider, by name without the prefix {@code verbs.PROVIDER.}; each provider documents
 *     its own and refuses unknown ones
 */
public record OpenConfig(String provider, String device, Map<String, String> options) {
    /** The name that lets the machine decide. */
    public static final String AUTO = "auto";

    /** Copies the options. */
    public OpenConfig {
        options = Map.copyOf(options);
    }

    /**
     * Returns what system properties and environment say: {@code -Dverbs.provider} or {@code VERBS_PROVIDER}, and
     * {@code -Dverbs.device} or {@code VERBS_DEVICE}; properties win.
     */
    public static OpenConfig fromEnvironment() {
        return new OpenConfig(
                setting("verbs.provider", "VERBS_PROVIDER", AUTO),
                setting("verbs.device", "VERBS_DEVICE", ""),
                Map.of());
    }

    /** Returns the configuration that opens {@code provider}'s first usable device. */
    public static OpenConfig provider(String provider) {
        return new OpenConfig(provider, "", Map.of());
    }

    /** Returns a copy with another device. */
    public OpenConfig withDevice(String name) {
        return new OpenConfig(provider, name, options);
    }

    /** Returns a copy with the provider's option {@code name} set. */
    public OpenConfig with(String name, String value) {
        Map<String, String> more = new HashMap<>(options);
        more.put(name, value);
        return new OpenConfig(provider, device, more);
    }

    private static String setting(String property, String variable, String fallback) {
        String value = System.getProperty(property);
        if (value == null || value.isBlank()) {
            value = System.getenv(variable);
        }
        return value == null || value.isBlank() ? fallback : value.strip();
    }
}
