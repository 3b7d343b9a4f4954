/** The iWARP provider: RDMAP, DDP and MPA in Java over TCP. */
module org.panamaverbs.iwarp {
    requires org.panamaverbs.api;
    requires org.panamaverbs.memory;
    requires static org.jspecify;
}
