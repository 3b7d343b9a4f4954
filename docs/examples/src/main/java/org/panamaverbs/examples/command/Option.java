package org.panamaverbs.examples.command;

/**
 * An option of an example, {@code --name value}.
 *
 * @param name without the dashes
 * @param value what stands for its value in the help
 * @param usual the value where it is not given
 * @param text what it does, for the help
 */
public record Option(String name, String value, String usual, String text) {}
