package org.panamaverbs.iwarp.engine.device;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.panamaverbs.api.device.DeviceAttributes;
import org.panamaverbs.api.device.DeviceAttributes.Entry;
import org.panamaverbs.iwarp.net.Sockets;
import org.panamaverbs.iwarp.net.SystemSockets;

/**
 * What a context says of how it reaches TCP, so that nobody has the slower sockets without knowing.
 *
 * @param sockets {@code libc} or {@code nio}
 * @param reason why they are not those of the C library, with the remedy; empty if they are, or were asked for
 */
public record SocketsReport(String sockets, String reason) {
    private static final System.Logger LOGGER = System.getLogger(SocketsReport.class.getName());
    private static final String NIO = SystemSockets.nio().name();

    // Logged once in a process: what is in the way is in the way of each context.
    private static final AtomicBoolean LOGGED = new AtomicBoolean();

    /** Returns that of {@code sockets}, which were asked for by name if {@code asked}. */
    public static SocketsReport of(Sockets sockets, boolean asked) {
        String reason = asked || !sockets.name().equals(NIO)
                ? ""
                : SystemSockets.obstacle().orElse("");
        return new SocketsReport(sockets.name(), reason);
    }

    /** Logs the reason, if there is one and it was not logged yet. */
    public SocketsReport logged() {
        if (!reason.isEmpty() && LOGGED.compareAndSet(false, true)) {
            LOGGER.log(System.Logger.Level.INFO, "verbs over TCP using {0}", text());
        }
        return this;
    }

    /** Returns the report as a clause behind what else is said of a context or connection; empty for system calls. */
    public String clause() {
        return sockets.equals(NIO) ? ", TCP by " + text() : "";
    }

    /** Returns the report as attributes of the device. */
    public DeviceAttributes attributes() {
        Entry name = new Entry("", "sockets", sockets, List.of());
        return new DeviceAttributes(
                reason.isEmpty() ? List.of(name) : List.of(name, new Entry("", "sockets_reason", reason, List.of())),
                List.of());
    }

    private String text() {
        String name = sockets.equals(NIO) ? "java.nio" : "system calls";
        return reason.isEmpty() ? name : name + " (" + reason + ")";
    }
}
