package dev.berth.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Repositories of a folder behind git's own program for the web, for those who say the token. What
 * command lines say while a clone is under way is looked at from inside of it.
 */
final class PrivateGitServer implements AutoCloseable {
  private static final Path BACKEND = Path.of("/usr/lib/git-core/git-http-backend");

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Path repositories;
  private final String authorization;
  private final String token;
  private final List<String> seen = new CopyOnWriteArrayList<>();

  PrivateGitServer(Path repositories, String user, String token) throws IOException {
    this.repositories = repositories;
    this.token = token;
    this.authorization =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + token).getBytes(StandardCharsets.UTF_8));
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String url(String repository) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + repository;
  }

  /** The command lines that had the token in them. */
  List<String> seen() {
    return List.copyOf(seen);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        exchange.getResponseHeaders().add("WWW-Authenticate", "Basic realm=\"private\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      ProcessTable.mentioning(token).stream()
          .map(ProcessTable.Entry::command)
          .filter(command -> command.contains(token))
          .forEach(seen::add);
      passOn(exchange);
    }
  }

  private void passOn(HttpExchange exchange) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(BACKEND.toString());
    Map<String, String> variables = builder.environment();
    variables.put("GIT_PROJECT_ROOT", repositories.toString());
    variables.put("GIT_HTTP_EXPORT_ALL", "1");
    variables.put("REQUEST_METHOD", exchange.getRequestMethod());
    variables.put("PATH_INFO", exchange.getRequestURI().getPath());
    variables.put(
        "QUERY_STRING", Objects.requireNonNullElse(exchange.getRequestURI().getQuery(), ""));
    header(exchange, "Content-Type", "CONTENT_TYPE", variables);
    header(exchange, "Content-Encoding", "HTTP_CONTENT_ENCODING", variables);
    header(exchange, "Git-Protocol", "GIT_PROTOCOL", variables);
    Process backend = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    threads.execute(
        () -> {
          try (OutputStream in = backend.getOutputStream()) {
            exchange.getRequestBody().transferTo(in);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
    try (InputStream out = new BufferedInputStream(backend.getInputStream())) {
      int status = 200;
      for (String line = line(out); !line.isEmpty(); line = line(out)) {
        String[] parts = line.split(": ", 2);
        if (parts[0].toLowerCase(Locale.ROOT).equals("status")) {
          status = Integer.parseInt(parts[1].substring(0, 3));
        } else {
          exchange.getResponseHeaders().add(parts[0], parts[1]);
        }
      }
      exchange.sendResponseHeaders(status, 0);
      out.transferTo(exchange.getResponseBody());
    }
  }

  private static void header(
      HttpExchange exchange, String name, String variable, Map<String, String> variables) {
    String value = exchange.getRequestHeaders().getFirst(name);
    if (value != null) {
      variables.put(variable, value);
    }
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
