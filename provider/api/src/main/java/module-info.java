/**
 * The verbs API that applications program against, the SPI that providers implement, and what each of them needs for
 * it.
 *
 * <p>Start at {@link org.panamaverbs.api.Verbs#open()}.
 */
module org.panamaverbs.api {
    requires static transitive org.jspecify;
    // Events of Flight Recorder, where the runtime has it.
    requires static jdk.jfr;
    requires transitive org.panamaverbs.memory;

    exports org.panamaverbs.api;
    exports org.panamaverbs.api.outofband;
    exports org.panamaverbs.api.clock;
    exports org.panamaverbs.api.ethernet;
    exports org.panamaverbs.api.iwarp;
    exports org.panamaverbs.api.recovery;
    exports org.panamaverbs.api.software;
    exports org.panamaverbs.api.spi;
    exports org.panamaverbs.api.statistics;
    exports org.panamaverbs.api.support;
    exports org.panamaverbs.api.watch;
    exports org.panamaverbs.api.xrc;

    uses org.panamaverbs.api.spi.VerbsProvider;
}
