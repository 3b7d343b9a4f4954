package org.panamaverbs.ibverbs;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.device.Availability;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.ibverbs.context.ContextConfig;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.device.DeviceAvailability;
import org.panamaverbs.ibverbs.device.DeviceAvailability.Examined;
import org.panamaverbs.ibverbs.device.OpenedDevice;
import org.panamaverbs.spi.Examination;
import org.panamaverbs.spi.VerbsProvider;
import org.panamaverbs.spi.support.Creation;
import org.panamaverbs.spi.support.Known;

/**
 * The provider {@code ibverbs}: the devices of libibverbs, hardware (InfiniBand, RoCE, iWARP) and the kernel's software
 * devices rxe and siw, connected through librdmacm.
 *
 * <p>Options are set by {@link OpenConfig#with}, which takes precedence, or as system properties
 * {@code verbs.ibverbs.NAME}:
 *
 * <table>
 * <caption>Options of the provider</caption>
 * <tr><th>name</th><th>values, the default first</th><th>effect</th></tr>
 * <tr><td>{@code critical}</td><td>{@code auto}, {@code on}, {@code off}</td><td>whether posting and polling are critical
 *     calls ({@link java.lang.foreign.Linker.Option#critical}): faster, but the garbage collector waits for them.
 *     {@code auto} is on for drivers whose posting and polling only load and store (mlx4, mlx5, efa). It is off for
 *     all others, which make a system call for each send (rxe, siw) or in rare states of a queue (irdma, bnxt_re, hns,
 *     cxgb4), or wait for a change of state (erdma)</td></tr>
 * <tr><td>{@code command_fd}</td><td>none</td><td>opens the device behind this file descriptor from another process
 *     ({@link org.panamaverbs.api.ext.ObjectSharing}); closing the device closes it</td></tr>
 * </table>
 */
public final class IbverbsProvider implements VerbsProvider {
    /** The provider's name. */
    static final String NAME = "ibverbs";

    private static final int PRIORITY = 100;
    private static final String CRITICAL = "critical";
    private static final String COMMAND_FD = "command_fd";
    private static final String AUTO = "auto";
    private static final Set<String> CRITICAL_VALUES = Set.of(AUTO, "on", "off");

    /** Creates the provider. */
    public IbverbsProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public Availability availability() {
        return DeviceAvailability.now();
    }

    @Override
    public Examination examine(OpenConfig config) {
        boolean any =
                config.provider().equals(OpenConfig.AUTO) && config.device().isEmpty();
        Examined examined = any ? DeviceAvailability.forAnyUse() : DeviceAvailability.examine(config.device());
        OpenedDevice device = examined.device();
        if (device == null) {
            return new Examination(examined.availability(), selection -> open(config, selection));
        }
        if (descriptor(config).isPresent()) {
            // Another process has opened the device that is imported.
            device.close();
            return new Examination(examined.availability(), selection -> open(config, selection));
        }
        return new Examination(
                examined.availability(), selection -> open(config, selection, () -> device), device::close);
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        return open(config, selection, () -> opened(config));
    }

    private static Verbs open(OpenConfig config, String selection, Supplier<OpenedDevice> opening) {
        Known.options(NAME, List.of(CRITICAL, COMMAND_FD), config);
        String critical = critical(config.options());
        return Creation.of(opening, device -> opened(device, critical, selection), OpenedDevice::close);
    }

    private static Verbs opened(OpenedDevice device, String critical, String selection) {
        DeviceInfo info = device.info();
        String why = selection + "; " + DeviceAvailability.why(info);
        ContextConfig config = new ContextConfig(
                device.context(),
                device.name(),
                info.transport(),
                device.capabilities(),
                device.port(),
                critical.equals(AUTO) ? device.criticalByDefault() : critical.equals("on"),
                device.forbidsRawPackets(),
                device.quirks());
        return Creation.of(
                () -> IbvContext.open(config),
                context -> {
                    device.leave();
                    return new IbvVerbs(context, info, why);
                },
                IbvContext::close);
    }

    private static OpenedDevice opened(OpenConfig config) {
        Optional<String> descriptor = descriptor(config);
        if (descriptor.isEmpty()) {
            return OpenedDevice.open(config);
        }
        try {
            return OpenedDevice.imported(Integer.parseUnsignedInt(descriptor.get()));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "option command_fd of provider ibverbs must be a file descriptor, got '" + descriptor.get() + "'",
                    e);
        }
    }

    private static Optional<String> descriptor(OpenConfig config) {
        return Optional.ofNullable(config.options().get(COMMAND_FD));
    }

    private static String critical(Map<String, String> options) {
        String property = System.getProperty("verbs.ibverbs." + CRITICAL, AUTO);
        String value = options.getOrDefault(CRITICAL, property);
        if (!CRITICAL_VALUES.contains(value)) {
            throw new IllegalArgumentException(
                    "option critical of provider ibverbs must be auto, on or off, got '" + value + "'");
        }
        return value;
    }
}
