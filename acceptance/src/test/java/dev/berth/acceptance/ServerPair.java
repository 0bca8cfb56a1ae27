package dev.berth.acceptance;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Two servers on one database, of which one is active and the other stands by, and a simulated
 * cloud that both use. Each has a home of its own.
 */
final class ServerPair implements AutoCloseable {
  static final String TOKEN = "a-token-that-both-homes-have";

  /** What a process exits with that SIGTERM ended. */
  private static final int ENDED_IN_ORDER = 143;

  private static final Pattern ADDRESS =
      Pattern.compile("(?:listening on|standing by at) (http://[0-9.:]+)");

  private final List<Member> members = new ArrayList<>();
  private final AtomicInteger next = new AtomicInteger();

  /** One of the two. */
  static final class Member {
    private final TestHome home;
    // Written by whoever disturbs the servers, read by those who use them.
    private volatile @Nullable RunningCommand command;
    private volatile boolean stopped;

    Member(TestHome home) {
      this.home = home;
    }

    TestHome home() {
      return home;
    }

    RunningCommand command() {
      RunningCommand started = command;
      if (started == null) {
        throw new AssertionError("the server was never started");
      }
      return started;
    }

    /** Where it answers, if it does. */
    Optional<String> url() {
      RunningCommand started = command;
      if (started == null || stopped || !started.process().isAlive()) {
        return Optional.empty();
      }
      Matcher said = ADDRESS.matcher(started.out());
      return said.find() ? Optional.of(said.group(1)) : Optional.empty();
    }

    /** What it says of itself; empty where it does not answer. */
    String health() {
      String url = url().orElse(null);
      if (url == null) {
        return "";
      }
      try (BerthClient client = new BerthClient(url, TOKEN)) {
        return client.health().status();
      } catch (ClientException e) {
        return "";
      }
    }

    void start() {
      start("");
    }

    /** Starts it with classes that come before its own. */
    void start(String first) {
      stopped = false;
      command = home.startProgram(Distribution.teamServer(home.scratch(), first), home.scratch());
    }

    void awaitHealth(String wanted) {
      Await.until(
          "the server is " + wanted,
          () -> health().equals(wanted),
          () -> command().out() + command().err());
    }

    void signal(String name) {
      stopped = name.equals("STOP");
      ProcessTable.signal(name, command().process().pid());
    }
  }

  /**
   * Prepares the homes.
   *
   * @param file the file of both servers
   */
  ServerPair(String database, String file) throws IOException {
    Path uploads = TestHome.fresh().folder();
    for (int i = 0; i < 2; i++) {
      TestHome home = TestHome.fresh().set("BERTH_DATABASE_URL", database);
      members.add(new Member(home));
      Files.createDirectories(home.folder().resolve("server"));
      Files.writeString(home.folder().resolve("token"), TOKEN + "\n");
      Files.writeString(home.folder().resolve("server.yml"), file + shared(uploads));
    }
    Path data = members.getFirst().home().folder().resolve("server/backend-data");
    Files.createDirectories(data);
    Files.createSymbolicLink(
        members.getLast().home().folder().resolve("server/backend-data"), data);
  }

  /** What servers on one database must have alike. */
  private static String shared(Path uploads) {
    return """
    blobs:
      folder: %s
    encryption:
      keys:
        - type: aes
          name: one
          secret: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
    """
        .formatted(uploads);
  }

  /** Starts both, the first as the active one. */
  void start() {
    members.getFirst().start();
    members.getFirst().awaitHealth("ok");
    members.getLast().start();
    members.getLast().awaitHealth("standby");
  }

  TestHome firstHome() {
    return members.getFirst().home();
  }

  /** The one that is active now; waits for it. */
  Member active() {
    Member[] found = new Member[1];
    Await.until(
        "one of the servers is active",
        () -> {
          members.stream()
              .filter(member -> member.health().equals("ok"))
              .findFirst()
              .ifPresent(member -> found[0] = member);
          return found[0] != null;
        },
        () -> members.stream().map(each -> each.command().err()).toList().toString());
    return found[0];
  }

  Member otherThan(Member one) {
    return members.getFirst() == one ? members.getLast() : members.getFirst();
  }

  /** A client of one of those that answer, each in turn. */
  BerthClient client() {
    String[] url = new String[1];
    Await.until(
        "one of the servers answers",
        () -> {
          members
              .get(Math.floorMod(next.getAndIncrement(), members.size()))
              .url()
              .ifPresent(found -> url[0] = found);
          return url[0] != null;
        });
    return new BerthClient(url[0], TOKEN);
  }

  /** Asks until one of them answers. The request must be one that may be repeated. */
  <T> T ask(Function<BerthClient, T> request) {
    while (true) {
      try (BerthClient client = client()) {
        return request.apply(client);
      } catch (ClientException e) {
        if (!e.isUnreachable() && e.status() != 503) {
          throw e;
        }
        Await.pause();
      }
    }
  }

  /** Says no where one of them has ended by itself. */
  void assertAlive() {
    for (Member member : members) {
      RunningCommand started = member.command();
      if (!started.process().isAlive()) {
        throw new AssertionError(
            "a server ended by itself with " + started.process().exitValue() + started.err());
      }
    }
  }

  /** Ends both in order, the one that stands by first; neither may have ended before. */
  void end() {
    Member active = active();
    assertAlive();
    for (Member member : List.of(otherThan(active), active)) {
      member.command().process().destroy();
      member.command().await().expect(ENDED_IN_ORDER);
    }
  }

  @Override
  public void close() {
    for (Member member : members) {
      RunningCommand started = member.command;
      if (started != null) {
        ProcessTable.signal("KILL", started.process().pid());
      }
      member.home().close();
    }
  }
}
