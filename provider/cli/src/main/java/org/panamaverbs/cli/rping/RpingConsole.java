package org.panamaverbs.cli.rping;

import java.io.PrintWriter;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.cli.command.CommandFailure;
import org.panamaverbs.cli.command.SameHostNote;

/** Where rping prints: each line is flushed at once, so that scripts and people see it when it happens. Thread-safe. */
record RpingConsole(PrintWriter out, PrintWriter err, boolean debugging) {
    void print(String line) {
        println(out, line);
        if (out.checkError()) {
            throw new CommandFailure("the standard output is closed");
        }
    }

    /** Prints a line about the state of things. */
    void report(String line) {
        println(err, line);
    }

    /** Prints a line only if {@code -d} was given. */
    void debug(String line) {
        if (debugging) {
            println(err, line);
        }
    }

    /**
     * Prints with {@code -d} who is at the other end of {@code connection}, behind {@code what}, and how it is reached.
     */
    void connected(String what, Connection connection) {
        String sameHost = SameHostNote.of(connection.carrier());
        debug(what + text(connection.remoteAddress()) + ": " + connection.transport()
                + (sameHost.isEmpty() ? "" : "; " + sameHost));
    }

    private void println(PrintWriter writer, String line) {
        synchronized (this) {
            writer.println(line);
            writer.flush();
        }
    }

    /** Returns the numeric address and the port, an IPv6 address in brackets. */
    static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (address.getAddress() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + address.getPort();
    }
}
