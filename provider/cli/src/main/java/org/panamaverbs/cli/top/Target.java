package org.panamaverbs.cli.top;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.InvalidClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import jdk.management.jfr.RemoteRecordingStream;
import org.panamaverbs.cli.command.CommandFailure;

/** The process that is looked at: attached to, with its management agent started. */
final class Target implements AutoCloseable {
    private static final String RECORDER = "jdk.management.jfr:type=FlightRecorder";
    /** Of /proc/PID/status: the signals that the process has a handler for, as a mask. */
    private static final String CAUGHT = "SigCgt:";

    private static final int SIGQUIT = 3;

    private final long pid;
    private final JMXConnector connector;

    private Target(long pid, JMXConnector connector) {
        this.pid = pid;
        this.connector = connector;
    }

    /**
     * Attaches to the process {@code pid}.
     *
     * @throws CommandFailure if that cannot be done, with what to do
     */
    @SuppressWarnings("BanJNDI") // the address is that of an agent in a process of this user, by files of the runtime
    static Target attach(long pid) {
        requireJava(pid);
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return new Target(
                        pid, JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent())));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new CommandFailure(
                    who(pid)
                            + " does not answer an attempt to attach: it is stuck or stopped, has just started, or"
                            + " runs with -XX:+DisableAttachMechanism or -Xrs; remedy: retry when `jcmd " + pid
                            + " VM.version` answers",
                    e);
        } catch (AttachOperationFailedException e) {
            throw new CommandFailure(
                    who(pid) + " cannot start its management agent; remedy: give its runtime the modules"
                            + " jdk.management.agent and jdk.management.jfr",
                    e);
        } catch (IOException e) {
            throw unanswered(pid, e);
        }
    }

    // Attaching sends SIGQUIT, which ends what is no virtual machine; and the system's own errors say little.
    private static void requireJava(long pid) {
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(() -> new CommandFailure(
                        "no process " + pid + "; remedy: choose a Java process that `jps -l` lists"));
        if (pid == ProcessHandle.current().pid()) {
            throw new CommandFailure("process " + pid + " is this command itself");
        }
        String owner = process.info().user().orElse("");
        String me = System.getProperty("user.name");
        if (!owner.isEmpty() && !owner.equals(me) && !me.equals("root")) {
            throw new CommandFailure(who(pid) + " belongs to user " + owner
                    + ", and only that user can attach to it; remedy: run this as " + owner);
        }
        Path proc = Path.of("/proc", Long.toString(pid));
        if (Files.isDirectory(proc)) {
            requireVirtualMachine(pid, proc);
        }
    }

    private static void requireVirtualMachine(long pid, Path proc) {
        String maps = read(proc.resolve("maps"));
        if (maps.isEmpty() ? !catchesQuit(read(proc.resolve("status"))) : !maps.contains("libjvm")) {
            throw new CommandFailure(who(pid) + " is not a Java process; remedy: choose one that `jps -l` lists");
        }
        if (read(proc.resolve("cmdline")).contains("-XX:+DisableAttachMechanism")) {
            throw new CommandFailure(
                    who(pid) + " runs with -XX:+DisableAttachMechanism; remedy: start it without, or record it with"
                            + " -XX:StartFlightRecording and read the file with `jfr print --events 'verbs.*'`");
        }
    }

    /** Tells by what everybody may read whether SIGQUIT would be taken, as it is by a virtual machine. */
    private static boolean catchesQuit(String status) {
        return status.lines()
                .filter(line -> line.startsWith(CAUGHT))
                .map(line -> line.substring(CAUGHT.length()).strip())
                .anyMatch(mask -> (Long.parseUnsignedLong(mask, 16) >>> (SIGQUIT - 1) & 1) != 0);
    }

    /** Returns what is in a file, empty if the system does not show it. */
    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), java.nio.charset.StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }

    /** Returns what to say of a process that took none of what was asked, and how it is recorded without asking. */
    private static CommandFailure unanswered(long pid, Exception failure) {
        boolean filtered = false;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            filtered |= cause instanceof InvalidClassException;
        }
        return new CommandFailure(
                who(pid)
                        + (filtered
                                ? " rejects the classes of JMX: it runs with a serialization filter (jdk.serialFilter)"
                                : " does not answer over JMX")
                        + "; remedy: record it with `jcmd " + pid + " JFR.start duration=30s filename=FILE`, and read"
                        + " the"
                        + " file with `jfr print --events 'verbs.*' FILE`",
                failure);
    }

    private static String who(long pid) {
        return "process " + pid;
    }

    /**
     * Begins to stream its samples.
     *
     * @throws CommandFailure if it has no Flight Recorder, or no device of verbs was opened there
     */
    RemoteRecordingStream stream(Duration period) {
        try {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            requireVerbs(server);
            RemoteRecordingStream stream = new RemoteRecordingStream(server);
            stream.setReuse(false); // events are kept, to be compared with the next
            stream.enable(Samples.QUEUE_PAIRS).withPeriod(period);
            stream.enable(Samples.DEVICES).withPeriod(period);
            stream.enable(Samples.CHANNELS).withPeriod(period);
            return stream;
        } catch (IOException e) {
            throw unanswered(pid, e);
        }
    }

    private void requireVerbs(MBeanServerConnection server) throws IOException {
        try {
            ObjectName recorder = new ObjectName(RECORDER);
            if (!server.isRegistered(recorder)) {
                throw new CommandFailure(
                        who(pid) + " has no Flight Recorder; remedy: start it with --add-modules jdk.management.jfr");
            }
            // The events are registered once the recorder has begun, which asking for them does not.
            Object recording = server.invoke(recorder, "newRecording", new Object[0], new String[0]);
            server.invoke(recorder, "closeRecording", new Object[] {recording}, new String[] {long.class.getName()});
            CompositeData[] types = (CompositeData[]) server.getAttribute(recorder, "EventTypes");
            if (Arrays.stream(types).noneMatch(type -> Samples.REGISTERED.equals(type.get("name")))) {
                throw new CommandFailure(
                        String.format(Locale.ROOT, "process %d has not opened a device of Panama Verbs yet", pid));
            }
        } catch (JMException e) {
            throw unanswered(pid, e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // The process has ended, or will not hear of it.
        }
    }
}
