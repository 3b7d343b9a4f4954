package org.panamaverbs.ibverbs;

import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Function;
import org.panamaverbs.api.device.GidEntry;
import org.panamaverbs.api.device.Port;
import org.panamaverbs.api.device.PortAttributes;
import org.panamaverbs.ibverbs.context.IbvContext;
import org.panamaverbs.ibverbs.facts.Counters;
import org.panamaverbs.ibverbs.facts.PortQuery;
import org.panamaverbs.ibverbs.facts.Sysfs;

/**
 * A port of an open device, which is not closed while it is asked.
 *
 * @param context the device
 * @param number the port's number
 * @param sysfs where the kernel's files are
 */
record IbvPort(IbvContext context, int number, Sysfs sysfs) implements Port {
    @Override
    public PortAttributes query() {
        return ask(PortQuery::attributes);
    }

    @Override
    public List<InetAddress> addresses() {
        return ask(PortQuery::addresses);
    }

    @Override
    public List<GidEntry> gids() {
        return ask(PortQuery::gids);
    }

    @Override
    public Optional<GidEntry> gid(int index) {
        return ask(port -> port.gid(index));
    }

    @Override
    public SortedMap<String, Long> counters() {
        context.requireOpen();
        return Counters.ofPort(sysfs.classes(), context.device(), number);
    }

    @Override
    public int[] pkeys() {
        return ask(PortQuery::pkeys);
    }

    @Override
    public int pkey(int index) {
        return ask(port -> port.pkey(index));
    }

    private <T> T ask(Function<PortQuery, T> question) {
        Function<MemorySegment, T> query = handle -> question.apply(PortQuery.of(handle, number, sysfs));
        return context.query(query);
    }
}
