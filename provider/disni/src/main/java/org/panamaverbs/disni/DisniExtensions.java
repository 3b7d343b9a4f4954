package org.panamaverbs.disni;

import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaProvider;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.panamaverbs.api.Verbs;
import org.panamaverbs.api.cm.Connection;
import org.panamaverbs.api.cm.ConnectionRequest;
import org.panamaverbs.disni.cm.CmEvent;
import org.panamaverbs.disni.cm.CmId;
import org.panamaverbs.disni.objects.Context;
import org.panamaverbs.disni.objects.Failures;
import org.panamaverbs.disni.objects.Mr;
import org.panamaverbs.disni.objects.Pd;
import org.panamaverbs.disni.objects.Registrations;
import org.panamaverbs.memory.RegisteredBuffer;

/**
 * What DiSNI has no call for. All take objects that DiSNI got from this provider, and throw {@link IOException} for
 * others. Thread-safe.
 */
public final class DisniExtensions {
    private DisniExtensions() {}

    /** Returns the device, whose capabilities, attributes and asynchronous events are beyond DiSNI. */
    public static Verbs verbs(IbvContext context) throws IOException {
        return Failures.own("verbs", Context.class, context).verbs();
    }

    /**
     * Registers {@code segment} of any length, also beyond 2 GiB.
     *
     * @param segment native or mapped memory, which must stay alive until it is deregistered
     * @param access a mask of {@code IbvMr.IBV_ACCESS_…}
     * @return the registration; its {@code getLength} has the low 32 bits, {@link #buffer} all of it
     * @throws IOException if it cannot be registered, with the remedy
     */
    public static IbvMr register(IbvPd pd, MemorySegment segment, int access) throws IOException {
        return Registrations.register(Failures.own("register", Pd.class, pd), segment, access);
    }

    /** Returns the registration as the verbs API has it. */
    public static RegisteredBuffer buffer(IbvMr mr) throws IOException {
        return Failures.own("buffer", Mr.class, mr).buffer();
    }

    /**
     * Rejects a peer that wants to connect, with private data; destroying the id without an answer rejects without.
     *
     * @param id of a {@code CONNECT_REQUEST}; it is still to be destroyed
     * @param privateData up to {@code verbs(context).capabilities().maxPrivateData()} bytes
     * @throws IOException if the id is no request, or the request was answered before
     */
    public static void reject(RdmaCmId id, byte[] privateData) throws IOException {
        ConnectionRequest request = Failures.own("reject", CmId.class, id).request();
        if (request == null) {
            throw Failures.unsupported("reject", "the id is no request of a peer");
        }
        Failures.run("reject", () -> request.reject(privateData));
    }

    /** Returns the connection of {@code id}, empty before it is established. */
    public static Optional<Connection> connection(RdmaCmId id) throws IOException {
        return Optional.ofNullable(Failures.own("connection", CmId.class, id).connection());
    }

    /**
     * Closes the device that all groups of the process share, if it is open, with the completion queues, channels and
     * protection domains that DiSNI leaves behind where a group is closed. Its threads go with it, so that an
     * application server can unload the class loader that has DiSNI. To be called after all groups and event channels
     * are closed; the next event channel opens the device anew.
     *
     * @throws IOException if a queue pair, a registration, a connection or a listener is open, naming it: the device
     *     stays open, and this can be called again; or if DiSNI's provider is not this one
     */
    public static void closeDevice() throws IOException {
        if (!(RdmaProvider.provider() instanceof PanamaProvider ours)) {
            throw Failures.unsupported("closeDevice", "DiSNI has another provider than Panama Verbs");
        }
        ours.closeDevice();
    }

    /** Returns why what {@code event} tells of failed; empty for other events. */
    public static Optional<RuntimeException> failure(RdmaCmEvent event) throws IOException {
        return Failures.own("failure", CmEvent.class, event).failure();
    }
}
