package org.panamaverbs.spi.support;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;
import org.panamaverbs.api.ConnectionException.Reason;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.api.DeadlineExceededException;
import org.panamaverbs.api.WaitInterruptedException;

/**
 * Resolves host names within a deadline. The system's resolver has no timeout and is not interruptible, so a separate
 * thread does the lookup, one per name however many callers wait. An abandoned lookup ends when the resolver answers.
 */
public final class HostNames {
    private static final ConcurrentHashMap<String, CompletableFuture<InetAddress>> UNDER_WAY =
            new ConcurrentHashMap<>();

    private HostNames() {}

    /**
     * Returns {@code address}, resolved if necessary. Any thread.
     *
     * @param operation the purpose of the address, for exceptions
     * @throws ConnectionException with {@link Reason#UNREACHABLE} if the name is unknown
     * @throws DeadlineExceededException if the resolver did not answer before the deadline
     * @throws WaitInterruptedException if the thread is interrupted before it answered
     */
    public static InetSocketAddress resolved(String operation, InetSocketAddress address, Deadline deadline) {
        if (!address.isUnresolved()) {
            return address;
        }
        String host = address.getHostString();
        try {
            return new InetSocketAddress(Waits.interruptibly(lookup(host), deadline), address.getPort());
        } catch (TimeoutException e) {
            throw new DeadlineExceededException(
                    operation,
                    "the host name " + host + " was not resolved before the deadline: the resolver does not answer;"
                            + " remedy: check the name servers in /etc/resolv.conf, or connect to an address");
        } catch (InterruptedException e) {
            throw Waits.interrupted(operation, "the address of host " + host);
        } catch (ExecutionException e) {
            throw unknown(operation, host, e.getCause());
        }
    }

    /**
     * Resolves {@code address} without waiting and passes it to {@code then}: at once if nothing must be looked up,
     * otherwise on the lookup's thread. Any thread.
     *
     * @param otherwise receives a {@link ConnectionException} if the name is unknown
     */
    @SuppressWarnings("FutureReturnValueIgnored") // what is called hears of failures
    public static void whenResolved(
            String operation,
            InetSocketAddress address,
            Consumer<InetSocketAddress> then,
            Consumer<ConnectionException> otherwise) {
        if (!address.isUnresolved()) {
            then.accept(address);
            return;
        }
        String host = address.getHostString();
        lookup(host).whenComplete((found, failure) -> {
            if (failure == null) {
                then.accept(new InetSocketAddress(found, address.getPort()));
            } else {
                otherwise.accept(unknown(operation, host, failure));
            }
        });
    }

    private static ConnectionException unknown(String operation, String host, @Nullable Throwable cause) {
        return cause instanceof UnknownHostException
                ? new ConnectionException(
                        operation,
                        Reason.UNREACHABLE,
                        "the host name " + host + " does not resolve; remedy: check the name, /etc/hosts and the name"
                                + " servers in /etc/resolv.conf: `getent hosts " + host + "`",
                        null)
                : new ConnectionException(
                        operation,
                        Reason.UNREACHABLE,
                        "the host name " + host + " cannot be looked up: " + cause
                                + "; remedy: check that the process has permission to use the resolver: `getent hosts "
                                + host + "`",
                        cause);
    }

    private static CompletableFuture<InetAddress> lookup(String host) {
        return UNDER_WAY.computeIfAbsent(host, name -> {
            CompletableFuture<InetAddress> answer = new CompletableFuture<>();
            // No virtual thread: the resolver is native code, which would keep its carrier.
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name("verbs-lookup " + name)
                    .start(() -> look(name, answer));
            return answer;
        });
    }

    private static void look(String host, CompletableFuture<InetAddress> answer) {
        try {
            answer.complete(InetAddress.getByName(host));
        } catch (UnknownHostException | RuntimeException | Error e) {
            answer.completeExceptionally(e);
        } finally {
            UNDER_WAY.remove(host, answer);
        }
    }
}
