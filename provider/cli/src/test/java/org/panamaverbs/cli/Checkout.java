package org.panamaverbs.cli;

import java.nio.file.Path;

/** Where the tests run. */
final class Checkout {
    /** The top of the checkout. */
    static final Path ROOT = module().resolve("../..").normalize();

    private Checkout() {}

    /** Returns the directory of this module; Maven runs tests there. */
    static Path module() {
        return Path.of(System.getProperty("basedir", "")).toAbsolutePath();
    }
}
