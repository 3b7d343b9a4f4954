package org.panamaverbs.ibverbs.zoo;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.ibverbs.IbverbsProvider;
import org.panamaverbs.stub.StubLibrary;
import org.panamaverbs.testkit.Guarantee;
import org.panamaverbs.testkit.ProviderUnderTest;

/**
 * The devices of the library that {@link StubLibrary#compileZoo} makes: both sides of a test are one of them. It is the
 * libibverbs and the librdmacm of this process from the first use of this class on, so that its tests need a process of
 * their own: they end in {@code OverZooTest}.
 */
abstract class Zoo implements ProviderUnderTest {
    private static final String WHOLE_TRANSFER = "the smallest send queue holds all pieces of the transfer at once";
    private static final String ABSENCE = install();

    private final String device;
    private final int number;

    /** A device with the addresses 127.0.9.NUMBER and fd00::9:NUMBER (in hex), as cm.c of the zoo has it. */
    private Zoo(String device, int number) {
        this.device = device;
        this.number = number;
    }

    /** Returns the device's name. */
    String device() {
        return device;
    }

    @Override
    public String title() {
        return "ibverbs over the zoo's " + device;
    }

    @Override
    public Optional<String> missing() {
        return ABSENCE.isEmpty() ? Optional.empty() : Optional.of("no zoo of libibverbs and librdmacm: " + ABSENCE);
    }

    @Override
    public Verbs openA() {
        // Not by Verbs.open, which asks for the files of the kernel's devices first.
        return new IbverbsProvider().open(OpenConfig.provider("ibverbs").withDevice(device), "a test");
    }

    @Override
    public InetSocketAddress listenAddress() {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.9." + number), 0);
    }

    @Override
    public Optional<InetSocketAddress> listenAddressV6() {
        return Optional.of(new InetSocketAddress(InetAddress.ofLiteral("fd00::9:" + Integer.toHexString(number)), 0));
    }

    // The provider asks for a place more than it is asked for, and drivers round up.
    @Override
    public Set<Guarantee> broken(Verbs verbs) {
        return Set.of(Guarantee.EXACT_DEPTHS);
    }

    /** Returns the cases that cannot run on it, each with its reason, by the names of their methods or classes. */
    Map<String, String> leftOut() {
        return Map.of();
    }

    /** Tells whether rdma_cm knows the device; else cases that listen or connect are skipped. */
    boolean isManaged() {
        return true;
    }

    // Of the kernel's connection manager no device has the Terminate.
    @Override
    public boolean reportsTerminate() {
        return false;
    }

    /**
     * A device whose connections the kernel keeps to their answer (iwcm.c, destroy_cm_id()), and whose requests are
     * complete when they are sent.
     */
    abstract static class OverIwarp extends Zoo {
        private OverIwarp(String device, int number) {
            super(device, number);
        }

        @Override
        public Set<Guarantee> broken(Verbs verbs) {
            return Set.of(
                    Guarantee.EXACT_DEPTHS,
                    Guarantee.CLOSED_ATTEMPT_LETS_GO,
                    Guarantee.DISCONNECT_AWAITS_ARRIVAL,
                    Guarantee.QUEUE_PAIR_RIGHTS);
        }

        @Override
        Map<String, String> leftOut() {
            return Map.of(
                    "peersReachItByOneOfItsAddresses",
                    "on iWARP a port's addresses are its network interface's, and the zoo has none");
        }
    }

    /** An iWARP device whose driver refuses what is posted to a queue pair that failed. */
    abstract static class RefusesWhenFailed extends OverIwarp {
        static final String REFUSED =
                "the driver refuses posts to a queue pair that failed, and the provider hands that on";
        private static final List<String> POST_AFTER_FAILURE = List.of(
                "whatAFailureLeavesIsFlushedAndOthersAreHandedOut",
                "theLedgerHasNotedAPollBeforeOthersGetAnyOfIt",
                "completionsOfOthersKeepNobodyFromTheDeadlineOrAnInterrupt",
                "connectionLeavesQueuePairThatItWasGiven",
                "requestsPostedAfterTheEndAreAcceptedAndFlushed",
                "noOctetChangesOnceCloseHasReturned",
                "aFailedQueuePairTakesListsAndFlushesThem",
                "failureOfAPieceEndsTheTransfer",
                "overrunFailsItsQueuePairsAndLeavesOthersAlone");

        private RefusesWhenFailed(String device, int number) {
            super(device, number);
        }

        @Override
        Map<String, String> leftOut() {
            Map<String, String> all = new HashMap<>(super.leftOut());
            POST_AFTER_FAILURE.forEach(name -> all.put(name, REFUSED));
            return all;
        }
    }

    /** A device without queue pairs of type RC, of which rdma_cm knows nothing. */
    abstract static class WithoutManager extends Zoo {
        private WithoutManager(String device, int number) {
            super(device, number);
        }

