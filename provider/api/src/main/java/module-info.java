/**
 * The verbs API that applications program against, the SPI that providers implement, and what each of them needs for
 * it.
 *
 * <p>Start at {@link org.panamaverbs.api.Verbs#open()}.
 */
module org.panamaverbs.api {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.memory;

    exports org.panamaverbs.api;
    exports org.panamaverbs.api.byhand;
    exports org.panamaverbs.api.iwarp;
    exports org.panamaverbs.api.spi;
    exports org.panamaverbs.api.support;

    uses org.panamaverbs.api.spi.VerbsProvider;
}
