/**
 * The verbs API that applications program against, and the SPI that providers implement.
 *
 * <p>Start at {@link org.panamaverbs.api.Verbs#open()}.
 */
module org.panamaverbs.api {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.memory;

    exports org.panamaverbs.api;
    exports org.panamaverbs.api.spi;

    uses org.panamaverbs.api.spi.VerbsProvider;
}
