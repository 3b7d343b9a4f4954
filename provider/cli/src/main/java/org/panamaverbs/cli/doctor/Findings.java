package org.panamaverbs.cli.doctor;

import java.util.ArrayList;
import java.util.List;

/** What all checks found, in their order. */
final class Findings {
    private final List<Finding> all = new ArrayList<>();

    /** Adds that nothing is to be done. */
    void ok(String check, String text) {
        add(Severity.OK, check, text, "", "");
    }

    /** Adds what works and could be better, or cannot be told from files. */
    void note(String check, String text, String remedy, String command) {
        add(Severity.NOTE, check, text, remedy, command);
    }

    /** Adds what does not work, or works badly, in part. */
    void warning(String check, String text, String remedy, String command) {
        add(Severity.WARNING, check, text, remedy, command);
    }

    /** Adds what prevents the use of RDMA devices. */
    void error(String check, String text, String remedy, String command) {
        add(Severity.ERROR, check, text, remedy, command);
    }

    void add(Severity severity, String check, String text, String remedy, String command) {
        all.add(new Finding(severity, check, text, remedy, command));
    }

    /** Makes warnings of all errors: nobody needs what they are about. */
    void demoteErrors() {
        all.replaceAll(finding -> finding.severity() == Severity.ERROR
                ? new Finding(Severity.WARNING, finding.check(), finding.text(), finding.remedy(), finding.command())
                : finding);
    }

    List<Finding> all() {
        return List.copyOf(all);
    }

    long count(Severity severity) {
        return all.stream().filter(finding -> finding.severity() == severity).count();
    }

    /**
     * What a check found.
     *
     * @param check the name of the check
     * @param text what is so, with its numbers
     * @param remedy what to do, empty if nothing is to be done
     * @param command the command that does it, empty if no single one does; what it needs beyond is said in capitals
     */
    record Finding(Severity severity, String check, String text, String remedy, String command) {}
}
