/**
 * The conformance suite that every provider of verbs runs, and the fixtures it is made of.
 *
 * <p>A provider proves itself with one class: see {@link org.panamaverbs.testkit.RunsOn}.
 */
module org.panamaverbs.testkit {
    requires static transitive org.jspecify;
    requires transitive org.panamaverbs.api;
    requires transitive org.junit.jupiter.api;
    requires transitive org.junit.jupiter.params;
    // There wherever tests are run: what runs them is a launcher.
    requires static org.junit.platform.launcher;
    requires org.assertj.core;
    requires net.bytebuddy;
    requires java.management;
    requires jdk.management;

    exports org.panamaverbs.testkit;
    exports org.panamaverbs.testkit.conformance;
    exports org.panamaverbs.testkit.conformance.connection;
    exports org.panamaverbs.testkit.conformance.event;
    exports org.panamaverbs.testkit.conformance.operation;
    exports org.panamaverbs.testkit.conformance.order;
    exports org.panamaverbs.testkit.conformance.protection;
    exports org.panamaverbs.testkit.conformance.queue;
    exports org.panamaverbs.testkit.faults;
    exports org.panamaverbs.testkit.network;
    exports org.panamaverbs.testkit.process;
    exports org.panamaverbs.testkit.random;

    // The engine calls test methods, which are package-private as usual.
    opens org.panamaverbs.testkit to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.connection to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.event to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.operation to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.order to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.protection to
            org.junit.platform.commons;
    opens org.panamaverbs.testkit.conformance.queue to
            org.junit.platform.commons;
}
