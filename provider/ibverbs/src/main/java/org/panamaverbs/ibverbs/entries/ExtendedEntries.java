package org.panamaverbs.ibverbs.entries;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import org.panamaverbs.bindings.ibverbs.ibv_cq_moderation_caps;
import org.panamaverbs.bindings.ibverbs.ibv_device_attr_ex;
import org.panamaverbs.bindings.ibverbs.ibv_odp_caps;
import org.panamaverbs.bindings.ibverbs.ibv_packet_pacing_caps;
import org.panamaverbs.bindings.ibverbs.ibv_rss_caps;
import org.panamaverbs.bindings.ibverbs.ibv_tm_caps;
import org.panamaverbs.bindings.ibverbs.ibv_tso_caps;
import org.panamaverbs.ibverbs.facts.DeviceFacts;

/** What {@code ibv_query_device_ex(3)} has beyond {@code ibv_query_device(3)}, as {@code ibv_devinfo -v} shows it. */
final class ExtendedEntries {
    private static final long UPPER_HALF = 0xffffffff_00000000L;
    private static final int OCTET = 0xff;
    private static final String NOT_SUPPORTED = "not supported";

    private final MemorySegment attributes;
    private final Entries entries;

    private ExtendedEntries(MemorySegment attributes, Entries entries) {
        this.attributes = attributes;
        this.entries = entries;
    }

    /** Adds what the extended query says to {@code entries}. */
    static void add(DeviceFacts facts, Entries entries) {
        ExtendedEntries extended = new ExtendedEntries(facts.attributes(), entries);
        extended.paging();
        extended.clocks();
        extended.flags();
        extended.segmentation();
        extended.scaling();
        entries.number("max_wq_type_rq", Integer.toUnsignedLong(ibv_device_attr_ex.max_wq_type_rq(facts.attributes())));
        extended.pacing();
        extended.tagMatching();
        extended.moderation();
        long memory = ibv_device_attr_ex.max_dm_size(facts.attributes());
        if (memory != 0) {
            entries.text("maximum available device memory", Long.toUnsignedString(memory) + "Bytes");
        }
        entries.number("num_comp_vectors", facts.completionVectors());
    }

    private void paging() {
        MemorySegment paging = ibv_device_attr_ex.odp_caps(attributes);
        MemorySegment services = ibv_odp_caps.per_transport_caps(paging);
        entries.flags("general_odp_caps", "", Bits.PAGING.of(ibv_odp_caps.general_caps(paging)));
        pagingOf("rc_odp_caps", ibv_odp_caps.per_transport_caps.rc_odp_caps(services));
        pagingOf("uc_odp_caps", ibv_odp_caps.per_transport_caps.uc_odp_caps(services));
        pagingOf("ud_odp_caps", ibv_odp_caps.per_transport_caps.ud_odp_caps(services));
        pagingOf("xrc_odp_caps", ibv_device_attr_ex.xrc_odp_caps(attributes));
    }

    private void pagingOf(String name, int bits) {
        entries.flags(
                name, "", bits == 0 ? List.of("NO SUPPORT") : Bits.PAGING_OF_SERVICE.of(Integer.toUnsignedLong(bits)));
    }

    private void clocks() {
        long mask = ibv_device_attr_ex.completion_timestamp_mask(attributes);
        if (mask != 0) {
            // The tool writes this name with a blank and the other without.
            entries.formatted("completion timestamp_mask", "0x%016x", mask);
        } else {
            entries.text("completion_timestamp_mask", NOT_SUPPORTED);
        }
        long clock = ibv_device_attr_ex.hca_core_clock(attributes);
        if (clock != 0) {
            entries.text("hca_core_clock", Long.toUnsignedString(clock) + "kHZ");
        } else {
            entries.text("core clock", NOT_SUPPORTED);
        }
    }

