package org.panamaverbs.cli.doctor;

/**
 * What a check found.
 *
 * @param check the name of the check
 * @param text what is so, with its numbers
 * @param remedy what to do, empty if nothing is to be done
 * @param command the command that does it, empty if no single one does; what it needs beyond is said in capitals
 */
record Finding(Severity severity, String check, String text, String remedy, String command) {}
