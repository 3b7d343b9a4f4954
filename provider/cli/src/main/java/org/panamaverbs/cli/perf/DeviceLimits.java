package org.panamaverbs.cli.perf;

import org.panamaverbs.api.QueuePairType;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.api.device.Capabilities.Feature;
import org.panamaverbs.api.device.DeviceInfo;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.perf.measure.PerfOptions;
import org.panamaverbs.cli.perf.measure.PerfTest;
import org.panamaverbs.cli.perf.measure.Session;

/** What the device leaves of what the options ask for. */
final class DeviceLimits {
    private final PerfOptions options;
    private final Capabilities capabilities;
    private final String device;
    private final boolean placesAlone;
    private final boolean acceptsTypeOfService;

    DeviceLimits(Verbs verbs, PerfOptions options) {
        this.options = options;
        capabilities = verbs.capabilities();
        device = verbs.device().name();
        placesAlone = verbs.provider().equals("ibverbs");
        acceptsTypeOfService = acceptsTypeOfService(verbs.provider(), verbs.device());
    }

    /**
     * Tells whether a connection that {@code device} accepts can have a type of service of this side's choice. On
     * InfiniBand and kernel iWARP the connecting side alone chooses.
     */
    static boolean acceptsTypeOfService(String provider, DeviceInfo device) {
        return !provider.equals("ibverbs") || device.transport() == DeviceInfo.Transport.ROCE;
    }

    /** Tells whether what a peer writes comes into memory while nobody polls: all but the provider in Java. */
    boolean placesAlone() {
        return placesAlone;
    }

    /** Returns the longest message that goes inline on a queue pair of {@code type}. */
    int inlineBytes(QueuePairType type) {
        return options.inlineBytes(capabilities.maxInlineBytes(type));
    }

    /** Returns how connections are asked for and accepted, with {@code privateData}. */
    ConnectionConfig connection(byte[] privateData) {
        return ConnectionConfig.defaults()
                .withPrivateData(privateData)
                .withDepths(
                        options.outstanding(capabilities.maxResponderResources()),
                        options.outstanding(capabilities.maxInitiatorDepth()))
                .withTypeOfService(options.typeOfService());
    }

    /**
     * Checks that the device can do {@code test} with {@code sizes}.
     *
     * @throws CommandFailure naming what it cannot
     */
    void check(PerfTest test, Session.Sizes sizes) {
        switch (test.operation()) {
            case ATOMIC -> require(Feature.ATOMICS, "atomics");
            case WRITE_IMM -> require(Feature.WRITE_WITH_IMMEDIATE, "Write with Immediate");
            case WRITE, READ, SEND -> {}
        }
        int depth = Math.max(sizes.sends(), sizes.rxDepth());
        limit("-q", sizes.queuePairs(), "queue pairs", capabilities.maxQp());
        limit("-s", sizes.largest(), "bytes a message", capabilities.maxMessageBytes());
        limit("-t, -r", depth, "work requests a queue", capabilities.maxQpWr());
        limit("-q, -t, -r", sizes.completions(), "completions a queue", capabilities.maxCqe());
        limit(
                "-I",
                Math.max(0, options.queues().inlineBytes()),
                "inline bytes on queue pairs of type " + sizes.type(),
                capabilities.maxInlineBytes(sizes.type()));
        limit("-o", options.queues().outstanding(), "outstanding Reads and Atomics", capabilities.maxInitiatorDepth());
    }

    /**
     * Checks that a server on the device can do what the options ask of it alone.
     *
     * @throws CommandFailure naming what it cannot
     */
    void checkServer() {
        if (options.typeOfService() != 0 && !acceptsTypeOfService) {
            throw new CommandFailure("-T " + options.typeOfService() + ": device " + device
                    + " cannot set the type of service of connections that it accepts; remedy:"
                    + " give -T to the client only");
        }
    }

    private void require(Feature feature, String name) {
        if (!capabilities.has(feature)) {
            throw new CommandFailure("device " + device + " lacks " + name
                    + "; remedy: see `verbs devinfo -v` for what each device has");
        }
    }

    private void limit(String flags, long wanted, String what, long limit) {
        if (wanted > limit) {
            throw new CommandFailure("device " + device + " has at most " + limit + " " + what + ", and " + wanted
                    + " are requested; remedy: lower " + flags);
        }
    }
}
