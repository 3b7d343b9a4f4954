package org.panamaverbs.cli;

import java.io.PrintWriter;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.cli.demo.DemoCommand;
import org.panamaverbs.cli.demo.DemoPeerCommand;
import org.panamaverbs.cli.rping.RpingCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** The {@code verbs} command line. */
@Command(
        name = "verbs",
        description = "RDMA verbs for modern Java.",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        subcommands = {DemoCommand.class, DemoPeerCommand.class, DevinfoCommand.class, RpingCommand.class},
        commandListHeading = "%nCommands:%n",
        footerHeading = "%nEnvironment:%n",
        footer = {
            "  VERBS_PROVIDER   ibverbs, iwarp, or auto for the best one here (default)",
            "  VERBS_DEVICE     the device (default: the provider's first one)",
            "`verbs COMMAND --help` explains a command."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything asked for was done, and every check held",
            "1:something failed; the reason is on the standard error",
            "2:the command line was wrong"
        })
public final class VerbsCommand implements Runnable {
    @SuppressWarnings("NullAway.Init") // picocli injects it
    @Spec
    private CommandSpec spec;

    /** Runs the command line and ends the process with its {@link ExitStatus}. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** Returns the parser with all commands, which never ends the process; tests give it their own writers. */
    public static CommandLine commandLine() {
        CommandLine commandLine = new CommandLine(new VerbsCommand());
        commandLine.setExecutionExceptionHandler(VerbsCommand::explain);
        commandLine.setCaseInsensitiveEnumValuesAllowed(true);
        return commandLine;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Missing command");
    }

    private static int explain(Exception failure, CommandLine command, ParseResult parsed) {
        PrintWriter err = command.getErr();
        if (failure instanceof CommandFailure || failure instanceof VerbsException) {
            err.println(command.getCommandSpec().qualifiedName() + ": " + failure.getMessage());
        } else {
            err.println(command.getCommandSpec().qualifiedName() + ": internal error, please report it");
            failure.printStackTrace(err);
        }
        err.flush();
        return ExitStatus.FAILED;
    }
}
