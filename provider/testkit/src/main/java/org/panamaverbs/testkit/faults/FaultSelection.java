package org.panamaverbs.testkit.faults;

/**
 * Which places a run tries, as system properties say: {@code faults.stride} of 1 tries all, otherwise every so manieth,
 * beginning at {@code faults.first}; {@code faults.at} only those whose names contain it.
 *
 * @param stride 1 or more
 * @param first the index that the first place to try is counted from
 * @param at what a name contains
 * @param failures how many allocations fail in a row, {@code faults.failures}
 */
public record FaultSelection(int stride, int first, String at, int failures) {
    /** Returns what the properties say, with {@code stride} where they do not say one. */
    public static FaultSelection ofProperties(int stride) {
        return new FaultSelection(
                Integer.getInteger("faults.stride", stride),
                Integer.getInteger("faults.first", 0),
                System.getProperty("faults.at", ""),
                Integer.getInteger("faults.failures", 1));
    }

    /** Tells whether the place {@code name}, at {@code index} of those that are passed, is tried. */
    public boolean accepts(int index, String name) {
        return (index - first) % stride == 0 && name.contains(at);
    }
}
