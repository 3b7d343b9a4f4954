package org.panamaverbs.cli.command;

import java.lang.module.ModuleDescriptor;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as recorded in the module descriptor of the jar. */
public final class BuildVersion implements IVersionProvider {
    /** Returns for example {@code 0.1.0}, or {@code development} for classes that come from no jar. */
    public static String text() {
        ModuleDescriptor descriptor = BuildVersion.class.getModule().getDescriptor();
        return descriptor == null ? "development" : descriptor.rawVersion().orElse("development");
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "Panama Verbs " + text(),
            "JDK " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.version")
                    + ", " + System.getProperty("os.arch")
        };
    }
}
