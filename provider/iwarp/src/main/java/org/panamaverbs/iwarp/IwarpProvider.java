package org.panamaverbs.iwarp;

import java.util.List;
import org.panamaverbs.api.Connection;
import org.panamaverbs.api.ConnectionConfig;
import org.panamaverbs.api.OpenConfig;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.spi.Availability;
import org.panamaverbs.api.spi.VerbsProvider;
import org.panamaverbs.iwarp.engine.IwarpVerbs;

/**
 * The provider {@code iwarp}: software iWARP over TCP, on any machine, interoperable with hardware iWARP adapters and
 * with Linux siw; with peers on the same host by shared memory.
 *
 * <p>Options, given by {@link OpenConfig#with} or as system properties {@code verbs.iwarp.NAME}; the former win:
 *
 * <table>
 * <caption>Options of the provider</caption>
 * <tr><th>name</th><th>values, the default first</th><th>what it does</th></tr>
 * <tr><td>{@code progress}</td><td>{@code background}, {@code spin}</td><td>whether a thread of the provider serves
 *     connections beside the threads that poll, or only threads that poll, post or wait do</td></tr>
 * <tr><td>{@code crc}</td><td>{@code on}, {@code off}</td><td>whether this side wants the CRC; it is left out only if the
 *     peer does not want it either (RFC 5044 §4.4)</td></tr>
 * <tr><td>{@code markers}</td><td>{@code off}, {@code on}</td><td>whether this side asks its peer for markers; the peer is
 *     always given those it asks for</td></tr>
 * <tr><td>{@code revision}</td><td>{@code 2}, {@code 1}</td><td>the MPA revision to connect with</td></tr>
 * <tr><td>{@code rtr}</td><td>{@code write,read}, any of {@code write}, {@code read}, {@code send}</td><td>the
 *     ready-to-receive messages to offer and to agree to (RFC 6581 §9.2)</td></tr>
 * <tr><td>{@code fpdu.max}</td><td>{@code 0}, or octets from 128 to 65535</td><td>the segment size that FPDUs are
 *     cut for; 0 takes it from the network interface</td></tr>
 * <tr><td>{@code handshake.timeout}</td><td>{@code 10s}, or another time in {@code ms} or {@code s}</td><td>how long a peer
 *     may take for its whole MPA Request</td></tr>
 * <tr><td>{@code max.half.open}</td><td>{@code 512}, 1 to 65536</td><td>how many peers of a listener may be at that at
 *     once; then the oldest of the source that holds most makes room</td></tr>
 * <tr><td>{@code half.open.grace}</td><td>{@code 100ms}, or another time</td><td>how long each of them keeps its place at
 *     least; others wait in the system's queue meanwhile</td></tr>
 * <tr><td>{@code linger}</td><td>{@code 2s}, or another time</td><td>how long a peer that has
 *     everything may send nothing and not close its side after this side did; how long it has after it was rejected, and
 *     after a Terminate, then up to ten times as long while octets move</td></tr>
 * <tr><td>{@code nudge}</td><td>{@code on}, {@code off}</td><td>whether a peer that stays silent after set-up is sent up to
 *     three empty Writes more; Linux siw can overlook the first message</td></tr>
 * <tr><td>{@code first.fpdu.timeout}</td><td>{@code 500ms}, another time, or {@code off}</td><td>how long an accepted
 *     peer that has waived the ready-to-receive message (MPA revision 2, A is 0) may stay silent before this side sends;
 *     Linux siw waives it although its applications may let the acceptor begin. {@code off} waits for ever, as RFC 5044
 *     §7.1.2 has it</td></tr>
 * <tr><td>{@code draft.swap}</td><td>{@code off}, {@code on}</td><td>whether Swap is AOpCode 1, as
 *     draft-ietf-storm-rdmap-ext-01 has it, and is taken as such from the peer, too; RFC 7306 reserves that code and
 *     has a CmpSwap with compare mask 0 instead. Also of single connections</td></tr>
 * <tr><td>{@code keepalive}</td><td>{@code on}, {@code off}</td><td>whether TCP asks idle peers for a sign of life</td></tr>
 * <tr><td>{@code keepalive.idle}</td><td>{@code 60s}, whole seconds</td><td>after how long a silence</td></tr>
 * <tr><td>{@code keepalive.interval}</td><td>{@code 10s}, whole seconds</td><td>how often</td></tr>
 * <tr><td>{@code keepalive.count}</td><td>{@code 4}, 1 to 127</td><td>how many times before the peer counts as gone</td></tr>
 * <tr><td>{@code progress.timeout}</td><td>{@code 100s}, another time, or {@code off}</td><td>how long a peer may take no
 *     octets, not answer a Read or Atomic, or leave an FPDU unfinished; found within a quarter of it more. Octets of a
 *     message that the answer waits behind are progress. RFC 1122 §4.2.3.5 has TCP itself try for at least 100 seconds</td></tr>
 * <tr><td>{@code sockets}</td><td>{@code auto}, {@code libc}, {@code nio}</td><td>how TCP is reached: by system calls
 *     through the C library, which {@code auto} takes on Linux, or by {@code java.nio}</td></tr>
 * <tr><td>{@code shm}</td><td>{@code auto}, {@code off}, {@code require}</td><td>whether connections with peers on this host
 *     go by memory that both share: {@code auto} takes it where the listener has it as well, else TCP, and
 *     {@link Connection#transport()} says why; {@code require} fails then; {@code off} has TCP, as for captures. Needs
 *     {@code sockets=libc}; never under TLS. Also of single connections, to be given to {@code connect}</td></tr>
 * <tr><td>{@code shm.ring}</td><td>{@code 262144}, a power of two from 16384 to 16777216</td><td>how many octets of such a
 *     connection may be on their way from this side; each has so much memory</td></tr>
 * <tr><td>{@code shm.max}</td><td>{@code 1024}, 1 to 65536</td><td>how many connections share memory at once; others go
 *     by TCP</td></tr>
 * <tr><td>{@code shm.users}</td><td>{@code same}, {@code any}</td><td>whether peers of other users than this process's may
 *     share memory with it</td></tr>
 * <tr><td>{@code shm.dir}</td><td>{@code off}, or an absolute path</td><td>the directory by which peers in other network
 *     namespaces of this host are met, as containers have them: both sides see it, at any path. It belongs to root or
 *     to this user, and is sticky if others may write. Also of single connections, to be given to
 *     {@code connect}</td></tr>
 * <tr><td>{@code shm.direct}</td><td>{@code off}, {@code on}</td><td>whether, between processes of one user that share
 *     memory and both have it on, Writes, Reads and Atomics are carried out by the processor of who posts them, within
 *     the post, on memory that {@code allocate} or {@code MemorySlab.shared} gave; all else goes through the rings.
 *     Refused with {@code shm=off}, {@code sockets=nio} and TLS</td></tr>
 * <tr><td>{@code srq.share}</td><td>{@code 100}, 1 to 100</td><td>how many percent of a shared receive queue's receives one
 *     stream may have used up and the application not replaced; beyond it finds none (RFC 5042 §6.4.3.1)</td></tr>
 * <tr><td>{@code max.snapshots}</td><td>{@code 128}, 0 to 65536</td><td>how many connections at once have 128 KiB for
 *     copies of what they send out of memory that others may change or take away: answers to Reads with the CRC, and
 *     files; the others send shorter segments</td></tr>
 * </table>
 *
 * <p>Options of single connections, given by {@link ConnectionConfig#with} to {@code connect} or {@code accept}, win
 * over these: {@code draft.swap}, {@code shm}, {@code shm.dir}.
 */
public final class IwarpProvider implements VerbsProvider {
    private static final int PRIORITY = 10;

    /** Creates the provider. */
    public IwarpProvider() {}

    @Override
    public String name() {
        return IwarpVerbs.PROVIDER;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public Availability availability() {
        return new Availability.Available(List.of(IwarpVerbs.describeDevice()));
    }

    @Override
    public Verbs open(OpenConfig config, String selection) {
        return IwarpVerbs.open(config, selection);
    }
}
