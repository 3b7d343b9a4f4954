package org.panamaverbs.cli.perf;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.cli.command.OpenDevice;
import org.panamaverbs.cli.command.ProviderFlags;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that say which device is measured, and how its provider is set. */
final class DeviceFlags {
    @Option(
            names = {"-d", "--ib-dev"},
            paramLabel = "DEVICE",
            description = "The device (default: VERBS_DEVICE, or the provider's first one).")
    private @Nullable String device;

    @Mixin
    private final ProviderFlags provider = new ProviderFlags();

    @Option(
            names = "--no-crc",
            description = "The same as --option crc=off: without CRC if the peer disables it, too (iwarp).")
    private boolean withoutCrc;

    Verbs open() {
        return OpenDevice.best(device, settings());
    }

    List<String> arguments() {
        List<String> arguments = new ArrayList<>();
        if (device != null) {
            arguments.addAll(List.of("-d", device));
        }
        arguments.addAll(ProviderFlags.arguments(settings()));
        return arguments;
    }

    private Map<String, String> settings() {
        Map<String, String> all = new LinkedHashMap<>(provider.settings());
        if (withoutCrc) {
            all.put("crc", "off");
        }
        return all;
    }
}
