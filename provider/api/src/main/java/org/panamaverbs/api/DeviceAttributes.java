package org.panamaverbs.api;

import java.net.InetAddress;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a device's own library says of it, for people and tools: on ibverbs the values of {@code ibv_devinfo -v}, under
 * the same names, in the same order and spelling; on iwarp how TCP is reached ({@code sockets}: {@code libc} or
 * {@code nio}) and, where that is the slower way, why ({@code sockets_reason}), and whether memory can be shared with
 * peers of the same host ({@code shm}), and why not ({@code shm_reason}). Programs ask {@link Capabilities}.
 *
 * @param device the entries of the device; none where a provider has nothing to add to {@link Capabilities}
 * @param ports its ports
 */
public record DeviceAttributes(List<Entry> device, List<Port> ports) {
    // As ibv_devinfo -v has them: the first is the index, the second the address.
    private static final Pattern GID_NAME = Pattern.compile("GID\\[ *(\\d+)]");
    private static final Pattern ROCE_V2 = Pattern.compile("([0-9a-fA-F:.]+), RoCE v2");

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

        /**
         * Returns the index of the GID that RoCE v2 has for {@code own}, an address of this machine, for
         * {@link AddressHandleConfig#gidIndex}; empty if the port has none. It is the index in the port's table, which
         * has gaps, and in which an address stands once for each version of RoCE.
         */
        public OptionalInt gidIndex(InetAddress own) {
            for (Entry entry : entries) {
                Matcher name = GID_NAME.matcher(entry.name());
                Matcher value = ROCE_V2.matcher(entry.value());
                if (name.matches()
                        && value.matches()
                        && InetAddress.ofLiteral(value.group(1)).equals(own)) {
                    return OptionalInt.of(Integer.parseInt(name.group(1)));
                }
            }
            return OptionalInt.empty();
        }
    }

    /** Copies the lists. */
    public DeviceAttributes {
        device = List.copyOf(device);
        ports = List.copyOf(ports);
    }
}
