package org.panamaverbs.ibverbs.stub;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.panamaverbs.api.Deadline;
import org.panamaverbs.bindings.NativeLibrary;
import org.panamaverbs.stub.StubLibrary;
import org.panamaverbs.testkit.Waits;

/**
 * The stub of {@link StubLibrary}, with all that it can be told. It is the libibverbs and the librdmacm of this process
 * from the first call of {@link #require} on, so that its tests need a process of their own: they end in
 * {@code OverStubTest}.
 */
public final class Stub {
    /** The inline data that the device takes once {@link #inlineRefusal} says that there is a limit. */
    public static final int INLINE_BYTES = 256;

    /** By how much less it takes in a datagram. */
    public static final int UD_ADDRESS_BYTES = 48;

    private static final int IWARP = 1; // infiniband/verbs.h: enum ibv_transport_type
    private static final int FLOW_TEXT_BYTES = 2048; // of stub.c
    private static final int SETTLED_ROUNDS = 2_000;
    private static final String ABSENCE = install();

    private Stub() {}

    /** Skips the test, saying why, where the stub cannot be made. */
    public static void require() {
        if (!ABSENCE.isEmpty()) {
            System.out.println("skipped, no stub of libibverbs and librdmacm: " + ABSENCE);
            abort("no stub of libibverbs and librdmacm: " + ABSENCE);
        }
    }

