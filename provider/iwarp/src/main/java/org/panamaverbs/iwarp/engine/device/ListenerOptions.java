package org.panamaverbs.iwarp.engine.device;

import java.util.List;
import java.util.Map;
import org.panamaverbs.api.cm.ListenerConfig;
import org.panamaverbs.spi.support.Known;

/**
 * The options of one listener, {@link ListenerConfig#options()}. What a listener does not say, the options of its
 * context say.
 *
 * @param replyBegin what private data of initiators that take a Reply in pieces begin with, in hexadecimal; empty for
 *     none
 */
public record ListenerOptions(String replyBegin) {
    /**
     * Reads the options of {@code config}.
     *
     * @throws IllegalArgumentException for an unknown option or a value it cannot have, naming what there is
     */
    public static ListenerOptions parse(ListenerConfig config, IwarpOptions defaults) {
        Known.options("iwarp", List.of(IwarpOption.REPLY_BEGIN.key()), config);
        String text = config.options().get(IwarpOption.REPLY_BEGIN.key());
        IwarpOptions all = text == null ? defaults : defaults.with(Map.of(IwarpOption.REPLY_BEGIN, text));
        return new ListenerOptions(all.get(IwarpOption.REPLY_BEGIN));
    }
}
