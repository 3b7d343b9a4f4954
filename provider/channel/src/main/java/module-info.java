/** Message channels with flow control over the verbs of any provider. */
module org.panamaverbs.channel {
    requires static jdk.jfr;
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;

    exports org.panamaverbs.channel;
}
