package org.panamaverbs.iwarp.net.unix;

import java.util.List;

/** A user who has nothing here, and whom only root can become. */
public final class OtherUser {
    public static final int NUMBER = 12_345;

    /** Starts the command behind it as this user. */
    public static final List<String> STARTER = List.of("setpriv", "--reuid=" + NUMBER, "--clear-groups", "--");

    private OtherUser() {}
}
