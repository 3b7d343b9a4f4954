package org.panamaverbs.api;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.api.device.PortAttributes.LinkLayer;
import org.panamaverbs.api.device.PortAttributes.Speed;
import org.panamaverbs.api.device.PortAttributes.State;

/**
 * A port without tables, known only from the device's description, which each call queries anew. Two ports of the same
 * open device and number are equal.
 */
final class DescribedPort implements Port {
    private final Object owner;
    private final Supplier<DeviceInfo> device;
    private final String deviceName;
    private final String provider;
    private final int number;

    /**
     * Creates a port.
     *
     * @param owner the open device of the port, its identity
     * @param device describes the device as it is now
     * @param provider the name of its provider
     * @param number the port's number
     */
    DescribedPort(Object owner, Supplier<DeviceInfo> device, String provider, int number) {
        this.owner = owner;
        this.device = device;
        deviceName = device.get().name();
        this.provider = provider;
        this.number = number;
    }

    @Override
    public int number() {
        return number;
    }

    @Override
    public PortAttributes query() {
        DeviceInfo.Port port = described();
        LinkLayer layer = switch (device.get().transport()) {
            case INFINIBAND -> LinkLayer.INFINIBAND;
            case ROCE, IWARP -> LinkLayer.ETHERNET;
            case OTHER -> LinkLayer.UNSPECIFIED;
        };
        State state = port.active() ? State.ACTIVE : State.DOWN;
        int mtu = port.mtuBytes();
        return new PortAttributes(state, layer, mtu, mtu, 0, 0, 0, 0, 0, 0, Speed.UNKNOWN);
    }

    @Override
    public List<InetAddress> addresses() {
        return described().addresses().stream()
                .map(InetAddress::ofLiteral)
                .distinct()
                .toList();
    }

    @Override
    public List<GidEntry> gids() {
        throw noTable("gids", "GIDs");
    }

    @Override
    public Optional<GidEntry> gid(int index) {
        throw noTable("gid", "GIDs");
    }

    @Override
    public int[] pkeys() {
        throw noTable("pkeys", "partition keys");
    }

    @Override
    public int pkey(int index) {
        throw noTable("pkey", "partition keys");
    }

    private DeviceInfo.Port described() {
        return device.get().ports().stream()
                .filter(port -> port.number() == number)
                .findFirst()
                .orElseThrow(() -> new ResourceException(
                        "port",
                        "port " + number + " of device " + deviceName
                                + " is gone; remedy: see `verbs devinfo -v` for the ports that exist",
                        0));
    }

    private UnsupportedOperationException noTable(String operation, String what) {
        return new UnsupportedOperationException(
                operation + ": " + this + " has no table of " + what + "; remedy: use provider ibverbs");
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // of that very open device, whatever it says of itself
    public boolean equals(@Nullable Object other) {
        return other instanceof DescribedPort port && port.owner == owner && port.number == number;
    }

    @Override
    public int hashCode() {
        return 31 * System.identityHashCode(owner) + number;
    }

    @Override
    public String toString() {
        return "port " + number + " of device " + deviceName + " of provider " + provider;
    }
}
