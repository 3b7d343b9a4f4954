package org.panamaverbs.examples.file;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.panamaverbs.examples.command.Arguments;
import org.panamaverbs.examples.command.Example;
import org.panamaverbs.examples.command.Option;
import org.panamaverbs.examples.command.TwoEnds;
import org.panamaverbs.examples.command.UsageException;

/** The server lends a file's memory to be read; the client fetches it into a file of its own. */
public final class FileCopy implements Example {
    private static final int MEBIBYTE = 1 << 20;

    @Override
    public String name() {
        return "file";
    }

    @Override
    public String summary() {
        return "a file fetched by RDMA Reads from mapped memory, with progress";
    }

    @Override
    public List<Option> options() {
        return TwoEnds.options(
                new Option("from", "FILE", "", "server: what to lend; without, a temporary file of --size"),
                new Option("to", "FILE", "", "client: where to write it, anew; without, a temporary file"),
                new Option("size", "MIB", "64", "the size of the temporary file"),
                new Option("piece", "KIB", "1024", "client: how much one Read fetches"),
                new Option("depth", "N", "8", "client: how many Reads are outstanding"));
    }

    @Override
    public void run(Arguments arguments, PrintWriter out) throws Exception {
        String from = arguments.text("from");
        String to = arguments.text("to");
        if (!from.isEmpty() && !(Files.isRegularFile(Path.of(from)) && Files.isReadable(Path.of(from)))) {
            throw new UsageException("--from: there is no file " + from + " that can be read");
        }
        long size = (long) arguments.number("size", 1, 1 << 16) * MEBIBYTE;
        int piece = arguments.number("piece", 1, 1 << 20) << 10;
        int depth = arguments.number("depth", 1, 1024);
        TwoEnds.run(arguments, out, ends -> serve(ends, from, size), ends -> fetch(ends, to, piece, depth));
    }

    private static void serve(TwoEnds ends, String from, long size) throws IOException {
        if (!from.isEmpty()) {
            FileServer.run(ends, Path.of(from));
            return;
        }
        Path made = temporary();
        try {
            fill(made, size);
            FileServer.run(ends, made);
        } finally {
            Files.delete(made);
        }
    }

    private static void fetch(TwoEnds ends, String to, int piece, int depth) throws Exception {
        if (!to.isEmpty()) {
            FileClient.run(ends, Path.of(to), piece, depth);
            return;
        }
        Path made = temporary();
        try {
            FileClient.run(ends, made, piece, depth);
        } finally {
            Files.delete(made);
        }
    }

    private static Path temporary() throws IOException {
        Path made = Files.createTempFile("verbs-example-", ".bin");
        made.toFile().deleteOnExit(); // also after Ctrl-C
        return made;
    }

    private static void fill(Path file, long size) throws IOException {
        byte[] block = new byte[MEBIBYTE];
        Random random = new Random(0);
        try (var stream = Files.newOutputStream(file)) {
            for (long written = 0; written < size; written += block.length) {
                random.nextBytes(block);
                stream.write(block);
            }
        }
    }
}
