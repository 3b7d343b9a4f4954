package org.panamaverbs.cli.decode;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.panamaverbs.cli.command.BuildVersion;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.ExitStatus;
import org.panamaverbs.cli.command.Subcommand;
import org.panamaverbs.cli.decode.capture.CaptureException;
import org.panamaverbs.cli.decode.dissect.Names;
import org.panamaverbs.cli.decode.iwarp.Assumption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verbs decode}: prints the MPA frames and FPDUs of a capture. */
@Command(
        name = "decode",
        mixinStandardHelpOptions = true,
        versionProvider = BuildVersion.class,
        sortOptions = false,
        description = {
            "Print the iWARP in a capture: MPA, DDP and RDMAP, with Immediate Data and atomics (RFC 7306).",
            "Reads pcap and pcapng, as tcpdump, tshark and Wireshark write them."
        },
        footerHeading = "%nA line is printed for each FPDU:%n",
        footer = {
            "  0.006000  7  1 <  Send  MSN 3 MO 0, 5 octets, last",
            "It has the seconds since the first packet; the frames of the capture; the",
            "connection, > from the side that opened it and < to it; the message; fields.",
            "A line with ! says what is wrong with the FPDU above it; one with * is a note",
            "about the capture. The guide's page decode lists the names in JSON.",
            "",
            "Examples:",
            "  verbs decode -v --connection 2 x.pcap        all fields of one connection",
            "  verbs decode --only terminate,bad x.pcap     what went wrong",
            "  tcpdump -i lo -U -w - tcp | verbs decode -   while it happens"
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:nothing is wrong with the iWARP in the capture, whether all of it was printed or not",
            "1:something is malformed, out of order or has a bad CRC; the file is not a capture, damaged or cut off;"
                    + " too little of its packets was captured to see iWARP; or a requested connection is not in it",
            "2:the command line was wrong"
        })
public final class DecodeCommand extends Subcommand {
    private static final String STANDARD_INPUT = "-";

    @Parameters(
            paramLabel = "FILE",
            arity = "0..1",
            hideParamSyntax = true,
            description = "The capture; - for the standard input.")
    private String file = "";

    @Option(
            names = {"-v", "--verbose"},
            description = "Print all fields.")
    private boolean verbose;

    @Option(
            names = {"-x", "--hex"},
            description = "Print the payload, too.")
    private boolean hex;

    @Option(names = "--json", description = "Print a JSON object for each FPDU, one a line.")
    private boolean json;

    @Option(
            names = "--connection",
            paramLabel = "N",
            split = ",",
            description = "Print these connections only; they are numbered from 1 as iWARP is found.")
    private List<Integer> connections = List.of();

    @Option(
            names = "--only",
            paramLabel = "KIND",
            split = ",",
            description = {
                "Print these kinds only: mpa, write, read, send, terminate, immediate, atomic, tcp (fin and rst), note,"
                        + " bad (what is wrong), or one message as JSON names it, such as send-invalidate."
            })
    private List<String> only = List.of();

    @Option(
            names = "--port",
            paramLabel = "PORT",
            split = ",",
            description = "Treat connections with this port as iWARP, even if their MPA frames are not in the capture.")
    private List<Integer> ports = List.of();

    @Option(names = "--mpa", description = "Treat all connections as iWARP.")
    private boolean mpa;

    @Option(names = "--draft-swap", description = "Accept AOpCode 1 as the Swap of draft-ietf-storm-rdmap-ext-01.")
    private boolean draftSwap;

    @Override
    public Integer call() {
        require(!file.isEmpty(), "Missing required parameter: 'FILE'"); // said here, behind what else may be wrong
        Assumption assumption = assumption();
        Filter filter = filter();
        PrintWriter out = out();
        EventPrinter printer = json ? new JsonPrinter(out, hex) : new TextPrinter(out, verbose, hex);
        boolean standardInput = file.equals(STANDARD_INPUT);
        Decoder decoder = new Decoder(printer, filter, assumption);
        try (InputStream stream = standardInput ? System.in : Files.newInputStream(regular(Path.of(file)))) {
            long size = standardInput ? 0 : Files.size(Path.of(file));
            decoder.decode(stream, new Progress(line().getErr(), size), standardInput, out);
        } catch (CaptureException e) {
            throw new CommandFailure(name() + " " + e.getMessage(), e);
        } catch (IOException e) {
            throw new CommandFailure(name() + " cannot be read: " + reason(e), e);
        } finally {
            out.flush();
        }
        if (!out.checkError()) {
            requireSight(decoder.summary());
            requirePresent(decoder.summary().iwarpConnections);
        }
        return decoder.summary().problems == 0 ? ExitStatus.OK : ExitStatus.FAILED;
    }

    /** Complains of a capture that may hold iWARP and shows none, since too little was captured of each packet. */
    private void requireSight(Summary summary) {
        long blind = summary.blindPackets();
        if (blind > 0) {
            throw new CommandFailure(
                    ("%s shows no MPA frame and no FPDU: %d of %d packets were captured only in part, at most %d"
                                    + " octets of each; remedy: capture whole packets (tcpdump -s 0)")
                            .formatted(name(), blind, summary.packets, summary.longestCutOff));
        }
    }

    /** Complains of connections that were asked for and are not among the {@code count} that there are. */
    private void requirePresent(long count) {
        List<Integer> absent = connections.stream()
                .filter(number -> number > count)
                .distinct()
                .sorted()
                .toList();
        if (!absent.isEmpty()) {
            String numbers = absent.stream().map(String::valueOf).collect(Collectors.joining(", "));
            throw new CommandFailure(
                    (absent.size() == 1 ? "connection " + numbers + " is" : "connections " + numbers + " are")
                            + " not in " + name() + ", which has " + count
                            + (count == 1 ? " iWARP connection" : " iWARP connections, numbered from 1"));
        }
    }

    private String name() {
        return file.equals(STANDARD_INPUT) ? "the standard input" : file;
    }

    private static Path regular(Path path) throws IOException {
        if (Files.isDirectory(path)) {
            throw new IOException("it is a directory; remedy: name a capture in it");
        }
        return path;
    }

    private static String reason(IOException failure) {
        return switch (failure) {
            case NoSuchFileException missing -> "no such file; - reads the standard input";
            case AccessDeniedException denied ->
                "permission denied; remedy: change the file's owner, which is root if tcpdump ran as root";
            default -> String.valueOf(failure.getMessage());
        };
    }

    private Assumption assumption() {
        ports.forEach(port -> requirePort(port, 1));
        return new Assumption(mpa, Set.copyOf(ports), draftSwap);
    }

    private Filter filter() {
        for (int connection : connections) {
            require(connection >= 1, "Invalid connection " + connection + " (they are numbered from 1)");
        }
        Set<String> known = new TreeSet<>(Filter.groups());
        known.addAll(Names.kinds());
        for (String kind : only) {
            require(known.contains(kind), "Unknown kind " + kind + " (known are " + String.join(", ", known) + ")");
        }
        return new Filter(Set.copyOf(connections), Set.copyOf(only));
    }
}
