/**
 * A provider by a third party: queue pairs of one process that copy memory to each other.
 *
 * <p>It requires the api and the memory module alone, so that the compiler refuses it whatever they do not export.
 */
module org.panamaverbs.local {
    requires static org.jspecify;
    requires org.panamaverbs.api;
    requires org.panamaverbs.memory;

    provides org.panamaverbs.spi.VerbsProvider with
            org.panamaverbs.local.LocalProvider,
            org.panamaverbs.memcpy.MemcpyProvider;
}
