package dev.berth.ledger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;

/**
 * Hears of the events that other servers commit, and of what they pass on, on a connection and a
 * thread of its own.
 *
 * <p>Nothing depends on it: while it has no connection, those who wait look by themselves.
 */
final class PostgresListener implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(PostgresListener.class.getName());
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** How long a quiet connection is believed to be alive without being asked. */
  private static final Duration QUIET = Duration.ofSeconds(10);

  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private final PostgresDatabase database;
  private final PostgresLimits limits;
  private final EventSignals signals;
  private final InboxSignals inbox;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  // Written by the thread, read by whoever closes.
  private volatile @Nullable Connection current;

  PostgresListener(
      PostgresDatabase database, PostgresLimits limits, EventSignals signals, InboxSignals inbox) {
    this.database = database;
    this.limits = limits;
    this.signals = signals;
    this.inbox = inbox;
    this.thread = Thread.ofPlatform().daemon().name("ledger-listener").start(this::run);
  }

  private void run() {
    while (isOpen()) {
      try (Connection connection =
              database
                  .address()
                  .dataSource(
                      Map.of(
                          "ApplicationName",
                          "berth",
                          "connectTimeout",
                          Long.toString(limits.connect().toSeconds()),
                          "socketTimeout",
                          Long.toString(limits.answer().toSeconds()),
                          "tcpKeepAlive",
                          "true"))
                  .getConnection();
          Statement statement = connection.createStatement()) {
        current = connection;
        statement.execute("LISTEN berth_event; LISTEN berth_inbox");
        String schema = schema(statement);
        signals.announceGap();
        inbox.announceGap();
        while (isOpen()) {
          hear(connection, statement, schema);
        }
      } catch (SQLException e) {
        if (isOpen()) {
          LOG.log(
              System.Logger.Level.DEBUG,
              "Nothing is heard from other servers; their events are looked for every second",
              e);
        }
        pause();
      }
    }
  }

  private void hear(Connection connection, Statement statement, String schema) throws SQLException {
    PGNotification[] heard =
        connection.unwrap(PGConnection.class).getNotifications(Math.toIntExact(QUIET.toMillis()));
    if (heard == null || heard.length == 0) {
      statement.execute("SELECT 1");
      return;
    }
    for (PGNotification notification : heard) {
      hear(notification, schema);
    }
  }

  /** Anybody may send anything by any name; what is not ours is left alone. */
  private void hear(PGNotification notification, String schema) {
    String[] words = notification.getParameter().split(" ", 2);
    String what = words[0];
    if (words.length < 2 || (!words[1].equals(schema) && !words[1].startsWith(schema + " "))) {
      return;
    }
    String which = words[1].substring(schema.length()).strip();
    if (notification.getName().equals("berth_event")) {
      if (NUMBER.matcher(what).matches()) {
        signals.announce(which, Long.parseLong(what));
      }
    } else if (what.equals("asked")) {
      inbox.announceAsked();
    } else {
      inbox.announceAnswered(which);
    }
  }

  private static String schema(Statement statement) throws SQLException {
    try (ResultSet schema = statement.executeQuery("SELECT current_schema()")) {
      return schema.next() ? String.valueOf(schema.getString(1)) : "";
    }
  }

  private boolean isOpen() {
    return closed.getCount() > 0;
  }

  private void pause() {
    try {
      // Ends early only when the ledger is closed.
      boolean ended = closed.await(AGAIN.toMillis(), TimeUnit.MILLISECONDS);
      LOG.log(System.Logger.Level.TRACE, "Listening {0}", ended ? "ends" : "is tried again");
    } catch (InterruptedException e) {
      throw new IllegalStateException("nobody interrupts this thread", e);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    Connection connection = current;
    if (connection != null) {
      try {
        // Ends the wait for a notification; closing in order would wait for it.
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        throw database.error(e);
      }
    }
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
