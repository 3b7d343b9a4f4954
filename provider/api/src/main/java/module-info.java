/**
 * The verbs API and the SPI of its providers. Applications use the packages {@code org.panamaverbs.api..}; those of
 * {@code org.panamaverbs.spi..} are for providers.
 */
module org.panamaverbs.api {
    requires static transitive org.jspecify;
    // Events of Flight Recorder, where the runtime has it.
    requires static jdk.jfr;
    requires transitive org.panamaverbs.memory;

    // For applications.
    exports org.panamaverbs.api;
    exports org.panamaverbs.api.cm;
    exports org.panamaverbs.api.cm.outofband;
    exports org.panamaverbs.api.device;
    exports org.panamaverbs.api.ext;
    exports org.panamaverbs.api.util;

    // For providers.
    exports org.panamaverbs.spi;
    exports org.panamaverbs.spi.software;
    exports org.panamaverbs.spi.support;
    exports org.panamaverbs.spi.watch;

    uses org.panamaverbs.spi.VerbsProvider;
}
