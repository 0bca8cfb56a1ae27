package dev.berth.ledger;

import dev.berth.ledger.PostgresAddress.Host;
import dev.berth.model.Secret;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads the address of a PostgreSQL database.
 *
 * <p>Messages quote no part of the text: where a password has letters that should have been
 * escaped, it may be anywhere in it.
 */
final class PostgresUrl {
  private static final int USUAL_PORT = 5432;
  private static final String ESCAPE =
      " If the user or the password has one of the characters @ : / ? # % or a space, write it as"
          + " %40 %3A %2F %3F %23 %25 %20.";

  /** The words of PostgreSQL's own programs, and those of the JDBC driver for the same. */
  private static final Map<String, String> SETTINGS =
      Map.ofEntries(
          Map.entry("application_name", "ApplicationName"),
          Map.entry("ApplicationName", "ApplicationName"),
          Map.entry("channel_binding", "channelBinding"),
          Map.entry("channelBinding", "channelBinding"),
          Map.entry("connect_timeout", "connectTimeout"),
          Map.entry("connectTimeout", "connectTimeout"),
          Map.entry("currentSchema", "currentSchema"),
          Map.entry("gssencmode", "gssEncMode"),
          Map.entry("gssEncMode", "gssEncMode"),
          Map.entry("load_balance_hosts", "loadBalanceHosts"),
          Map.entry("loadBalanceHosts", "loadBalanceHosts"),
          Map.entry("options", "options"),
          Map.entry("prepareThreshold", "prepareThreshold"),
          Map.entry("require_auth", "requireAuth"),
          Map.entry("requireAuth", "requireAuth"),
          Map.entry("ssl", "ssl"),
          Map.entry("sslcert", "sslcert"),
          Map.entry("sslkey", "sslkey"),
          Map.entry("sslmode", "sslmode"),
          Map.entry("sslnegotiation", "sslNegotiation"),
          Map.entry("sslNegotiation", "sslNegotiation"),
          Map.entry("sslpassword", "sslpassword"),
          Map.entry("sslrootcert", "sslrootcert"),
          Map.entry("target_session_attrs", "targetServerType"),
          Map.entry("targetServerType", "targetServerType"));

  /** Which server to look for, in the words of both. */
  private static final Map<String, String> SERVERS =
      Map.of(
          "any", "any",
          "read-write", "primary",
          "primary", "primary",
          "master", "primary",
          "prefer-standby", "preferSecondary",
          "preferSecondary", "preferSecondary");

  /** What our own connections decide, or what makes no difference to us. */
  private static final Set<String> IGNORED =
      Set.of("client_encoding", "keepalives", "keepalives_idle", "keepalives_interval");

  private final Map<String, String> settings = new TreeMap<>();
  private List<String> hosts = List.of();
  private List<String> ports = List.of();
  private String database = "";
  private String user = "";
  private @Nullable Secret password;

  PostgresUrl(String url) {
    String text = url.strip();
    text = text.startsWith("jdbc:") ? text.substring("jdbc:".length()) : text;
    int start = text.indexOf("://");
    if (start < 0 || !Set.of("postgresql", "postgres").contains(text.substring(0, start))) {
      throw wrong(
          "The address of PostgreSQL must look like"
              + " postgresql://user:password@host:5432/database.");
    }
    String rest = text.substring(start + "://".length());
    int query = rest.indexOf('?');
    String place = query < 0 ? rest : rest.substring(0, query);
    int slash = place.indexOf('/');
    readAuthority(slash < 0 ? place : place.substring(0, slash));
    database = slash < 0 ? "" : decoded(place.substring(slash + 1));
    if (query >= 0) {
      for (String pair : rest.substring(query + 1).split("&")) {
        readSetting(pair);
      }
    }
  }

  PostgresAddress address() {
    if (user.isEmpty()) {
      throw wrong("The address of PostgreSQL names no user: postgresql://user@host/database.");
    }
    String name = database.isEmpty() ? user : database;
    if (name.contains("/") || name.contains("@")) {
      throw wrong("The database in the address of PostgreSQL has a / or @ in its name." + ESCAPE);
    }
    return new PostgresAddress(hostsAndPorts(), name, user, password, settings);
  }

