package org.panamaverbs.api.cm.outofband;

/** The sizes of packets and their codes, {@code enum ibv_mtu}: 1 for 256 bytes, each twice the one before. */
final class PathMtu {
    /** For messages. */
    static final String ALL = "256, 512, 1024, 2048 or 4096";

    private static final int BEFORE_FIRST = 128;
    private static final int CODES = 5;

    private PathMtu() {}

    /** Returns whether packets may have {@code bytes}. */
    static boolean exists(int bytes) {
        return code(bytes) != 0;
    }

    /** Returns the code of {@code bytes}, 0 if there is none. */
    static int code(int bytes) {
        for (int code = 1; code <= CODES; code++) {
            if (bytes(code) == bytes) {
                return code;
            }
        }
        return 0;
    }

    /** Returns the bytes of {@code code}, 0 if there are none. */
    static int bytes(int code) {
        return code < 1 || code > CODES ? 0 : BEFORE_FIRST << code;
    }
}
