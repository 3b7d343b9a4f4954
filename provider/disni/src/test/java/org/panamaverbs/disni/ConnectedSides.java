package org.panamaverbs.disni;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What each test of a class needs that begins with two connected sides. */
abstract class ConnectedSides {
    Pair pair;
    Side client;
    Side server;

    @BeforeEach
    void connect() throws IOException {
        pair = Pair.connected();
        client = pair.client;
        server = pair.server;
    }

    @AfterEach
    void close() throws IOException {
        pair.close();
    }
}
