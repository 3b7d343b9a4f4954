package org.panamaverbs.cli.decode.tcp;

/** Why octets are missing that were sent. */
public enum Gap {
    /** Their frame was captured in part. */
    CUT_OFF("their frame was captured only in part", true),
    /** The receiver acknowledged them, and they did not come. */
    ACKNOWLEDGED("they were acknowledged, but are not in the capture", false),
    /** They had not come when too much had come behind them. */
    TOO_MUCH_BEHIND("too much data waits after them", false),
    /** They had not come when there was no memory for what came behind them. */
    NO_MEMORY("the memory for the data after them is used up", false),
    /** They had not come when the capture or the connection was over. */
    NOT_CAPTURED("they are not in the capture", false);

    private final String text;
    private final boolean usual;

    Gap(String text, boolean usual) {
        this.text = text;
        this.usual = usual;
    }

    /** The reason in words. */
    public String text() {
        return text;
    }

    /** True when a capture that has one such gap has many, for the way it was taken. */
    public boolean usual() {
        return usual;
    }
}