    private void flags() {
        int raw = ibv_device_attr_ex.raw_packet_caps(attributes);
        if (raw != 0) {
            entries.flags("raw packet caps", "", Bits.RAW_PACKET.of(Integer.toUnsignedLong(raw)));
        }
        long flags = ibv_device_attr_ex.device_cap_flags_ex(attributes);
        entries.flags(
                "device_cap_flags_ex",
                String.format(Locale.ROOT, "0x%X", flags),
                Bits.DEVICE_EX.of(flags & UPPER_HALF));
    }

    private void segmentation() {
        MemorySegment tso = ibv_device_attr_ex.tso_caps(attributes);
        entries.group("tso_caps");
        entries.number("max_tso", ibv_tso_caps.max_tso(tso));
        if (ibv_tso_caps.max_tso(tso) != 0) {
            services(Bits.SERVICES, ibv_tso_caps.supported_qpts(tso));
        }
        entries.group("");
    }

    private void scaling() {
        MemorySegment rss = ibv_device_attr_ex.rss_caps(attributes);
        entries.group("rss_caps");
        entries.number(
                "max_rwq_indirection_tables", Integer.toUnsignedLong(ibv_rss_caps.max_rwq_indirection_tables(rss)));
        entries.number(
                "max_rwq_indirection_table_size",
                Integer.toUnsignedLong(ibv_rss_caps.max_rwq_indirection_table_size(rss)));
        entries.formatted("rx_hash_function", "0x%x", ibv_rss_caps.rx_hash_function(rss) & OCTET);
        entries.formatted("rx_hash_fields_mask", "0x%X", ibv_rss_caps.rx_hash_fields_mask(rss));
        if (ibv_rss_caps.supported_qpts(rss) != 0) {
            services(Bits.SERVICES, ibv_rss_caps.supported_qpts(rss));
        }
        entries.group("");
    }

    private void pacing() {
        MemorySegment pacing = ibv_device_attr_ex.packet_pacing_caps(attributes);
        long most = Integer.toUnsignedLong(ibv_packet_pacing_caps.qp_rate_limit_max(pacing));
        entries.group("packet_pacing_caps");
        entries.text(
                "qp_rate_limit_min", Integer.toUnsignedLong(ibv_packet_pacing_caps.qp_rate_limit_min(pacing)) + "kbps");
        entries.text("qp_rate_limit_max", most + "kbps");
        if (most != 0) {
            services(Bits.PACED_SERVICES, ibv_packet_pacing_caps.supported_qpts(pacing));
        }
        entries.group("");
    }

    private void services(Bits names, int bits) {
        entries.flags("supported_qp", "", names.of(Integer.toUnsignedLong(bits)));
    }

    private void tagMatching() {
        MemorySegment tags = ibv_device_attr_ex.tm_caps(attributes);
        if (ibv_tm_caps.max_num_tags(tags) == 0) {
            entries.text("tag matching", NOT_SUPPORTED);
            return;
        }
        entries.group("tag matching");
        entries.number("max_rndv_hdr_size", Integer.toUnsignedLong(ibv_tm_caps.max_rndv_hdr_size(tags)));
        entries.number("max_num_tags", Integer.toUnsignedLong(ibv_tm_caps.max_num_tags(tags)));
        entries.number("max_ops", Integer.toUnsignedLong(ibv_tm_caps.max_ops(tags)));
        entries.number("max_sge", Integer.toUnsignedLong(ibv_tm_caps.max_sge(tags)));
        entries.flags("flags", "", Bits.TAG_MATCHING.of(Integer.toUnsignedLong(ibv_tm_caps.flags(tags))));
        entries.group("");
    }

    private void moderation() {
        MemorySegment caps = ibv_device_attr_ex.cq_mod_caps(attributes);
        int count = ibv_cq_moderation_caps.max_cq_count(caps) & 0xffff;
        int period = ibv_cq_moderation_caps.max_cq_period(caps) & 0xffff;
        if (count != 0 && period != 0) {
            entries.group("cq moderation caps");
            entries.number("max_cq_count", count);
            entries.text("max_cq_period", period + " us");
            entries.group("");
        }
    }
}
