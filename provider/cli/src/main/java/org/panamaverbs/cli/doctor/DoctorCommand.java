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
            "Check this machine for RDMA use: what prevents it, and how to fix it.",
            "",
            "Checks the kernel's devices and modules, device files and their permissions, ports, GIDs, MTU, what"
                    + " files show of PFC and ECN, locked memory, huge pages, shared memory, clock, NUMA, rdma-core's"
                    + " libraries, the JDK, and what each provider says. It reads files and changes nothing; commands"
                    + " are printed, not run. Most of them need root; replace words in capitals."
        },
        footerHeading = "%nSeverities:%n",
        footer = {
            "  ok        nothing to do",
            "  note      it works, but could be faster, or files do not show it",
            "  warning   some of it does not work, or works badly",
            "  error     RDMA devices cannot be used until it is fixed. Only a warning if the kernel has no device and",
            "            iwarp can be used, unless VERBS_PROVIDER=ibverbs is set.",
            "",
            "Examples:",
            "  verbs doctor                        what is wrong here?",
            "  verbs doctor -q                     the same without what is fine",
            "  verbs doctor --json                 for programs",
            "  verbs doctor --root=sosreport-x     of another machine, whose sys, proc, dev, etc and lib are there",
            "  verbs doctor --bundle=report.zip    what to send when a device misbehaves, or to say that it works"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:no error was found; there may be warnings. With --bundle: written, and all parts went well",
            "1:an error was found. With --bundle: it cannot be written, or names the parts that failed or timed out",
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
            description = "Leave out what is fine.")
    private boolean quiet;

    @Option(names = "--json", description = "Write JSON.")
    private boolean json;

    @Option(
            names = "--root",
            paramLabel = "DIR",
            description = "Check a copy of another machine's files below DIR, without its JDK and providers.")
    private @Nullable Path root;

    @Option(
            names = "--bundle",
            paramLabel = "FILE.zip",
            description = "Write a report to send: facts, findings, the conformance suite and short measurements of the"
                    + " device that VERBS_PROVIDER and VERBS_DEVICE choose; names, paths and addresses are replaced"
                    + " by placeholders. Read it before you send it.")
    private @Nullable Path bundle;

    @Option(names = "--force", description = "With --bundle: replace the file if it exists.")
    private boolean force;

    @Option(
            names = "--timeout",
            paramLabel = "SECONDS",
            description = "With --bundle: limit of each part (default: 120, of the conformance suite 1800).")
    private @Nullable Integer timeoutSeconds;

    @Override
    public Integer call() {
        MachineTree machine = machine();
        Path target = bundle;
        if (target != null) {
            return bundle(machine, target);
        }
        require(!force && timeoutSeconds == null, "--force and --timeout need --bundle");
        Findings findings = new Findings();
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

    private int bundle(MachineTree machine, Path target) {
        require(!quiet, "--bundle writes all findings; remedy: leave out -q");
        Integer seconds = timeoutSeconds;
        require(seconds == null || seconds > 0, "--timeout: from 1");
        require(
                String.valueOf(target.getFileName()).endsWith(Bundle.SUFFIX),
                "--bundle: " + target + " does not end in .zip");
        require(!Files.isDirectory(target), "--bundle: " + target + " is a directory");
        require(
                force || !Files.exists(target),
                "--bundle: " + target + " exists; remedy: name another file, or add --force");
        Path directory = target.toAbsolutePath().getParent();
        require(directory != null && Files.isDirectory(directory), "--bundle: no directory " + directory);

        Bundle report = new Bundle(machine, System.getenv(), line().getErr());
        report.add("machine.json", "system, libraries, adapters, drivers, firmware, settings", MachineFacts::json);
        List<BundlePart> parts = BundleParts.of(seconds);
        if (machine.live()) {
            report.addAll(parts);
        } else {
            Findings findings = new Findings();
            CHECKS.forEach(check -> check.look(machine, findings));
            report.add(parts.getFirst().file(), parts.getFirst().about(), (tree, environment) -> json(findings));
            report.leaveOut(
                    parts.subList(1, parts.size()), "devices cannot be opened from a copy of another machine's files");
        }
        boolean good = report.write(target, force);
        PrintWriter out = out();
        if (json) {
            out.println(report.manifest());
        } else {
            report.print(out);
        }
        out.flush();
        return good ? ExitStatus.OK : ExitStatus.FAILED;
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
