package org.panamaverbs.sockets.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs {@link Rstream} and {@link Riostream} many times in one process, in {@code provider/lab/rsockets}: to start one
 * takes most of a minute in the VM. Each line of the standard input is {@code LOG PROGRAM ARGUMENT...}, run at once on
 * a thread of its own: what it prints is in LOG, and then its exit status in LOG.rc.
 */
final class Runner {
    private Runner() {}

    public static void main(String[] args) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.strip().split(" +");
            Thread.ofPlatform().name(words[0]).start(() -> run(words));
        }
    }

    private static void run(String[] words) {
        try {
            int status = 0;
            try (PrintStream out = new PrintStream(words[0], StandardCharsets.UTF_8)) {
                String[] arguments = Arrays.copyOfRange(words, 2, words.length);
                switch (words[1]) {
                    case "Rstream" -> Rstream.run(arguments, out);
                    case "Riostream" -> Riostream.run(arguments, out);
                    default -> throw new IllegalArgumentException("no program " + words[1]);
                }
            } catch (IOException | RuntimeException e) {
                Files.writeString(Path.of(words[0]), e + "\n" + Arrays.toString(e.getStackTrace()) + "\n");
                status = 1;
            }
            Path ended = Path.of(words[0] + ".ending");
            Files.writeString(ended, status + "\n");
            Files.move(ended, Path.of(words[0] + ".rc"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
