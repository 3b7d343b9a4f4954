/** The {@code verbs} command: decode, demo, devinfo, doctor, perf, rping, sockets, top. */
@SuppressWarnings("requires-automatic") // HdrHistogram has no module descriptor
module org.panamaverbs.cli {
    requires static org.jspecify;
    requires com.google.gson;
    requires info.picocli;
    requires HdrHistogram;
    requires java.management;
    requires jdk.attach;
    requires jdk.jfr;
    requires jdk.management.jfr;
    requires org.panamaverbs.api;
    requires org.panamaverbs.iwarp;
    requires org.panamaverbs.memory;
    requires org.panamaverbs.sockets;

    opens org.panamaverbs.cli to
            info.picocli;
    opens org.panamaverbs.cli.command to
            info.picocli;
    opens org.panamaverbs.cli.decode to
            info.picocli;
    opens org.panamaverbs.cli.demo to
            info.picocli;
    opens org.panamaverbs.cli.doctor to
            info.picocli;
    opens org.panamaverbs.cli.perf to
            info.picocli;
    opens org.panamaverbs.cli.rping to
            info.picocli;
    opens org.panamaverbs.cli.sockets to
            info.picocli;
    opens org.panamaverbs.cli.top to
            info.picocli;

    provides System.LoggerFinder with
            org.panamaverbs.cli.QuietLoggerFinder;
}
