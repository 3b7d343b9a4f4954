package org.panamaverbs.testkit;

import java.lang.reflect.AnnotatedElement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;

/** A provider under test, and which cases apply to it; one of each type in the whole process. */
final class Applicability {
    private static final Map<Class<? extends ProviderUnderTest>, Applicability> KNOWN = new ConcurrentHashMap<>();

    private final ProviderUnderTest provider;
    // Both sides' devices, opened once; empty before, and where they cannot be opened, which the cases then show.
    private Optional<List<Device>> devices = Optional.empty();
    // The unique identifiers of the cases that were not discovered, by the reason: discovery may be repeated.
    private final Map<String, Set<String>> leftOut = new TreeMap<>();

    private record Device(String name, Capabilities capabilities) {
        static Device of(Supplier<Verbs> opening) {
            try (Verbs verbs = opening.get()) {
                return new Device(verbs.device().name(), verbs.capabilities());
            }
        }

        Optional<String> lacked(Needs needs) {
            for (QueuePairType type : needs.types()) {
                if (!capabilities.queuePairTypes().contains(type)) {
                    return Optional.of("device " + name + " lacks queue pairs of type " + type);
                }
            }
            for (Feature feature : needs.value()) {
                if (!capabilities.has(feature)) {
                    return Optional.of("device " + name + " lacks " + feature);
                }
            }
            return Optional.empty();
        }
    }

    private Applicability(ProviderUnderTest provider) {
        this.provider = provider;
    }

    /** Returns that of the provider of this type, which is created the first time. */
    static Applicability of(Class<? extends ProviderUnderTest> type) {
        return KNOWN.computeIfAbsent(type, key -> new Applicability(instantiate(key)));
    }

    private static ProviderUnderTest instantiate(Class<? extends ProviderUnderTest> type) {
        try {
            var constructor = type.getDeclaredConstructor();
            constructor.setAccessible(true);
            return constructor.newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("@RunsOn names " + type + ", which cannot be created", e);
        }
    }

    ProviderUnderTest provider() {
        return provider;
    }

    /**
     * Returns why the case of {@code method} does not apply, empty if it does.
     *
     * @param method the method, then its class
     * @param tags all tags of the method
     */
    Optional<String> whyNot(RunsOn runsOn, Set<String> tags, AnnotatedElement... method) {
        if (runsOn.carrierOnly() && tags.contains(ApiCase.TAG)) {
            return Optional.of("does not depend on what carries the bytes");
        }
        for (AnnotatedElement each : method) {
            Needs needs = each.getAnnotation(Needs.class);
            if (needs == null) {
                continue;
            }
            for (Device device : devices()) {
                Optional<String> lacked = device.lacked(needs);
                if (lacked.isPresent()) {
                    return lacked;
                }
            }
        }
        return Optional.empty();
    }

    private synchronized List<Device> devices() {
        if (devices.isEmpty()) {
            List<Device> opened = new ArrayList<>();
            try {
                opened.add(Device.of(provider::openA));
                opened.add(Device.of(provider::openB));
            } catch (RuntimeException e) {
                return List.of();
            }
            devices = Optional.of(opened);
        }
        return devices.orElseThrow();
    }

    /** Notes that a case was not discovered. */
    synchronized void leaveOut(String uniqueId, String reason) {
        leftOut.computeIfAbsent(reason, key -> new TreeSet<>()).add(uniqueId);
    }

    /** Returns how many cases were not discovered for each reason. */
    synchronized Map<String, Integer> leftOut() {
        Map<String, Integer> counts = new TreeMap<>();
        leftOut.forEach((reason, ids) -> counts.put(reason, ids.size()));
        return counts;
    }
}
