package org.panamaverbs.memcpy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.VerbsException;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionConfig;
import org.panamaverbs.spi.software.SoftwareConnection;
import org.panamaverbs.spi.support.HostNames;
import org.panamaverbs.spi.support.Waits;

/** An attempt to connect: from the call of one side to the answer of the other. */
final class MemcpyAttempt {
    final MemcpyQueuePair queuePair;
    final ConnectionConfig config;
    final InetSocketAddress source;
    final InetSocketAddress target;
    /** What the peer has accepted with, or why there is no connection. */
    private final CompletableFuture<ConnectionConfig> answer = new CompletableFuture<>();

    private MemcpyAttempt(MemcpyQueuePair queuePair, ConnectionConfig config, InetSocketAddress target) {
        this.queuePair = queuePair;
        this.config = config;
        this.target = target;
        InetSocketAddress wanted = config.localAddress();
        InetAddress host = wanted == null ? target.getAddress() : wanted.getAddress();
        int port = wanted == null || wanted.getPort() == 0 ? MemcpyListener.freePort() : wanted.getPort();
        source = new InetSocketAddress(host, port);
    }

    static Connection connect(
            InetSocketAddress address,
            MemcpyQueuePair queuePair,
            ConnectionConfig config,
            Deadline deadline,
            boolean ownsQueuePair) {
        synchronized (MemcpyVerbs.LOCK) {
            queuePair.requireConnectable();
            queuePair.connecting(() -> {}); // no other call connects it while the name is looked up
        }
        boolean connected = false;
        try {
            InetSocketAddress target = HostNames.resolved("connect", address, deadline);
            MemcpyAttempt attempt = begin(queuePair, config, target);
            ConnectionConfig accepted = attempt.await(deadline);
            SoftwareConnection.Ends ends = new SoftwareConnection.Ends(attempt.source, target);
            Connection connection = new SoftwareConnection("connect", queuePair, ends, config, accepted, ownsQueuePair);
            connected = true;
            return connection;
        } finally {
            synchronized (MemcpyVerbs.LOCK) {
                queuePair.connecting(null);
                if (!connected) {
                    queuePair.fail();
                }
            }
        }
    }

    private static MemcpyAttempt begin(MemcpyQueuePair queuePair, ConnectionConfig config, InetSocketAddress target) {
        synchronized (MemcpyVerbs.LOCK) {
            queuePair.connecting(null);
            queuePair.requireConnectable();
            MemcpyAttempt attempt = new MemcpyAttempt(queuePair, config, target);
            MemcpyListener listener = MemcpyListener.at(target);
            if (listener == null || !listener.offer(attempt)) {
                throw new ConnectionException(
                        "connect", Reason.REFUSED, "no listener of this process is at " + target, null);
            }
            queuePair.connecting(attempt::closed);
            return attempt;
        }
    }

    /** Waits for the answer; an answer that came first counts, also after the deadline or an interrupt. */
    private ConnectionConfig await(Deadline deadline) {
        try {
            Waits.interruptibly(answer, deadline);
        } catch (TimeoutException e) {
            fail(new DeadlineExceededException("connect", "no answer from " + target + " before the deadline"));
        } catch (InterruptedException e) {
            fail(Waits.interrupted("connect", "an answer from " + target + "; the attempt was undone"));
        } catch (ExecutionException e) {
            // thrown below
        }
        synchronized (MemcpyVerbs.LOCK) {
            MemcpyListener listener = MemcpyListener.at(target);
            if (listener != null) {
                listener.withdraw(this);
            }
        }
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof VerbsException reason ? reason : e;
        }
    }

    /** Connects both queue pairs; throws if the attempt is over. */
    void accept(MemcpyQueuePair accepting, ConnectionConfig accepted) {
        if (!answer.complete(accepted)) {
            throw new ConnectionException("accept", Reason.RESET, "the peer at " + source + " gave up", null);
        }
        queuePair.connect(accepting, Math.min(config.initiatorDepth(), accepted.responderResources()));
        accepting.connect(queuePair, Math.min(accepted.initiatorDepth(), config.responderResources()));
    }

    void rejected(byte[] data) {
        String message = "the application at " + target + " rejected";
        fail(new ConnectionException("connect", Reason.REJECTED, message, data, null, null));
    }

    void dropped() {
        fail(new ConnectionException("connect", Reason.RESET, "the request was dropped unanswered at " + target, null));
    }

    void closed() {
        fail(new ConnectionException("connect", Reason.CLOSED, queuePair + " was closed meanwhile", null));
    }

    private void fail(VerbsException reason) {
        answer.completeExceptionally(reason);
    }
}
