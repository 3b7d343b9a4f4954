package org.panamaverbs.ibverbs.post;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.panamaverbs.api.GrhView;
import org.panamaverbs.api.WcOpcode;
import org.panamaverbs.api.WorkCompletion;
import org.panamaverbs.bindings.ibverbs.Ibverbs;
import org.panamaverbs.bindings.ibverbs.ibv_ah_attr;
import org.panamaverbs.bindings.ibverbs.ibv_wc;
import org.panamaverbs.ibverbs.call.Failure;
import org.panamaverbs.ibverbs.call.IbvCalls;
import org.panamaverbs.ibverbs.memory.Domain;

/** Where a datagram came from, as libibverbs makes it out of completion and header: {@code ibv_init_ah_from_wc(3)}. */
final class DatagramSource {
    // The library reads it as words.
    private static final int ALIGNMENT = 8;

    private DatagramSource() {}

    /**
     * Does nothing if {@code received} and {@code header} say where a datagram came from.
     *
     * @throws IllegalArgumentException otherwise
     */
    static void require(WorkCompletion received, GrhView header) {
        if (!received.ok() || received.opcode() != WcOpcode.RECV || received.sourceQpNumber() == 0) {
            throw new IllegalArgumentException("this completion does not identify the sender of a datagram: " + received
                    + "; remedy: use an extended completion queue with the field SOURCE_QP");
        }
        if (!received.hasGrh() && received.sourceLid() == 0) {
            throw new IllegalArgumentException("this completion has neither a global route header nor a LID to"
                    + " answer: " + received + "; remedy: use an extended completion queue with the field SOURCE_LID");
        }
        if (received.hasGrh() && header.isMulticast()) {
            throw new IllegalArgumentException("the datagram came to the multicast group " + header.destination()
                    + ", which cannot be the source of an answer; remedy: create a handle to GrhView.source() with a"
                    + " gidIndex of this side");
        }
    }

    /**
     * Returns a {@code struct ibv_ah_attr} that leads to where {@code received} came from.
     *
     * @throws org.panamaverbs.api.ResourceException if the library finds no way there
     */
    static MemorySegment attributes(Domain domain, WorkCompletion received, GrhView header, int port) {
        Arena arena = Arena.ofAuto();
        MemorySegment completion = ibv_wc.allocate(arena);
        ibv_wc.wc_flags(completion, received.hasGrh() ? Ibverbs.IBV_WC_GRH() : 0);
        ibv_wc.slid(completion, (short) received.sourceLid());
        ibv_wc.sl(completion, (byte) received.serviceLevel());
        ibv_wc.dlid_path_bits(completion, (byte) received.dlidPathBits());
        MemorySegment octets = arena.allocate(GrhView.BYTES, ALIGNMENT);
        header.copyTo(octets);
        MemorySegment attributes = ibv_ah_attr.allocate(arena);
        int errno =
                IbvCalls.INIT_AH_FROM_WC.status(domain.context().handle(), (byte) port, completion, octets, attributes);
        if (errno != 0) {
            throw Failure.of(
                    IbvCalls.INIT_AH_FROM_WC.name(),
                    domain.resourceName(),
                    errno,
                    "pass the header of this receive, whose destination must still be an address of port " + port + ": "
                            + header);
        }
        return attributes;
    }
}
