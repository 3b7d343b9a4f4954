package org.panamaverbs.disni.objects;

import com.ibm.disni.verbs.IbvQP;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.panamaverbs.api.QueuePair;

/** A queue pair. */
public final class Qp extends IbvQP {
    private final Context owner;
    private final QueuePair queuePair;
    private final int number;
    private final Cq receiveCq;
    private final ReceiveBook receives;
    private final ReentrantLock sendLock = new ReentrantLock();
    private final ReentrantLock receiveLock = new ReentrantLock();

    public Qp(Pd domain, Cq sendCq, Cq receiveCq, QueuePair queuePair) throws IOException {
        super(queuePair.number());
        this.queuePair = queuePair;
        this.receiveCq = receiveCq;
        number = queuePair.number();
        receives = new ReceiveBook(number);
        handle = number;
        pd = domain;
        context = domain.getContext();
        send_cq = sendCq;
        recv_cq = receiveCq;
        qp_type = IBV_QPT_RC;
        receiveCq.attach(receives);
        owner = domain.owner();
        owner.holds(queuePair, "queue pair " + number);
    }

    public QueuePair queuePair() {
        return queuePair;
    }

    public int number() {
        return number;
    }

    public ReceiveBook receives() {
        return receives;
    }

    /** Held while sends are posted: nobody may post between the posts of a list. */
    public ReentrantLock sendLock() {
        return sendLock;
    }

    /** Held while receives are posted, so that they are noted in their order. */
    public ReentrantLock receiveLock() {
        return receiveLock;
    }

    /** Names the queue pair for messages. */
    public String label() {
        return "queue pair " + number;
    }

    @Override
    public int getState() {
        if (!isOpen) {
            return IBV_QPS_RESET;
        }
        return switch (queuePair.state()) {
            case RESET -> IBV_QPS_RESET;
            case INIT -> IBV_QPS_INIT;
            case RTR -> IBV_QPS_RTR;
            case RTS -> IBV_QPS_RTS;
            case SQD -> IBV_QPS_SQD;
            case SQE -> IBV_QPS_SQE;
            case ERROR -> IBV_QPS_ERR;
        };
    }

    @Override
    public String toString() {
        return "handle=" + handle + ",qp_num=" + number + ",state=" + getState();
    }

    public void destroy() throws IOException {
        requireOpen("destroyQP");
        isOpen = false;
        receiveCq.detach(receives);
        Failures.run("destroyQP", queuePair::close);
        owner.ended(queuePair);
    }

    public void requireOpen(String operation) throws IOException {
        if (!isOpen) {
            throw Failures.closed(operation, label());
        }
    }
}
