package org.panamaverbs.testkit.faults;

/** What is done over and over while one allocation of it fails, loaded by {@link FaultyClasses}. */
public interface FaultScenario extends AutoCloseable {
    /** Does everything once; may throw whatever a fault of memory makes of it. */
    void run() throws Exception;

    /**
     * Closes what {@link #run} has left open, and looks whether everything goes on as if nothing had been.
     *
     * @throws AssertionError if something does not
     */
    void recover() throws Exception;

    @Override
    void close();
}
