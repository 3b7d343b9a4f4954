/** The iWARP provider: RDMAP, DDP and MPA in Java over TCP. */
module org.panamaverbs.iwarp {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;
    requires org.panamaverbs.memory;

    exports org.panamaverbs.iwarp;

    provides org.panamaverbs.api.spi.VerbsProvider with
            org.panamaverbs.iwarp.IwarpProvider;
}
