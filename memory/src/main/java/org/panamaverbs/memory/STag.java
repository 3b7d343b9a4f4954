package org.panamaverbs.memory;

/**
 * A Steering Tag.
 *
 * @param value the tag
 */
public record STag(int value) {
    public static STag of(int value) {
        return new STag(value);
    }
}
