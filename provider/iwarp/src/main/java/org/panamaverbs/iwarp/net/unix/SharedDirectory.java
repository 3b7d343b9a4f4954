package org.panamaverbs.iwarp.net.unix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** A directory in which a name is worth as much as those who may write there. */
public final class SharedDirectory {
    private static final int OTHERS_WRITE = 0022;
    private static final int STICKY = 01000;

    private SharedDirectory() {}

    /**
     * Holds that nobody but root and this user can change what others have put into {@code directory}: that one of them
     * owns it, and that it is sticky if others may write.
     *
     * @throws IOException if that is not so, with what helps
     */
    public static void check(Path directory) throws IOException {
        Map<String, Object> facts = Files.readAttributes(directory, "unix:uid,mode,isDirectory");
        int owner = (Integer) Objects.requireNonNull(facts.get("uid"));
        int mode = (Integer) Objects.requireNonNull(facts.get("mode"));
        if (!Boolean.TRUE.equals(facts.get("isDirectory"))) {
            throw new IOException(directory + " is no directory");
        }
        if (owner != 0 && owner != PeerUser.effectiveUser()) {
            throw new IOException(directory + " belongs to user " + Integer.toUnsignedString(owner)
                    + "; take a directory of root or of this user, " + PeerUser.effectiveUser());
        }
        if ((mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0) {
            throw new IOException(String.format(
                    "others may write to %s and remove each other's files (mode %o); chmod +t %s",
                    directory, mode & 07777, directory));
        }
    }
}
