package org.panamaverbs.cli.doctor;

import java.util.List;
import java.util.stream.Stream;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.ProviderReport;

/**
 * What this process itself knows: whether its JDK may call native code, and what each provider says when it is asked.
 */
final class JavaCheck implements Check {
    private static final String JAVA = "Java";
    /** The modules that call native code. */
    private static final List<String> CALLERS = List.of(
            "org.panamaverbs.bindings", "org.panamaverbs.ibverbs", "org.panamaverbs.iwarp", "org.panamaverbs.memory");

    private static final String IBVERBS = "ibverbs";

    @Override
    public void look(MachineTree machine, Findings findings) {
        if (!machine.live()) {
            return;
        }
        nativeAccess(findings);
        Verbs.providers().forEach(report -> provider(report, findings));
    }

    private static void nativeAccess(Findings findings) {
        Module ours = JavaCheck.class.getModule();
        ModuleLayer layer = ours.getLayer();
        List<String> without = layer == null
                ? Stream.of(ours)
                        .filter(module -> !module.isNativeAccessEnabled())
                        .map(module -> "ALL-UNNAMED")
                        .toList()
                : layer.modules().stream()
                        .filter(module -> CALLERS.contains(module.getName()) && !module.isNativeAccessEnabled())
                        .map(Module::getName)
                        .sorted()
                        .toList();
        String jdk = "JDK " + Runtime.version();
        if (without.isEmpty()) {
            findings.ok(JAVA, jdk + " may call native code");
        } else {
            findings.add(
                    Severity.WARNING,
                    JAVA,
                    jdk + " was not told that it may call native code: it warns, and later ones refuse",
                    "start java with the flag; ./verbs does so itself",
                    "java --enable-native-access=" + String.join(",", without) + " ...");
        }
    }

    private static void provider(ProviderReport report, Findings findings) {
        String name = "provider " + report.name();
        switch (report.availability()) {
            case Availability.Unavailable no ->
                findings.add(
                        report.name().equals(IBVERBS) ? Severity.ERROR : Severity.WARNING,
                        name,
                        "cannot be used: " + no.reason(),
                        no.remedy(),
                        "");
            case Availability.Available yes -> {
                findings.ok(
                        name,
                        "can be used: "
                                + String.join(
                                        ", ",
                                        yes.devices().stream()
                                                .map(device -> device.name())
                                                .toList()));
                yes.unusable()
                        .forEach((device, obstacle) ->
                                findings.add(Severity.WARNING, name, obstacle.reason(), obstacle.remedy(), ""));
            }
        }
    }
}