  private void readAuthority(String authority) {
    int at = authority.lastIndexOf('@');
    if (at >= 0) {
      String credentials = authority.substring(0, at);
      int colon = credentials.indexOf(':');
      user = decoded(colon < 0 ? credentials : credentials.substring(0, colon));
      if (colon >= 0) {
        password = Secret.of(decoded(credentials.substring(colon + 1)));
      }
    }
    List<String> names = new ArrayList<>();
    List<String> numbers = new ArrayList<>();
    for (String host : authority.substring(at + 1).split(",", -1)) {
      // The colons of an IPv6 address are inside of brackets.
      int colon = host.indexOf(':', Math.max(host.indexOf(']'), 0));
      names.add(decoded(colon < 0 ? host : host.substring(0, colon)));
      numbers.add(colon < 0 ? "" : host.substring(colon + 1));
    }
    hosts = names;
    ports = numbers;
  }

  private void readSetting(String pair) {
    int equals = pair.indexOf('=');
    if (equals < 0) {
      throw wrong("A setting after the ? in the address of PostgreSQL has no =." + ESCAPE);
    }
    String name = decoded(pair.substring(0, equals));
    String value = decoded(pair.substring(equals + 1));
    switch (name) {
      case "user" -> user = value;
      case "password" -> password = Secret.of(value);
      case "dbname" -> database = value;
      case "host" -> hosts = List.of(value.split(",", -1));
      case "port" -> ports = List.of(value.split(",", -1));
      default -> readDriverSetting(name, value);
    }
  }

  private void readDriverSetting(String name, String value) {
    if (IGNORED.contains(name)) {
      return;
    }
    String setting = SETTINGS.get(name);
    if (setting == null) {
      // The name alone: it was found between ? or & and =, but may be a part of a password too.
      throw wrong(
          "The address of PostgreSQL has a setting after the ? that Berth does not know. It knows "
              + String.join(", ", SETTINGS.keySet().stream().sorted().toList())
              + "."
              + ESCAPE);
    }
    if (setting.equals("targetServerType")) {
      String server = SERVERS.get(value);
      if (server == null) {
        throw wrong(
            "The ledger writes, so target_session_attrs in the address of PostgreSQL is read-write,"
                + " primary or any.");
      }
      settings.put(setting, server);
    } else if (setting.equals("sslrootcert") && value.equals("system")) {
      settings.put("sslfactory", "org.postgresql.ssl.DefaultJavaSSLFactory");
    } else {
      settings.put(setting, value);
    }
  }

  private List<Host> hostsAndPorts() {
    List<Host> found = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      String name = hosts.get(i).isEmpty() ? "localhost" : hosts.get(i);
      if (name.startsWith("/") || name.startsWith("@")) {
        throw wrong(
            "Berth reaches PostgreSQL through TCP, not through a socket file. Name a host.");
      }
      String port = ports.isEmpty() ? "" : ports.get(ports.size() == 1 ? 0 : i);
      String plain =
          name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
      found.add(new Host(plain, port.isEmpty() ? USUAL_PORT : number(port)));
    }
    return found;
  }

  private static int number(String port) {
    if (!port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65535 || port.matches("0+")) {
      throw wrong(
          "The port in the address of PostgreSQL is not a number from 1 to 65535." + ESCAPE);
    }
    return Integer.parseInt(port);
  }

  private static String decoded(String text) {
    try {
      // In this part of an address a plus is a plus.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      // Its message would quote the text, and so would the exception as a cause.
      throw wrong(
          "The address of PostgreSQL has a % that is not followed by two hexadecimal digits."
              + ESCAPE);
    }
  }

  private static LedgerException wrong(String sentence) {
    return new LedgerException(LedgerException.Code.CANNOT_OPEN, sentence);
  }
}
