package org.panamaverbs.cli.decode.dissect;

import org.panamaverbs.iwarp.wire.ReadRequestView;

/** The fields of a Read Request, also of one that a Terminate returns. */
final class ReadRequestFields {
    private ReadRequestFields() {}

    static Fields of(ReadRequestView view) {
        return new Fields()
                .hex32("sinkStag", "Data Sink STag", view.sinkStag())
                .hex64("sinkTo", "Data Sink Tagged Offset", view.sinkTo())
                .count("size", "RDMA Read Message Size", view.size())
                .hex32("sourceStag", "Data Source STag", view.sourceStag())
                .hex64("sourceTo", "Data Source Tagged Offset", view.sourceTo());
    }
}
