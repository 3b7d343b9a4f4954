package org.panamaverbs.testkit;

/**
 * What the specifications promise of every device, and some are known to break. The suite asks for each, except of the
 * devices that {@link ProviderUnderTest#broken} names: there the tests that rest on it are skipped with this reason.
 */
public enum Guarantee {
    /** RFC 5040 section 5.5, item 15: the requests of a send queue complete in the order of their posting. */
    COMPLETION_ORDER("a Send or Write completes before the Read that was posted before it"),
    /** RFC 5040 section 5.3: a solicited message raises an event where one is armed for. */
    SOLICITED_EVENTS("no message raises the event that is armed for solicited ones"),
    /** What is posted to a queue pair that has failed completes, flushed. */
    FLUSH_AFTER_FAILURE("what is posted to a failed queue pair never completes");

    private final String otherwise;

    Guarantee(String otherwise) {
        this.otherwise = otherwise;
    }

    /** Returns what happens where it is broken. */
    public String otherwise() {
        return otherwise;
    }
}
