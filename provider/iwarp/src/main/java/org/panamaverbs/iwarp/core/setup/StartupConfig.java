package org.panamaverbs.iwarp.core.setup;

/**
 * What a side wants of a connection.
 *
 * @param crc whether it wants the CRC
 * @param markers whether it wants to receive markers
 * @param revision the MPA revision of a request, 1 or 2; the highest a responder takes
 * @param peerToPeer whether an initiator opens with a ready-to-receive message (RFC 6581 §9.2)
 * @param ird Reads and Atomics of the peer that it takes, 0 to 16382
 * @param ord Reads and Atomics that it wants to have outstanding, 0 to 16382
 * @param maxIrd how far a responder may raise {@code ird} to what the peer wants
 * @param rtrWrite whether it knows the zero-length Write as ready-to-receive message
 * @param rtrRead whether it knows the zero-length Read
 * @param rtrSend whether it knows the zero-length Send
 * @param privateData for the peer's application
 */
// The array is copied on the way in and out.
@SuppressWarnings("ArrayRecordComponent")
public record StartupConfig(
        boolean crc,
        boolean markers,
        int revision,
        boolean peerToPeer,
        int ird,
        int ord,
        int maxIrd,
        boolean rtrWrite,
        boolean rtrRead,
        boolean rtrSend,
        byte[] privateData) {
    /**
     * Begins a configuration with MPA revision 2, without CRC, markers and ready-to-receive messages, with depths of 0
     * and no private data.
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Copies the private data. */
    public StartupConfig {
        privateData = privateData.clone();
    }

    /** Returns a copy of the private data. */
    @Override
    public byte[] privateData() {
        return privateData.clone();
    }

    /** Returns the same configuration, which wants neither CRC nor markers. */
    public StartupConfig withoutCrcAndMarkers() {
        return new StartupConfig(
                false, false, revision, peerToPeer, ird, ord, maxIrd, rtrWrite, rtrRead, rtrSend, privateData);
    }

    /** What a side wants, set value by value. For one thread. */
    public static final class Builder {
        private boolean crc;
        private boolean markers;
        private int revision = 2;
        private boolean peerToPeer;
        private int ird;
        private int ord;
        private int maxIrd;
        private boolean rtrWrite;
        private boolean rtrRead;
        private boolean rtrSend;
        private byte[] privateData = new byte[0];

        private Builder() {}

        /** Sets {@link StartupConfig#crc()}. */
        public Builder crc(boolean value) {
            crc = value;
            return this;
        }

        /** Sets {@link StartupConfig#markers()}. */
        public Builder markers(boolean value) {
            markers = value;
            return this;
        }

        /** Sets {@link StartupConfig#revision()}. */
        public Builder revision(int value) {
            revision = value;
            return this;
        }

        /** Sets {@link StartupConfig#peerToPeer()}. */
        public Builder peerToPeer(boolean value) {
            peerToPeer = value;
            return this;
        }

        /** Sets {@link StartupConfig#ird()}. */
        public Builder ird(int value) {
            ird = value;
            return this;
        }

        /** Sets {@link StartupConfig#ord()}. */
        public Builder ord(int value) {
            ord = value;
            return this;
        }

        /** Sets {@link StartupConfig#maxIrd()}. */
        public Builder maxIrd(int value) {
            maxIrd = value;
            return this;
        }

        /** Sets {@link StartupConfig#rtrWrite()}. */
        public Builder rtrWrite(boolean value) {
            rtrWrite = value;
            return this;
        }

        /** Sets {@link StartupConfig#rtrRead()}. */
        public Builder rtrRead(boolean value) {
            rtrRead = value;
            return this;
        }

        /** Sets {@link StartupConfig#rtrSend()}. */
        public Builder rtrSend(boolean value) {
            rtrSend = value;
            return this;
        }

        /** Sets {@link StartupConfig#privateData()}. */
        public Builder privateData(byte[] value) {
            privateData = value.clone();
            return this;
        }

        /** Returns what was set so far. */
        public StartupConfig build() {
            return new StartupConfig(
                    crc, markers, revision, peerToPeer, ird, ord, maxIrd, rtrWrite, rtrRead, rtrSend, privateData);
        }
    }
}
