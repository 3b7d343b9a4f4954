/** Programs to learn from: each in a package of its own, started by {@code ./verbs example NAME}. */
module org.panamaverbs.examples {
    requires static org.jspecify;
    requires org.panamaverbs.api;
    requires org.panamaverbs.channel;
}
