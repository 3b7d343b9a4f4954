/** Registered memory and the words that describe it on the wire. */
module org.panamaverbs.memory {
    requires static org.jspecify;

    exports org.panamaverbs.memory;
}
