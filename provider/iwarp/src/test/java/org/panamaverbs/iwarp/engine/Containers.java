package org.panamaverbs.iwarp.engine;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** Containers on a bridge of their own, as {@code provider/lab/containers} makes them. */
final class Containers implements AutoCloseable {
    /**
     * Who is in a container.
     *
     * @param user the number outside, or a hyphen for that of this process
     * @param map how the user namespace names it, an option of unshare; a hyphen for no user namespace of its own
     */
    record User(String user, String map) {
        static final User OF_THIS = new User("-", "--map-root-user");
    }

    private final Path script;
    private final Process holder;
    private final String number;

    /** Makes the bridge; the test is skipped, with the reason, where there can be none. */
    Containers() throws IOException {
        script = script();
        holder = new ProcessBuilder(script.toString(), "hold")
                .redirectErrorStream(true)
                .start();
        BufferedReader said = holder.inputReader();
        String line = Objects.requireNonNullElse(said.readLine(), "nothing");
        if (!line.startsWith("holder ")) {
            holder.destroyForcibly();
            abort("no containers can be made here: " + line);
        }
        number = line.substring("holder ".length());
    }

    private static Path script() {
        Path from = Path.of("").toAbsolutePath();
        for (Path up = from; up != null; up = up.getParent()) {
            Path script = up.resolve("provider/lab/containers");
            if (Files.isExecutable(script)) {
                return script;
            }
        }
        return abort("provider/lab/containers is in no directory above " + from);
    }

    /**
     * Starts {@code main} in a container.
     *
     * @param last the last number of its address, 1 to 253
     * @param source the directory that it sees as {@code /mnt/verbs}, behind {@code ro:} to be read alone; a hyphen for
     *     an empty one of its own
     */
    ChildProcess start(int last, User user, String source, Class<?> main, String... arguments) throws IOException {
        List<String> starter =
                List.of(script.toString(), "run", number, address(last), user.user(), user.map(), source);
        return new ChildProcess(starter, main, arguments);
    }

    static String address(int last) {
        return "10.77.0." + last;
    }

    @Override
    public void close() throws IOException {
        holder.getOutputStream().close();
        holder.destroy();
        holder.getInputStream().close();
    }
}
