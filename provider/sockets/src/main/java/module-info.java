/** Sockets of java.nio over RDMA, by the protocol of rdma-core's rsockets. */
module org.panamaverbs.sockets {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;
    requires static java.instrument;
    requires jdk.net;

    exports org.panamaverbs.sockets;
    exports org.panamaverbs.sockets.rules;
}
