package org.panamaverbs.cli.command;

/** What the process answers. */
public final class ExitStatus {
    /** Everything asked for was done, and every check held. */
    public static final int OK = 0;
    /** Something failed: a check, a connection, a deadline, no provider. The reason is on the standard error. */
    public static final int FAILED = 1;
    /** The command line was wrong; nothing was done. */
    public static final int USAGE = 2;

    private ExitStatus() {}
}
