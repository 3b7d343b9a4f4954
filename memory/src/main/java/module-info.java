/** Registered memory and the words that describe it on the wire. */
@SuppressWarnings("module") // whoever compiles this module alone has no provider beside it
module org.panamaverbs.memory {
    // Only annotations: nothing of it is needed to run.
    requires static transitive org.jspecify;
    requires org.panamaverbs.bindings;

    exports org.panamaverbs.memory;
    exports org.panamaverbs.memory.access to
            org.panamaverbs.ibverbs,
            org.panamaverbs.iwarp;
}
