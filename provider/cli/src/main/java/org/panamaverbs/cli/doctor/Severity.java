package org.panamaverbs.cli.doctor;

import java.util.Locale;

/** How much a finding matters, from nothing to everything. */
enum Severity {
    /** Nothing is to be done. */
    OK,
    /** It works; it could be faster, or nobody can tell from files. */
    NOTE,
    /** Some of it does not work, or it works badly. */
    WARNING,
    /**
     * What this machine has, or what was asked for, cannot be used until it is mended. A machine without RDMA devices
     * that has a provider which needs none is warned of what concerns them.
     */
    ERROR;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
