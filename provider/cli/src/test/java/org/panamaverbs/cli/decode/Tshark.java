package org.panamaverbs.cli.decode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs tshark, which shares no code with us. */
final class Tshark {
    /** Bound of one run, for a machine that does much else. */
    private static final long SECONDS = 120;

    private Tshark() {}

    static boolean isInstalled() {
        try {
            run("--version");
            return true;
        } catch (UncheckedIOException e) {
            return false;
        }
    }

    /** The type, such as FT_BYTES, of each field that its dissectors of iWARP know. */
    static Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        for (String line : run("-G", "fields")) {
            String[] columns = line.split("\t", -1);
            if (columns[0].equals("F") && columns[2].startsWith("iwarp_") && !columns[3].equals("FT_NONE")) {
                fields.put(columns[2], columns[3]);
            }
        }
        return fields;
    }

    /** The values of these fields in each frame that has some, by frame number. */
    static Map<Long, Map<String, List<String>>> values(Path capture, List<String> fields) {
        List<String> arguments = new ArrayList<>(List.of("-T", "fields", "-E", "occurrence=a", "-E", "aggregator=|"));
        arguments.addAll(List.of("-e", "frame.number"));
        fields.forEach(field -> arguments.addAll(List.of("-e", field)));
        Map<Long, Map<String, List<String>>> frames = new LinkedHashMap<>();
        for (String line : dissect(capture, arguments)) {
            String[] columns = line.split("\t", -1);
            Map<String, List<String>> values = new HashMap<>();
            for (int i = 1; i < columns.length; i++) {
                if (!columns[i].isEmpty()) {
                    values.put(fields.get(i - 1), List.of(columns[i].split("\\|", -1)));
                }
            }
            if (!values.isEmpty()) {
                frames.put(Long.valueOf(columns[0]), values);
            }
        }
        return frames;
    }

    /** What it prints of a capture. Two heuristics for what is in Sends are off: they guess at short ones. */
    static List<String> dissect(Path capture, List<String> arguments) {
        List<String> all = new ArrayList<>(List.of("-n", "-r", capture.toString()));
        all.addAll(List.of("--disable-protocol", "rpcordma", "--disable-protocol", "smb_direct"));
        all.addAll(arguments);
        return run(all.toArray(new String[0]));
    }

    private static List<String> run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("tshark"));
        command.addAll(Arrays.asList(arguments));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + " failed");
            }
            return out.lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
