package org.panamaverbs.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.Map;
import java.util.stream.Collectors;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.StandardOutput;
import org.panamaverbs.cli.decode.DecodeCommand;
import org.panamaverbs.cli.demo.DemoCommand;
import org.panamaverbs.cli.doctor.DoctorCommand;
import org.panamaverbs.cli.perf.PerfCommand;
import org.panamaverbs.cli.rping.RpingCommand;
import org.panamaverbs.cli.sockets.SocketsCommand;
import org.panamaverbs.cli.top.TopCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The {@code verbs} command line. */
@Command(
        name = "verbs",
        description = "RDMA verbs for modern Java.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        subcommands = {
            DecodeCommand.class,
            DemoCommand.class,
            DevinfoCommand.class,
            DoctorCommand.class,
            PerfCommand.class,
            RpingCommand.class,
            SocketsCommand.class,
            TopCommand.class,
            HelpCommand.class
        },
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nEnvironment:%n",
        footer = {
            "  VERBS_PROVIDER   ibverbs, iwarp, or auto for the best one here (default)",
            "  VERBS_DEVICE     the device (default: the provider's first one)",
            "`verbs COMMAND --help` explains a command.",
            "",
            "The launcher of a checkout, ./verbs, also has:",
            "  example          runs a program of docs/examples; without a name it lists them",
            "  jdk              prints the directory of the JDK that it uses"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything requested was done, and every check passed",
            "1:something failed; the reason is on the standard error",
            "2:the command line was wrong, or names something that does not exist"
        })
public final class VerbsCommand implements Runnable {
    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec
    private CommandSpec spec;

    /** Runs the command line and ends the process with its {@link ExitStatus}. */
    public static void main(String[] args) {
        CommandLine commandLine = commandLine();
        commandLine.setExecutionStrategy(parsed -> run(parsed, StandardOutput.isPipe()));
        PrintStream out = System.out;
        // A writer made from the stream itself knows the stream's errors.
        commandLine.setOut(new PrintWriter(out, true, out.charset()));
        System.exit(commandLine.execute(args));
    }

    /** Returns the parser with all commands, which never ends the process; tests give it their own writers. */
    public static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new VerbsCommand());
        commandLine.setExecutionStrategy(parsed -> run(parsed, false));
        commandLine.setExecutionExceptionHandler(VerbsCommand::explain);
        commandLine.setParameterExceptionHandler((wrong, arguments) -> explain(wrong));
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        return commandLine;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    /**
     * Runs the command; what it did counts only if all that it printed was taken. Nothing is said where the reader of a
     * pipe has left, as {@code head} does when it has enough.
     */
    private static int run(ParseResult parsed, boolean pipe) {
        int status = new RunLast().execute(parsed);
        CommandLine command = parsed.commandSpec().commandLine();
        if (command.getOut().checkError()) {
            if (!pipe) {
                command.getErr()
                        .println("verbs: cannot write to the standard output: it is closed, or its file system is"
                                + " full");
                command.getErr().flush();
            }
            return ExitStatus.FAILED;
        }
        return status;
    }

    /** Says how the command is used in a line or two, and then, where it is seen, what is wrong. */
    private static int explain(ParameterException wrong) {
        return explainUsage(wrong.getCommandLine(), String.valueOf(wrong.getMessage()));
    }

    private static int explainUsage(CommandLine command, String reason) {
        String name = command.getCommandSpec().qualifiedName();
        PrintWriter err = command.getErr();
        err.println(
                "Usage: " + command.getHelp().abbreviatedSynopsis().strip() + "; `" + name + " --help` explains it");
        if (!command.getSubcommands().isEmpty()) {
            err.println("Commands: "
                    + command.getSubcommands().entrySet().stream()
                            .filter(entry -> !entry.getValue()
                                    .getCommandSpec()
                                    .usageMessage()
                                    .hidden())
                            .map(Map.Entry::getKey)
                            .collect(Collectors.joining(", ")));
        }
        err.println(name + ": " + reason);
        err.flush();
        return ExitStatus.USAGE;
    }

    private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        if (failure instanceof CommandFailure expected && expected.exitStatus() == ExitStatus.USAGE) {
            return explainUsage(command, String.valueOf(expected.getMessage()));
        }
        PrintWriter err = command.getErr();
        if (failure instanceof CommandFailure || failure instanceof VerbsException) {
            err.println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        } else {
            err.println(command.getCommandSpec().qualifiedName() + ": internal error; remedy: report it");
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitStatus.FAILED;
    }
}
