/** The ibverbs provider: libibverbs and librdmacm through the Foreign Function and Memory API. */
module org.panamaverbs.ibverbs {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;
    requires org.panamaverbs.bindings;
    requires org.panamaverbs.memory;

    exports org.panamaverbs.ibverbs;

    provides org.panamaverbs.spi.VerbsProvider with
            org.panamaverbs.ibverbs.IbverbsProvider;
}
