package org.panamaverbs.iwarp.engine.device;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Which number a network interface has as a port of the device: from 1, the loopback last, the others by the system's
 * indexes. An interface keeps its number while others come and go, and no other interface gets it later; interfaces
 * that come later have the next numbers. Any thread.
 */
final class PortNumbers {
    private final Map<Integer, Integer> ofIndex = new HashMap<>();

    /** Returns the numbers of the interfaces {@code present}, in their order. */
    synchronized <T> List<Integer> of(List<T> present, ToIntFunction<T> index, Predicate<T> loopback) {
        present.stream()
                .sorted(Comparator.comparing((T each) -> loopback.test(each)).thenComparingInt(index))
                .forEach(each -> ofIndex.putIfAbsent(index.applyAsInt(each), ofIndex.size() + 1));
        return present.stream().map(each -> ofIndex.get(index.applyAsInt(each))).toList();
    }
}
