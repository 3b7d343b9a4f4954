package org.panamaverbs.api.device;

import java.util.List;

/**
 * Attributes of a device for people and tools; programs use {@link Capabilities} and
 * {@link org.panamaverbs.api.device.Port}. On ibverbs they are the values of {@code ibv_devinfo -v} with the same
 * names, order and spelling. On iwarp:
 *
 * <ul>
 *   <li>{@code sockets}: {@code libc} or {@code nio}; for the slower of the two with the reason, {@code sockets_reason}
 *   <li>{@code shm}: whether memory can be shared with peers on the same host; if not, with {@code shm_reason}
 * </ul>
 *
 * @param device the entries of the device; empty if the provider has none beyond {@link Capabilities}
 * @param ports its ports
 */
public record DeviceAttributes(List<Entry> device, List<Port> ports) {
    /** No attribute. */
    public static final DeviceAttributes EMPTY = new DeviceAttributes(List.of(), List.of());

    /**
     * A named value, or a heading's flags.
     *
     * @param group the heading above the entry, empty if there is none
     * @param name the name
     * @param value the value, empty if there are only flags
     * @param flags the names of the value's bits
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
