package dev.berth.simulation;

import dev.berth.simulation.plan.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** The servers that are there, one after the other or two at a time. */
final class Servers {
  /** How long a server that learns that it was taken over needs until its process ends. */
  private static final Duration LAST_BREATH = Duration.ofSeconds(1);

  private final World world;
  private final List<Server> alive = new ArrayList<>();
  private long made;
  private boolean starting;

  Servers(World world) {
    this.world = world;
  }

  List<Server> alive() {
    return Collections.unmodifiableList(alive);
  }

  void start() {
    starting = false;
    String name = "server-" + ++made;
    world.note("  " + name + " starts");
    alive.add(new Server(world, name));
  }

  /** The one that may write, where there is one. */
  Optional<Server> inOffice() {
    return alive.stream().filter(Server::isInOffice).findFirst();
  }

  void crash(Trouble.Crash crash) {
    inOffice()
        .ifPresent(
            server -> {
              if (crash.where() == Trouble.Where.BEFORE_STEP) {
                die(server, crash.downFor());
              } else {
                server.dieIn(crash);
              }
            });
  }

  /** A second server takes over; the first one does not know it. */
  void takeOver() {
    if (alive.size() == 1 && inOffice().isPresent()) {
      start();
    }
  }

  void die(Server server, Duration downFor) {
    world.note("  " + server.name() + " dies");
    server.die();
    alive.remove(server);
    startLater(downFor);
  }

  /** It knows now; its process ends soon. */
  void fence(Server server) {
    world.note("  " + server.name() + " learns that it was taken over");
    server.fence();
    world.happens(
        LAST_BREATH, server.name() + " ends", server::isAlive, () -> die(server, LAST_BREATH));
  }

  private void startLater(Duration delay) {
    if (inOffice().isEmpty() && !starting) {
      starting = true;
      world.happens(delay, "the server is started", () -> true, this::startUnlessThere);
    }
  }

  private void startUnlessThere() {
    starting = false;
    if (inOffice().isEmpty()) {
      start();
    }
  }
}
