package org.panamaverbs.sockets.programs;

import java.net.InetAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.h2.tools.Server;

/** A server of the H2 database, and clients that put rows into it by JDBC and read them back. */
final class H2Rows {
    private static final int MOST_CHARACTERS = 20_000;

    private H2Rows() {}

    /** Runs {@code server}, or {@code client PORT CONNECTIONS ROWS}. */
    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("server")) {
            serve();
        } else {
            int connections = Integer.parseInt(arguments[2]);
            int rows = Integer.parseInt(arguments[3]);
            use(Integer.parseInt(arguments[1]), connections, rows);
            System.out.println("checked " + connections * rows);
        }
        System.out.println("ended");
    }

    private static void serve() throws Exception {
        Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
        System.out.println("port " + server.getPort());
        while (System.in.read() >= 0) {
            // Until who started it closes the input.
        }
        server.stop();
    }

    private static void use(int port, int connections, int rows) throws SQLException {
        String url = "jdbc:h2:tcp://" + InetAddress.getLoopbackAddress().getHostAddress() + ":" + port
                + "/mem:rows;DB_CLOSE_DELAY=-1";
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("create table rows (owner int, number int, text varchar, primary key (owner, number))");
        }
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            int owner = i;
            ends.add(CompletableFuture.runAsync(() -> use(url, owner, rows), each -> new Thread(each).start()));
        }
        CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).join();
    }

    private static String text(Random random) {
        return String.valueOf((char) ('a' + random.nextInt(26))).repeat(random.nextInt(MOST_CHARACTERS));
    }

    private static void use(String url, int owner, int rows) {
        try (Connection connection = DriverManager.getConnection(url)) {
            Random written = new Random(owner);
            try (PreparedStatement insert = connection.prepareStatement("insert into rows values (?, ?, ?)")) {
                insert.setInt(1, owner);
                for (int i = 0; i < rows; i++) {
                    insert.setInt(2, i);
                    insert.setString(3, text(written));
                    insert.executeUpdate();
                }
            }
            check(connection, owner, rows);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(Connection connection, int owner, int rows) throws SQLException {
        Random expected = new Random(owner);
        try (PreparedStatement select =
                connection.prepareStatement("select text from rows where owner = ? order by number")) {
            select.setInt(1, owner);
            int found = 0;
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    found++;
                    if (!text(expected).equals(result.getString(1))) {
                        throw new IllegalStateException("another text");
                    }
                }
            }
            if (found != rows) {
                throw new IllegalStateException(found + " rows");
            }
        }
    }
}
