/** Meters of Micrometer for what an open device of verbs counts. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptor
module org.panamaverbs.micrometer {
    requires static org.jspecify;
    requires transitive micrometer.core;
    requires transitive org.panamaverbs.api;

    exports org.panamaverbs.micrometer;
}
