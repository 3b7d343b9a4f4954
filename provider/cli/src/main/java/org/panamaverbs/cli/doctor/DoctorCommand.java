package org.panamaverbs.cli.doctor;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.JsonWriter;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.cli.doctor.Findings.Finding;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code verbs doctor}: checks a machine for RDMA use. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        description = {
            "Check this machine for RDMA use: what is in the way, and what mends it.",
            "",
            "Looks at the kernel's devices and modules, device files and their permissions, ports, GIDs, MTU, what files"
                    + " tell of PFC and ECN, locked memory, huge pages, shared memory, clock, NUMA, rdma-core's"
                    + " libraries, the JDK, and what each provider says. It reads files and changes nothing; commands"
                    + " are printed, not run. Most of them want root, words in capitals want your own."
        },
        footerHeading = "%nSeverities:%n",
        footer = {
            "  ok        nothing is to be done",
            "  note      it works; it could be faster, or files do not tell",
            "  warning   some of it does not work, or it works badly",
            "  error     the machine's RDMA devices cannot be used until it is mended; where the kernel has none and the",
            "            provider iwarp, which needs none, can be used, it is a warning: VERBS_PROVIDER=ibverbs asks for",
            "            them nevertheless",
            "",
            "Examples:",
            "  verbs doctor                        what is wrong here?",
            "  verbs doctor -q                     the same without what is right",
            "  verbs doctor --json                 for programs",
            "  verbs doctor --root=sosreport-x     of another machine, whose sys, proc, dev, etc and lib are there"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no error was found; there may be warnings",
            "1:an error was found",
            "2:the command line was wrong"
        })
public final class DoctorCommand extends Subcommand {
    private static final List<Check> CHECKS = List.of(
            new KernelCheck(),
            new DeviceFileCheck(),
            new LibraryCheck(),
            new PortCheck(),
            new AddressCheck(),
            new CongestionCheck(),
            new MemoryCheck(),
            new ClockCheck(),
            new NumaCheck(),
            new JavaCheck());

    private static final String INDENT = " ".repeat(9);

    @Option(
            names = {"-q", "--quiet"},
            description = "Leave out what is right.")
    private boolean quiet;

    @Option(names = "--json", description = "Write JSON.")
    private boolean json;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "Look at a copy of another machine's files below DIR; its JDK and providers are not asked.")
    private @Nullable Path root;

    @Override
    public Integer call() {
        Findings findings = new Findings();
        MachineTree machine = machine();
        CHECKS.forEach(check -> check.look(machine, findings));
        PrintWriter out = out();
        if (json) {
            out.println(json(findings));
        } else {
            print(findings, out);
        }
        out.flush();
        return findings.count(Severity.ERROR) == 0 ? ExitStatus.OK : ExitStatus.FAILED;
    }

    private MachineTree machine() {
        Path directory = root;
        if (directory == null) {
            return MachineTree.here();
        }
        if (!Files.isDirectory(directory.resolve("sys")) || !Files.isDirectory(directory.resolve("proc"))) {
            throw new ParameterException(
                    line(),
                    "--root: " + directory + " is not a copy of a machine's files: it has no directories sys and proc");
        }
        return MachineTree.copied(directory);
    }

    private boolean wanted(Finding finding) {
        return !quiet || finding.severity() != Severity.OK;
    }

    private void print(Findings findings, PrintWriter out) {
        findings.all().stream().filter(this::wanted).forEach(finding -> {
            out.printf(Locale.ROOT, "%-8s %s: %s%n", finding.severity().word(), finding.check(), finding.text());
            if (!finding.remedy().isEmpty()) {
                out.println(INDENT + "remedy   " + finding.remedy());
            }
            if (!finding.command().isEmpty()) {
                out.println(INDENT + "command  " + finding.command());
            }
        });
        out.printf(
                Locale.ROOT,
                "errors %d, warnings %d, notes %d, ok %d%n",
                findings.count(Severity.ERROR),
                findings.count(Severity.WARNING),
                findings.count(Severity.NOTE),
                findings.count(Severity.OK));
    }

    private String json(Findings findings) {
        JsonWriter writer = new JsonWriter();
        writer.object().field("version", BuildVersion.text());
        for (Severity severity : Severity.values()) {
            writer.field(severity.word(), findings.count(severity));
        }
        writer.name("findings").array();
        findings.all().stream()
                .filter(this::wanted)
                .forEach(finding -> writer.object()
                        .field("severity", finding.severity().word())
                        .field("check", finding.check())
                        .field("text", finding.text())
                        .field("remedy", finding.remedy())
                        .field("command", finding.command())
                        .end());
        return writer.end().end().toString();
    }
}
