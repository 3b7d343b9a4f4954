import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.panamaverbs.cli.VerbsCommand;
import picocli.CommandLine;

/**
 * Runs the command `verbs` many times in one process, since to start one takes most of a minute in the VM. Each line of the standard input
 * is `LOG ARGUMENT...`, run at once on a thread of its own: what it prints is in LOG, and then its exit status in LOG.rc.
 */
public class VerbsRunner {
    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.strip().split(" +");
            Thread.ofPlatform().name(words[0]).start(() -> run(Path.of(words[0]), Arrays.copyOfRange(words, 1, words.length)));
        }
    }

    private static void run(Path log, String[] arguments) {
        try {
            int status;
            try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(log), true)) {
                CommandLine command = VerbsCommand.commandLine();
                command.setOut(out);
                command.setErr(out);
                status = command.execute(arguments);
            }
            Path ended = Path.of(log + ".ending");
            Files.writeString(ended, status + "\n");
            Files.move(ended, Path.of(log + ".rc"));
        } catch (IOException e) {
            e.printStackTrace();
        }
    }
}