    /** Returns how often {@code function} was called, of those that {@link #fail} knows. */
    public static int calls(String function) {
        try (Arena arena = Arena.ofConfined()) {
            return (int)
                    find("stub_calls", FunctionDescriptor.of(JAVA_INT, ADDRESS)).invoke(arena.allocateFrom(function));
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    /**
     * Has the next {@code times} calls of {@code function} fail with {@code errno}; below 0 they fail and leave errno.
     */
    public static void fail(String function, int errno, int times) {
        fail(function, errno, 0, times);
    }

    /** Has a call of {@code function} fail with {@code errno}, after {@code calls} that do not. */
    public static void failAfter(int calls, String function, int errno) {
        fail(function, errno, calls, 1);
    }

    /** Has the stub do again what it does before it is told anything, but for its ports. Nothing waits on any more. */
    public static void forget() {
        fail("", 0, 0);
        transport(IWARP);
        receiveRoom(-1);
        inlineRefusal(0);
        ringBlocks(0);
        answerAccepts(true);
        keepIds(false);
        oblige(false);
        depths(1);
        holdDisconnects(false);
        holdCloses(false);
        silent(false);
        clock(0, 0);
        ece(0, 0, 0, 0);
    }

    /** Brings the device back, for those that are opened from now on. */
    public static void bringBack() {
        call("stub_remove", 0, 0);
    }

    private static void fail(String function, int errno, int after, int times) {
        try (Arena arena = Arena.ofConfined()) {
            find("stub_fail", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT))
                    .invoke(arena.allocateFrom(function), errno, after, times);
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    /** Says what the device speaks, {@code enum ibv_transport_type}: iWARP unless it is said. */
    public static void transport(int type) {
        call("stub_transport", type);
    }

    /**
     * Says what a port of the device is. Port 1 is on Ethernet, 2 on InfiniBand; 3 has no tables.
     *
     * @param state {@code enum ibv_port_state}
     * @param width the code of its lanes
     * @param speed the code of their speed
     */
    public static void port(int port, int state, int width, int speed) {
        call("stub_port", port, state, width, speed);
    }

    /**
     * Puts a GID into slot {@code index}, from 0 to 7, of a port's table; 0 for the address empties it.
     *
     * @param address an IPv4 address
     * @param type {@code enum ibv_gid_type}
     * @param ifIndex the index of its network interface, -1 for one of another network namespace: the library can read
     *     neither the slot nor the table
     */
    public static void gid(int port, int index, int address, int type, int ifIndex) {
        call("stub_gid", port, index, address, type, ifIndex);
    }

    /** Puts a key into slot {@code index}, from 0 to 3, of a port's table of partition keys; 0 empties it. */
    public static void pkey(int port, int index, int key) {
        call("stub_pkey", port, index, key);
    }

    /** Keeps the sends of queue pair {@code number} from completing, or has them complete. */
    public static void hold(int number, boolean held) {
        call("stub_hold", number, held ? 1 : 0);
    }

    /** Has unsignaled sends be done without a completion, as devices do; without, each completes. */
    public static void silent(boolean silent) {
        call("stub_silent", silent ? 1 : 0);
    }

    /** Gives queue pair {@code number} room for {@code depth} sends that are held; one more is refused. */
    public static void depth(int number, int depth) {
        call("stub_depth", number, depth);
    }

    /** Returns how many sends of queue pair {@code number} are held. */
    public static int held(int number) {
        return call("stub_held", number);
    }

    /** Returns how many sends of queue pair {@code number} have completed. */
    public static int completed(int number) {
        return call("stub_completed", number);
    }

    /** Forgets the receives that were posted, of all queues; it has room for {@code room} more, below 0 without end. */
    public static void receiveRoom(int room) {
        call("stub_receive_room", room);
    }

    /** Returns by how many calls receives were posted since {@link #receiveRoom}. */
    public static int receiveCalls() {
        return call("stub_receive_calls");
    }

    /** Returns how many receives were posted since {@link #receiveRoom}. */
    public static int receives() {
        return call("stub_receives");
    }

    /** Returns the id of receive {@code index}, from 0. */
    public static int receiveId(int index) {
        return call("stub_receive_id", index);
    }

    /** Returns how many pieces receive {@code index} has. */
    public static int receivePieces(int index) {
        return call("stub_receive_pieces", index);
    }

    /** Returns how many bytes the pieces of receive {@code index} have. */
    public static int receiveOctets(int index) {
        return call("stub_receive_octets", index);
    }

    /**
     * Gives the device a clock of {@code khz}, at 0, which goes on by {@code step} ticks with each reading; 0: none.
     */
    public static void clock(int khz, int step) {
        call("stub_clock", khz, step);
    }

    /** Returns the last advice on memory, {@code enum ib_uverbs_advise_mr_advice}. */
    public static int advice() {
        return call("stub_advice");
    }

    /** Returns the flags of the last advice. */
    public static int adviceFlags() {
        return call("stub_advice_flags");
    }

    /** Returns of how many bytes the last advice was. */
    public static int advised() {
        return call("stub_advised");
    }

    /** Returns what was changed of a registration last, {@code enum ibv_rereg_mr_flags}. */
    public static int changes() {
        return call("stub_changes");
    }

    /** Returns the rights that the last registration was made with, or changed to. */
    public static int access() {
        return call("stub_access");
    }

    /** Returns the page of 4096 bytes of the tagged offset that memory was registered with last. */
    public static int iovaPage() {
        return call("stub_iova_page");
    }

    /** Gives new queue pairs {@code options} of {@code vendor}, and peers theirs; 0 for none. Forgets what was told. */
    public static void ece(int vendor, int options, int remoteVendor, int remoteOptions) {
        call("stub_ece", vendor, options, remoteVendor, remoteOptions);
    }

    /** Returns which vendor's options a peer was told last, 0 for none. */
    public static int toldEce() {
        return call("stub_told_ece");
    }

    /** Returns how many objects are imported that were not given back. */
    public static int imports() {
        return call("stub_imports");
    }

    /** Returns the UDP port that the header makes of a flow label. */
    public static int udpSourcePort(int label) {
        return call("stub_udp_sport", label);
    }

    /** Returns to how many multicast groups queue pairs are attached. */
    public static int groups() {
        return call("stub_groups");
    }

    /** Returns the completion vector of the completion queue that was made last. */
    public static int vector() {
        return call("stub_vector");
    }

    /** Returns how many completion queues were made in parent domains. */
    public static int parentQueues() {
        return call("stub_parent_queues");
    }

    /** Returns what the shared receive queue was resized to that was resized last. */
    public static int sharedMaxWr() {
        return call("stub_srq_max_wr");
    }

    /** Returns how many address handles there are. */
    public static int addressHandles() {
        return call("stub_handles");
    }

    /** Returns how many address handles were destroyed so far while a send named them. */
    public static int addressHandlesInUse() {
        return call("stub_handles_in_use");
    }

    /** Returns the own path bits that the last address handle was made with. */
    public static int pathBits() {
        return call("stub_path_bits");
    }

    /** Has {@code packets} of {@code bytes} bytes in all come by each flow that has counters. */
    public static void flowPackets(int packets, int bytes) {
        call("stub_flow_packets", packets, bytes);
    }

    /** Returns how many flows there are. */
    public static int flows() {
        return call("stub_flows");
    }

    /** Returns what the C compiler reads of the flow that was made last: the values and masks of its specs' fields. */
    public static String flow() {
        return text("stub_flow");
    }

    /** Returns what was posted last by {@code ibv_wr_atomic_write} or {@code ibv_wr_flush}. */
    public static String postedByCalls() {
        return text("stub_posted_by_calls");
    }

    /** Returns what the last queue pair of {@code ibv_create_qp_ex} was made for, {@code IBV_QP_EX_WITH_...}. */
    public static int madeFor() {
        return call("stub_made_for");
    }

    private static String text(String function) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocate(FLOW_TEXT_BYTES);
            find(function, FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT)).invoke(text, FLOW_TEXT_BYTES);
            return text.getString(0);
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    /** Returns the last limit of a rate: rate, burst, packet and {@code comp_mask}. */
    public static List<Integer> rateLimit() {
        return List.of(
                call("stub_rate_limit", 0),
                call("stub_rate_limit", 1),
                call("stub_rate_limit", 2),
                call("stub_rate_limit", 3));
    }

    /** Returns the flags of the last send. */
    public static int sendFlags() {
        return call("stub_send_flags");
    }

    /**
     * Has a message come to queue pair {@code number}, as its driver says from queue pair {@code source}; of raw
     * packets 0 says that the checksums were not found right.
     */
    public static void receive(int number, int source) {
        call("stub_receive", number, source);
    }

    /** Has queue pair {@code number} fail by itself: its held sends complete with an error. */
    public static void fault(int number) {
        call("stub_break", number);
    }

    /**
     * Raises an asynchronous event, {@code enum ibv_event_type}, of queue pair {@code number}; that of a completion
     * queue is of the one where its sends complete.
     */
    public static void asyncEvent(int number, int type) {
        call("stub_async", number, type);
    }

    /**
     * Takes the device away, as Linux does when an adapter is unplugged: every command is answered with EIO, posts are
     * taken and never done. {@code told} is whether the event {@code IBV_EVENT_DEVICE_FATAL} comes.
     */
    public static void remove(boolean told) {
        call("stub_remove", 1, told ? 1 : 0);
    }

    /** Has {@code count} devices listed, {@code stub0} and so on, each as the first; 8 at most. */
    public static void list(int count) {
        call("stub_list", count);
    }

    /**
     * Says how the listed device {@code index} is opened.
     *
     * @param errno why it cannot be, 0 if it can
     * @param millis how long that takes
     * @param port {@code enum ibv_port_state} of all its ports, 0 for what {@link #port} said
     */
    public static void listed(int index, int errno, int millis, int port) {
        call("stub_listed", index, errno, millis, port);
    }

    /** Returns how often devices were opened since {@link #list}. */
    public static int opens() {
        return call("stub_opens");
    }

    /** Has queue pairs for more than {@link #INLINE_BYTES} refused with {@code errno}; 0: none is too much. */
    public static void inlineRefusal(int errno) {
        call("stub_inline_refusal", errno);
    }

    /** Has rings of sends be sized as mlx5 does it, of {@code blocks} of 64 bytes at most; 0: as they are asked for. */
    public static void ringBlocks(int blocks) {
        call("stub_ring_blocks", blocks);
    }

    /** Gives the next queue pair this number. */
    public static void nextQpNumber(int number) {
        call("stub_next_qp_number", number);
    }

    /** Returns the state that queue pair {@code number} was last said to be in, by {@code IBV_QP_CUR_STATE}. */
    public static int currentState(int number) {
        return call("stub_current_state", number);
    }

    /** Has accepted connections established at once, or never. */
    public static void answerAccepts(boolean answer) {
        call("stub_answer_accepts", answer ? 1 : 0);
    }

    /** Has {@code rdma_destroy_id} wait, as the kernel does while its set-up of a connection has no answer. */
    public static void keepIds(boolean keep) {
        call("stub_keep_ids", keep ? 1 : 0);
    }

    /** Has requests to connect and to disconnect answered at once, or never. */
    public static void oblige(boolean oblige) {
        call("stub_oblige", oblige ? 1 : 0);
    }

    /** Has events of librdmacm tell of this many Reads and Atomics in either direction; 1 unless it is said. */
    public static void depths(int depths) {
        call("stub_depths", depths);
    }

    /** Returns how often {@code rdma_connect} was called. */
    public static int connects() {
        return call("stub_connects");
    }

    /** Returns how often {@code rdma_accept} was called. */
    public static int accepts() {
        return call("stub_accepts");
    }

    /** Returns how often {@code rdma_disconnect} was called. */
    public static int disconnects() {
        return call("stub_disconnects");
    }

    /** Keeps calls of {@code rdma_disconnect} from returning, or lets them return. */
    public static void holdDisconnects(boolean held) {
        call("stub_hold_disconnects", held ? 1 : 0);
    }

    /** Keeps calls of close(2) from returning, with the descriptor closed, or lets them return. */
    public static void holdCloses(boolean held) {
        call("stub_hold_closes", held ? 1 : 0);
    }

    /** Returns how many calls of close(2) are kept from returning. */
    public static int heldCloses() {
        return call("stub_held_closes");
    }

    /** Returns how often a file descriptor was written to that was closed. */
    public static int staleWrites() {
        return call("stub_stale_writes");
    }

    /** Raises asynchronous events of the device that was opened last. */
    public static void asyncEvents(int count) {
        call("stub_async_events", count);
    }

    /** Returns how many of them were taken by now. */
    public static int asyncTaken() {
        return call("stub_async_taken");
    }

    /** Returns how many threads wait in poll once that number stands still: those that end have time to. */
    public static int settledPolls() {
        int polls = polls();
        for (int unchanged = 0; unchanged < SETTLED_ROUNDS; unchanged++) {
            Thread.yield();
            int now = polls();
            if (now != polls) {
                polls = now;
                unchanged = 0;
            }
        }
        return polls;
    }

    /** Returns by how many calls completions were polled so far. */
    public static int completionPolls() {
        return call("stub_cq_polls");
    }

    /** Returns how many threads wait in poll(2). */
    public static int polls() {
        return call("stub_polls");
    }

    /** Returns how many objects of libibverbs there are. */
    public static int objects() {
        return call("stub_objects");
    }

    /** Returns how many ids librdmacm has. */
    public static int ids() {
        return call("stub_ids");
    }

    /** Forgets the ids whose channel was destroyed before them, and returns how many they were. */
    public static int forgetOrphans() {
        return call("stub_forget_orphans");
    }

    /** Raises an event, {@code enum rdma_cm_event_type}, for the id that has the local {@code port}. */
    public static void event(int port, int type) {
        if (call("stub_event", port, type, 0) == 0) {
            throw new AssertionError("no id has port " + port);
        }
    }

    /** Returns the local port of the id that was made last, 0 if it has none yet. */
    public static int lastPort() {
        return call("stub_last_port");
    }

    /** Has a peer ask for a connection at the listener at {@code port}; returns the local port of its id. */
    public static int request(int port) {
        int child = call("stub_request", port);
        if (child == 0) {
            throw new AssertionError("no id has port " + port);
        }
        return child;
    }

    /** Waits until {@code done}; what should happen soon. */
    public static void await(String what, BooleanSupplier done) {
        Deadline deadline = Waits.deadline();
        while (!done.getAsBoolean()) {
            if (deadline.passed()) {
                throw new AssertionError("not in time: " + what);
            }
            Thread.yield();
        }
    }

    private static int call(String function, Integer... arguments) {
        FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_INT);
        for (Integer ignored : arguments) {
            descriptor = descriptor.appendArgumentLayouts(JAVA_INT);
        }
        try {
            return (int) find(function, descriptor).invokeWithArguments(List.of(arguments));
        } catch (Throwable e) {
            throw new AssertionError("a downcall threw", e);
        }
    }

    private static MethodHandle find(String name, FunctionDescriptor descriptor) {
        return NativeLibrary.IBVERBS
                .lookup()
                .find(name)
                .map(address -> Linker.nativeLinker().downcallHandle(address, descriptor))
                .orElseThrow(() -> new AssertionError(NativeLibrary.IBVERBS.fileName() + " is not the stub"));
    }

    private static String install() {
        try {
            String library =
                    StubLibrary.compile(Path.of("target", "stub"), List.of()).toString();
            System.setProperty("verbs.libibverbs", library);
            System.setProperty("verbs.librdmacm", library);
            System.setProperty("verbs.libc", library);
            return "";
        } catch (StubLibrary.UnavailableException e) {
            return String.valueOf(e.getMessage());
        } catch (IOException e) {
            throw new AssertionError("cannot compile the stub", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while compiling the stub", e);
        }
    }
}
