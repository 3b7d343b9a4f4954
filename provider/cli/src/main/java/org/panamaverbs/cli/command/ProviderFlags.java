package org.panamaverbs.cli.command;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/** How the provider of a command's device is set. */
public final class ProviderFlags {
    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "Option of the provider, such as --option shm=off of iwarp, which selects TCP between two"
                    + " processes of one host; may be repeated.")
    private Map<String, String> settings = new LinkedHashMap<>();

    /** Returns the options, in their order. */
    public Map<String, String> settings() {
        return settings;
    }

    /** Returns the arguments that say the same. */
    public List<String> arguments() {
        return arguments(settings);
    }

    /** Returns the arguments that say {@code settings}. */
    public static List<String> arguments(Map<String, String> settings) {
        List<String> arguments = new ArrayList<>();
        settings.forEach((name, value) -> arguments.addAll(List.of("--option", name + "=" + value)));
        return arguments;
    }
}
