/** The iWARP provider: RDMAP, DDP and MPA in Java over TCP. */
@SuppressWarnings("module") // whoever compiles this module alone has no cli beside it
module org.panamaverbs.iwarp {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;
    requires jdk.net;
    requires org.panamaverbs.bindings;
    requires org.panamaverbs.memory;

    exports org.panamaverbs.iwarp;
    exports org.panamaverbs.iwarp.wire to
            org.panamaverbs.cli;

    provides org.panamaverbs.spi.VerbsProvider with
            org.panamaverbs.iwarp.IwarpProvider;
}
