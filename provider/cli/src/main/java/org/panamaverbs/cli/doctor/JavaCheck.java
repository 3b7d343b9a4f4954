package org.panamaverbs.cli.doctor;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.ProviderReport;

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
        String explained = findings.all().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .map(Findings.Finding::check)
                .distinct()
                .collect(Collectors.joining(", "));
        nativeAccess(findings);
        List<ProviderReport> reports = Verbs.providers();
        reports.forEach(report -> provider(report, explained, findings));
        boolean usable = environment(reports, findings);
        if (usable && RdmaDevice.all(machine).isEmpty()) {
            findings.demoteErrors();
        }
    }

    /** Judges which provider the environment asks for, and returns whether one that it allows can be used. */
    private static boolean environment(List<ProviderReport> reports, Findings findings) {
        String wanted = OpenConfig.fromEnvironment().provider();
        List<ProviderReport> allowed = reports.stream()
                .filter(report ->
                        wanted.equals(OpenConfig.AUTO) || report.name().equals(wanted))
                .toList();
        if (allowed.isEmpty() && !reports.isEmpty()) {
            findings.error(
                    "environment",
                    "no provider is named " + wanted + "; there are "
                            + reports.stream().map(ProviderReport::name).collect(Collectors.joining(", ")),
                    "choose one of them with VERBS_PROVIDER or -Dverbs.provider, or auto",
                    "unset VERBS_PROVIDER");
        }
        return allowed.stream().anyMatch(report -> report.availability() instanceof Availability.Available);
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
            findings.ok(JAVA, jdk + " has native access");
        } else {
            findings.warning(
                    JAVA,
                    jdk + " has no permission for native access: it warns, and later releases refuse",
                    "start java with the flag; ./verbs does so by itself",
                    "java --enable-native-access=" + String.join(",", without) + " ...");
        }
    }

    /** Adds what a provider says; {@code explained} names the checks that say already why there is none of ibverbs. */
    private static void provider(ProviderReport report, String explained, Findings findings) {
        String name = "provider " + report.name();
        switch (report.availability()) {
            case Availability.Unavailable no -> {
                String text = "cannot be used: " + no.reason();
                if (!report.name().equals(IBVERBS)) {
                    findings.warning(name, text, no.remedy(), "");
                } else if (explained.isEmpty()) {
                    findings.error(name, text, no.remedy(), "");
                } else {
                    findings.note(name, text, "fix the findings above: " + explained, "");
                }
            }
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
                        .forEach(
                                (device, obstacle) -> findings.warning(name, obstacle.reason(), obstacle.remedy(), ""));
            }
        }
    }
}
