package dev.berth.ledger;

import dev.berth.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where a PostgreSQL database is and who asks for it. It never prints the password.
 *
 * @param hosts one, or several of which the primary is looked for
 * @param settings of the connection, by the names of the JDBC driver
 */
public record PostgresAddress(
    List<Host> hosts,
    String database,
    String user,
    @Nullable Secret password,
    Map<String, String> settings) {

  /** One of the machines that may have the database. */
  public record Host(String name, int port) {
    @Override
    public String toString() {
      return (name.contains(":") ? "[" + name + "]" : name) + ":" + port;
    }
  }

  public PostgresAddress {
    hosts = List.copyOf(hosts);
    settings = Map.copyOf(settings);
  }

  /**
   * Reads an address as PostgreSQL's own programs and every cloud write it, {@code
   * postgresql://user:password@host:port/database?sslmode=require}, or with {@code jdbc:} in front.
   *
   * @throws LedgerException CANNOT_OPEN with what is wrong, never with the address itself
   */
  public static PostgresAddress of(String url) {
    return new PostgresUrl(url).address();
  }

  /** The same address with a password from elsewhere, for example from PGPASSWORD. */
  public PostgresAddress withPassword(Secret other) {
    return new PostgresAddress(hosts, database, user, other, settings);
  }

  /**
   * The same address with the password that is the first line of a file.
   *
   * @throws LedgerException CANNOT_OPEN when the file cannot be read or is empty
   */
  public PostgresAddress withPasswordFrom(Path file) {
    String first;
    try {
      first = Files.readString(file).lines().findFirst().orElse("");
    } catch (IOException e) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The file with the password of PostgreSQL, "
              + file
              + ", cannot be read. Check the path and its permissions.",
          e);
    }
    if (first.isEmpty()) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The file with the password of PostgreSQL, "
              + file
              + ", has an empty first line. Write the password there.");
    }
    return withPassword(Secret.of(first));
  }

  /** A source of connections with these settings where the address does not say otherwise. */
  PGSimpleDataSource dataSource(Map<String, String> usual) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(hosts.stream().map(Host::name).toArray(String[]::new));
    source.setPortNumbers(hosts.stream().mapToInt(Host::port).toArray());
    source.setDatabaseName(database);
    source.setUser(user);
    if (password != null) {
      source.setPassword(password.reveal());
    }
    Map<String, String> all = new TreeMap<>(usual);
    if (hosts.size() > 1) {
      all.put("targetServerType", "primary");
    }
    all.putAll(settings);
    all.forEach((name, value) -> set(source, name, value));
    return source;
  }

  private static void set(PGSimpleDataSource source, String name, String value) {
    try {
      source.setProperty(name, value);
    } catch (SQLException e) {
      throw new LedgerException(
          LedgerException.Code.CANNOT_OPEN,
          "The setting '"
              + name
              + "' in the address of PostgreSQL has a value that is not allowed.",
          e);
    }
  }

  @Override
  public String toString() {
    return "postgresql://"
        + user
        + "@"
        + hosts.stream().map(Host::toString).collect(Collectors.joining(","))
        + "/"
        + database;
  }
}
