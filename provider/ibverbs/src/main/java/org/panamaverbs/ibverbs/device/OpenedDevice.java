package org.panamaverbs.ibverbs.device;

import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.ResourceException;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.bindings.Errno;
import org.panamaverbs.ibverbs.call.Extended;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.call.Undo;
import org.panamaverbs.ibverbs.entries.DeviceEntries;
import org.panamaverbs.ibverbs.facts.DeviceFacts;
import org.panamaverbs.ibverbs.facts.DeviceQuery;
import org.panamaverbs.ibverbs.facts.PortFacts;
import org.panamaverbs.ibverbs.facts.Sysfs;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Known;

/**
 * An open device and what is known of it. Whoever opens it closes it, by {@link #close} or by
 * {@code ibv_close_device(3)} on {@link #context}, exactly once and after all that was made from it.
 */
public final class OpenedDevice implements AutoCloseable {
    private final MemorySegment context;
    private final DeviceFacts facts;
    private final Driver driver;
    // For the thread that opens, then for the one that it is handed to: whether it is closed, or another's to close.
    private boolean left;
    private @Nullable Probe probe;

    private OpenedDevice(MemorySegment context, DeviceFacts facts) {
        this.context = context;
        this.facts = facts;
        this.driver = Driver.of(facts);
    }

    /**
     * Opens the device that {@code config} names. If it names none, opens the first with an active port of those that
     * can be opened and used; without one the first of them. No device is waited for longer than
     * {@value BoundedOpen#SECONDS} seconds.
     *
     * @throws IllegalArgumentException if there is no such device, naming those that there are
     * @throws org.panamaverbs.api.ResourceException if it cannot be opened or asked, or none can: why the first cannot
     */
    public static OpenedDevice open(OpenConfig config) {
        List<String> names;
        try (DeviceList devices = DeviceList.get()) {
            names = devices.names();
        }
        Known.device("ibverbs", names, config);
        if (!config.device().isEmpty()) {
            return BoundedOpen.open(config.device(), BoundedOpen.WANTED_SECONDS, device -> true);
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("provider ibverbs has no device");
        }
        return firstUsable(names);
    }

    /**
     * Opens the device behind {@code descriptor}, which another process gave ({@code ibv_import_device(3)}); closing it
     * closes the descriptor.
     *
     * @throws org.panamaverbs.api.ResourceException if it is no device's, or the driver imports none
     */
    public static OpenedDevice imported(int descriptor) {
        String what = "the device behind descriptor " + descriptor;
        return Creation.of(
                () -> IbvCalls.IMPORT_DEVICE.pointer(what, descriptor),
                context -> new OpenedDevice(context, DeviceQuery.of(context, Sysfs.system())),
                Undo.CLOSE_DEVICE);
    }

    private static OpenedDevice firstUsable(List<String> names) {
        String idle = "";
        ResourceException failure = null;
        int seconds = BoundedOpen.seconds(names);
        for (String name : names) {
            try {
                OpenedDevice device = BoundedOpen.open(name, seconds, OpenedDevice::isUsable);
                if (device.facts.isUsable()) {
                    return device;
                }
                device.close();
                idle = idle.isEmpty() ? name : idle;
            } catch (ResourceException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        if (idle.isEmpty() && failure != null) {
            throw failure;
        }
        return BoundedOpen.open(idle, BoundedOpen.WANTED_SECONDS, device -> true);
    }

    /**
     * Opens the device {@code name} of a list of its own: another's may be freed before a driver comes back.
     *
     * @param tried whether what it can do is tried, too
     */
    static OpenedDevice openAlone(String name, Predicate<OpenedDevice> tried) {
        try (DeviceList devices = DeviceList.get()) {
            if (!devices.names().contains(name)) {
                throw Failure.of("ibv_open_device", "device " + name, Errno.ENODEV);
            }
            return Creation.of(
                    () -> open(devices, name),
                    device -> {
                        if (tried.test(device)) {
                            device.probe();
                        }
                        return device;
                    },
                    OpenedDevice::close);
        }
    }

    private static OpenedDevice open(DeviceList devices, String name) {
        String what = "device " + name;
        return Creation.of(
                () -> IbvCalls.OPEN_DEVICE.pointer(what, devices.device(name)),
                context -> new OpenedDevice(context, DeviceQuery.of(context, Sysfs.system())),
                Undo.CLOSE_DEVICE);
    }

    /** Returns {@code struct ibv_context}. */
    public MemorySegment context() {
        return context;
    }

    /** Returns its name. */
    public String name() {
        return facts.name();
    }

    /** Describes the device. */
    public DeviceInfo info() {
        return new DeviceInfo(
                facts.name(),
                facts.transport(),
                driver.description(),
                facts.firmware(),
                facts.nodeGuid(),
                facts.ports().stream().map(this::port).toList(),
                facts.location());
    }

    /**
     * Returns what the device can do; tries with throw-away objects what cannot be asked, the first time in a process.
     *
     * @throws org.panamaverbs.api.ResourceException if the device makes no protection domain or no completion queue
     */
    public Capabilities capabilities() {
        return DeviceCapabilities.of(facts, driver, probe(), Extended.hasModifyCq(context));
    }

    /** Tells whether this process lacks the right to make raw queue pairs, whether the device has them or not. */
    public boolean forbidsRawPackets() {
        return probe().forbidsRaw();
    }

    private Probe probe() {
        Probe found = probe;
        if (found == null) {
            String key = "device " + facts.name() + " with node GUID "
                    + HexFormat.of().toHexDigits(facts.nodeGuid());
            found = Trial.of(key, context, DeviceCapabilities.claimed(facts));
            probe = found;
        }
        return found;
    }

    /**
     * Returns what {@code ibv_devinfo -v} shows of the device that {@code context} opened, as it is now.
     *
     * @throws org.panamaverbs.api.ResourceException if it cannot be asked
     */
    public static DeviceAttributes attributes(MemorySegment context) {
        return DeviceEntries.of(DeviceQuery.of(context, Sysfs.system()));
    }

    /** Tells whether a port is active. */
    boolean isUsable() {
        return facts.isUsable();
    }

    /** Tells whether a port has a link and waits for its subnet manager, in state INIT or ARMED. */
    boolean isTraining() {
        return facts.ports().stream().anyMatch(PortFacts::isTraining);
    }

    /** Returns the first active port, or 1 if there is none. */
    public int port() {
        return facts.firstActivePort();
    }

    /** Tells whether its driver's data path may be called critically unless an option says otherwise. */
    public boolean criticalByDefault() {
        return driver.critical();
    }

    /** Returns where its driver departs from what it should do. */
    public Quirks quirks() {
        return driver.quirks();
    }

    /** Leaves the device to a context, which closes it from now on. */
    public void leave() {
        left = true;
    }

    /** Closes the device, once, unless it was left to a context; needs no memory. */
    @Override
    public void close() {
        if (!left) {
            left = true;
            Undo.CLOSE_DEVICE.accept(context);
        }
    }

    private DeviceInfo.Port port(PortFacts port) {
        Stream<String> addresses = facts.transport() == DeviceInfo.Transport.IWARP
                // Without the scope of a local one.
                ? port.interfaceAddresses().stream()
                        .map(address -> address.getHostAddress().replaceFirst("%.*", ""))
                : port.gids().stream().map(entry -> entry.gid().toString());
        return new DeviceInfo.Port(port.number(), port.isActive(), port.typed().activeMtuBytes(), addresses.toList());
    }
}
