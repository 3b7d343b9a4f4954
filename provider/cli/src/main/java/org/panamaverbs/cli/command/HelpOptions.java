package org.panamaverbs.cli.command;

import picocli.CommandLine.Option;

/** Help and version of commands whose {@code -V} is something else, as the commands that they stand in for have it. */
public final class HelpOptions {
    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    @SuppressWarnings("UnusedVariable") // picocli acts on it
    @Option(names = "--version", versionHelp = true, description = "Show the version.")
    private boolean version;

    /** Creates the options for picocli to fill. */
    public HelpOptions() {}
}
