package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.RdmaConnParam;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.api.device.Capabilities;
import org.panamaverbs.disni.objects.AllMemory;

/** How connections are set up. */
public final class Setup {
    /** The property with the seconds that connecting and accepting may take; 0 for as long as they take. */
    public static final String TIMEOUT_PROPERTY = "verbs.disni.connect.timeout";

    private static final int DEFAULT_TIMEOUT_SECONDS = 30;
    private static final int MOST_RETRIES = 7;

    private Setup() {}

    /** Returns the deadline of a set-up that begins now. */
    static Deadline deadline() {
        int seconds = Integer.getInteger(TIMEOUT_PROPERTY, DEFAULT_TIMEOUT_SECONDS);
        return seconds <= 0 ? Deadline.never() : Deadline.in(seconds, TimeUnit.SECONDS);
    }

    /**
     * Returns what DiSNI's parameters say, and all the Reads and Atomics that the device has both ways, as DiSNI's own
     * provider asks for. Its retry counts are 0 where the application set none: then the most there are.
     */
    static ConnectionConfig config(
            RdmaConnParam parameters, Capabilities capabilities, @Nullable InetSocketAddress source) {
        ConnectionConfig config = ConnectionConfig.defaults()
                .withPrivateData(privateData(parameters))
                .withDepths(capabilities.maxResponderResources(), capabilities.maxInitiatorDepth())
                .withRetries(retries(parameters.getRetry_count()), retries(parameters.getRnr_retry_count()));
        return source == null ? config : config.withLocalAddress(source);
    }

    private static int retries(byte count) {
        return count <= 0 ? MOST_RETRIES : Math.min(count, MOST_RETRIES);
    }

    private static byte[] privateData(RdmaConnParam parameters) {
        int length = Byte.toUnsignedInt(parameters.getPrivate_data_len());
        long address = parameters.getPrivate_data();
        if (length == 0 || address == 0) {
            return new byte[0];
        }
        return AllMemory.SEGMENT.asSlice(address, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * Tells whether one of DiSNI's endpoints is what calls. Such a one waits for its connection to be established or
     * disconnected, and for ever if it fails in another way.
     */
    static boolean isForEndpoint() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals("com.ibm.disni.RdmaEndpoint")));
    }
}
