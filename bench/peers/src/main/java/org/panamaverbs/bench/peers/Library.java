package org.panamaverbs.bench.peers;

import io.netty.channel.epoll.Epoll;
import org.openucx.jucx.NativeLibs;

/** What is compared with. */
enum Library {
    AERON {
        @Override
        Peer open(Plan plan) {
            return new AeronPeer(plan, new AeronMedium.Udp());
        }
    },
    AERON_IPC {
        @Override
        Peer open(Plan plan) {
            return new AeronPeer(plan, new AeronMedium.Ipc());
        }
    },
    JUCX {
        @Override
        Peer open(Plan plan) {
            try {
                NativeLibs.load();
            } catch (UnsatisfiedLinkError e) {
                throw new MissingException("JUCX needs libucp.so.0: apt-get install libucx0", e);
            }
            return new JucxPeer(plan);
        }
    },
    NETTY {
        @Override
        Peer open(Plan plan) {
            if (!Epoll.isAvailable()) {
                throw new MissingException(
                        "Netty has no epoll transport for this machine", Epoll.unavailabilityCause());
            }
            return new NettyPeer(plan);
        }
    };

    /**
     * Returns one side of the measurement {@code plan}.
     *
     * @throws MissingException if this machine lacks what it needs
     */
    abstract Peer open(Plan plan);

    /** Something that does not come with the jar is not there; the message says what and the remedy. */
    static final class MissingException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MissingException(String text, Throwable cause) {
            super(text, cause);
        }
    }
}
