package org.panamaverbs.api;

import java.util.List;

/**
 * What a device's own library says of it, for people and tools: on ibverbs the values of {@code ibv_devinfo -v}, under
 * the same names, in the same order and spelling; on iwarp how TCP is reached ({@code sockets}: {@code libc} or
 * {@code nio}) and, where that is the slower way, why ({@code sockets_reason}), and whether memory can be shared with
 * peers of the same host ({@code shm}), and why not ({@code shm_reason}). Programs ask {@link Capabilities} and
 * {@link org.panamaverbs.api.Port}.
 *
 * @param device the entries of the device; none where a provider has nothing to add to {@link Capabilities}
 * @param ports its ports
 */
public record DeviceAttributes(List<Entry> device, List<Port> ports) {
    /** No attribute. */
    public static final DeviceAttributes EMPTY = new DeviceAttributes(List.of(), List.of());

    /**
     * A named value, or a heading's flags.
     *
     * @param group the heading that it stands under, empty without
     * @param name the name
     * @param value the value, empty if there are only flags
     * @param flags what the value's bits mean, by name
     */
    public record Entry(String group, String name, String value, List<String> flags) {
        /** Copies the list. */
        public Entry {
            flags = List.copyOf(flags);
        }
    }

    /**
     * The attributes of a port.
     *
     * @param number from 1
     * @param entries its entries, the GIDs with their type last
     */
    public record Port(int number, List<Entry> entries) {
        /** Copies the list. */
        public Port {
            entries = List.copyOf(entries);
        }
    }

    /** Copies the lists. */
    public DeviceAttributes {
        device = List.copyOf(device);
        ports = List.copyOf(ports);
    }
}
