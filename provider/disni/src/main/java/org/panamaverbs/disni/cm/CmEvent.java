package org.panamaverbs.disni.cm;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.panamaverbs.api.ConnectionException;

/** An event of the connection manager, with the peer's private data and the reason of a failure. */
public final class CmEvent extends RdmaCmEvent {
    private static final int MOST_PRIVATE_DATA = 255;
    /** DiSNI's codes are the positions in its enum. */
    private static final List<EventType> CODES = List.of(EventType.values());

    private final @Nullable RuntimeException failure;
    // What the address in the parameters points to, for as long as the event is there.
    private final @Nullable MemorySegment privateData;

    private CmEvent(
            EventType type,
            @Nullable RdmaCmId listenId,
            RdmaCmId id,
            int status,
            byte[] data,
            @Nullable RuntimeException failure)
            throws IOException {
        super(CODES.indexOf(type), listenId, id);
        this.status = status;
        this.failure = failure;
        privateData = data.length == 0 ? null : Arena.ofAuto().allocateFrom(ValueLayout.JAVA_BYTE, data);
        if (privateData != null) {
            conn.setPrivate_data(privateData.address());
            conn.setPrivate_data_len((byte) Math.min(data.length, MOST_PRIVATE_DATA));
        }
    }

    /** What an id of a request is to its event. */
    interface Request {
        /** Ends the id if it is open, which rejects the peer, and tells whether it was. */
        boolean destroyIfOpen() throws IOException;
    }

    /** Makes an event of {@code id} without anything to add. */
    static CmEvent of(EventType type, RdmaCmId id) throws IOException {
        return new CmEvent(type, null, id, 0, new byte[0], null);
    }

    /** Creates an event with private data. */
    static CmEvent of(EventType type, RdmaCmId id, byte[] privateData) throws IOException {
        return new CmEvent(type, null, id, 0, privateData, null);
    }

    /** Makes the one that tells of {@code id}, a peer that wants to connect to {@code listenId}. */
    static CmEvent request(RdmaCmId listenId, RdmaCmId id, byte[] privateData) throws IOException {
        return new CmEvent(EventType.RDMA_CM_EVENT_CONNECT_REQUEST, listenId, id, 0, privateData, null);
    }

    /** Makes the one that tells why {@code id} failed. */
    static CmEvent failed(RdmaCmId id, RuntimeException failure) throws IOException {
        FailureCode code = FailureCode.of(failure);
        byte[] said = failure instanceof ConnectionException e ? e.privateData() : new byte[0];
        return new CmEvent(code.type(), null, id, code.status(), said, failure);
    }

    /** Makes the one that tells why {@code id} did not get its address. */
    static CmEvent addressError(RdmaCmId id, int status) throws IOException {
        return new CmEvent(EventType.RDMA_CM_EVENT_ADDR_ERROR, null, id, status, new byte[0], null);
    }

    boolean isOf(RdmaCmId id) {
        return id.equals(getConnIdPriv()) || id.equals(getListenIdPriv());
    }

    boolean hasOpenIds() {
        RdmaCmId listener = getListenIdPriv();
        return getConnIdPriv().isOpen() && (listener == null || listener.isOpen());
    }

    /** To be called if nobody will get it: a request's id is nobody's then, so that the peer is rejected. */
    void drop() throws IOException {
        if (getListenIdPriv() != null && getConnIdPriv() instanceof Request request) {
            request.destroyIfOpen();
        }
    }

    public Optional<RuntimeException> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public String toString() {
        int octets = privateData == null ? 0 : (int) privateData.byteSize();
        return CODES.get(getEvent()) + ", status " + getStatus() + ", " + octets + " bytes of private data"
                + (failure == null ? "" : ": " + failure.getMessage());
    }
}
