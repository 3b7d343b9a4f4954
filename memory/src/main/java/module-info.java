/** Registered memory and the words that describe it on the wire. */
module org.panamaverbs.memory {
    // Only annotations: nothing of it is needed to run.
    requires static transitive org.jspecify;
    requires org.panamaverbs.bindings;

    exports org.panamaverbs.memory;
}