        @Override
        boolean isManaged() {
            return false;
        }

        @Override
        Map<String, String> leftOut() {
            return Map.of("peersReachItByOneOfItsAddresses", "rdma_cm has no address of the device");
        }
    }

    /** How the device sick0 is, {@code enum sickness} of zoo.h. */
    enum Sickness {
        /** It is well. */
        WELL,
        /** Calls of it wait for ever. */
        HANGS,
        /** Calls of it fail. */
        DIES,
        /** It is taken out. */
        REMOVED,
        /** None of its ports is up. */
        LATE
    }

    /** Has the device sick0 be so. */
    @SuppressWarnings("EnumOrdinal") // zoo.h numbers them in the same order
    static void sick(Sickness how) {
        try {
            int ignored = (int)
                    call("zoo_sick", FunctionDescriptor.of(JAVA_INT, JAVA_INT)).invokeExact(how.ordinal());
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    /** Returns how many commands the devices were given, as fabric.c counts them. */
    static int commands() {
        return answer("zoo_commands");
    }

    /** Has each device be another one of its kind, which nothing is known of. */
    static void replace() {
        int ignored = answer("zoo_replace");
    }

    /** Returns how many objects of libibverbs there are. */
    static int objects() {
        return answer("zoo_objects");
    }

    private static int answer(String function) {
        try {
            return (int) call(function, FunctionDescriptor.of(JAVA_INT)).invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    private static MethodHandle call(String function, FunctionDescriptor descriptor) {
        return Linker.nativeLinker().downcallHandle(VendorCalls.function(function), descriptor);
    }

    private static String install() {
        try {
            String library = StubLibrary.compileZoo(Path.of("target", "zoo")).toString();
            System.setProperty("verbs.libibverbs", library);
            System.setProperty("verbs.librdmacm", library);
            return "";
        } catch (StubLibrary.UnavailableException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            throw new AssertionError("cannot compile the zoo", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while compiling the zoo", e);
        }
    }

    /** What the InfiniBand Architecture describes. */
    static final class Roce extends Zoo {
        Roce() {
            super("roce0", 1);
        }
    }

    /** What the RFCs of iWARP describe. */
    static final class Iwarp extends OverIwarp {
        Iwarp() {
            super("iwarp0", 2);
        }
    }

    /** ConnectX. */
    static final class Mlx5 extends Zoo {
        Mlx5() {
            super("mlx5_0", 3);
        }
    }

    /** ConnectX whose RoCE was switched off. */
    static final class Mlx5WithoutRoce extends WithoutManager {
        Mlx5WithoutRoce() {
            super("mlx5_1", 4);
        }
    }

    /** Broadcom's NetXtreme. */
    static final class BnxtRe extends Zoo {
        BnxtRe() {
            super("bnxt_re0", 5);
        }
    }

    /** Intel's E810, with RoCE. */
    static final class Irdma extends Zoo {
        Irdma() {
            super("irdma0", 6);
        }

        @Override
        Map<String, String> leftOut() {
            return Map.of("failureOfAPieceEndsTheTransfer", WHOLE_TRANSFER);
        }
    }

    /** HiSilicon's HIP09. */
    static final class Hns extends Zoo {
        Hns() {
            super("hns_0", 7);
        }

        @Override
        Map<String, String> leftOut() {
            return Map.of("failureOfAPieceEndsTheTransfer", WHOLE_TRANSFER);
        }
    }

    /** Amazon's Elastic Fabric Adapter. */
    static final class Efa extends WithoutManager {
        Efa() {
            super("efa_0", 8);
        }
    }

    /** Alibaba's Elastic RDMA, iWARP. */
    static final class Erdma extends RefusesWhenFailed {
        Erdma() {
            super("erdma_0", 9);
        }
    }

    /** Chelsio's T4 and later, iWARP. */
    static final class Cxgb4 extends RefusesWhenFailed {
        Cxgb4() {
            super("cxgb4_0", 10);
        }

        @Override
        Map<String, String> leftOut() {
            Map<String, String> all = new HashMap<>(super.leftOut());
            all.put(
                    "rejectionWithoutPrivateDataIsStillRejection",
                    "the driver has ECONNREFUSED for a rejection as for a port without listener");
            all.put("tellsAsynchronousEvents", REFUSED);
            return all;
        }
    }

    /** As the first, with sixteen ports, and well. */
    static final class Sick extends Zoo {
        Sick() {
            super("sick0", 11);
        }

        @Override
        Map<String, String> leftOut() {
            String firstPort = "the suite's routes out of band begin at port 1, and port 16 alone is up";
            return Map.of(
                    "OutOfBandConformance", firstPort,
                    "ConnectOutOfBandConformance", firstPort,
                    "nothingIsExchangedOutOfBandByAThreadThatIsInterrupted", firstPort);
        }
    }
}
