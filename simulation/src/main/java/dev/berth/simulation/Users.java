package dev.berth.simulation;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Job;
import dev.berth.model.Placement;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.simulation.plan.Dice;
import dev.berth.simulation.plan.WorkStep;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Who asks the servers for something: does the plan's work, and clears up at the end. */
final class Users {
  private static final Duration CLOSING_ROUND = Duration.ofMinutes(1);

  /** After so many stops in order users lose patience and abort. */
  private static final int PATIENT_ROUNDS = 10;

  private final World world;
  private final Dice dice;
  private final List<Request> requests = new ArrayList<>();
  private final Set<String> removing = new HashSet<>();
  private int asked;
  private boolean closing;

  Users(World world) {
    this.world = world;
    this.dice = Dice.of(world.plan().seed(), "users");
  }

  void begin() {
    Duration last = Duration.ZERO;
    for (WorkStep step : world.plan().work()) {
      world.happens(step.at(), "work: " + step, () -> true, () -> perform(step));
      last = step.at();
    }
    world.happens(last.plus(world.plan().rest()), "closing time", () -> true, () -> close(0));
  }

  /** Whether nobody wants anything any more. */
  boolean areDone() {
    return closing && requests.stream().allMatch(Request::isDone);
  }

  /** A server to talk to: mostly the one that may write, sometimes one that thinks it may. */
  Optional<Server> chooseServer() {
    List<Server> alive =
        world.servers().alive().stream().filter(server -> !server.isFenced()).toList();
    if (alive.size() > 1 && dice.chance(0.3)) {
      return Optional.of(alive.getFirst());
    }
    return world.servers().inOffice();
  }

  private void perform(WorkStep step) {
    switch (step) {
      case WorkStep.Submit submit ->
          request(
              "submit " + submit.run(),
              tried ->
                  Optional.of(
                      Configurations.submit(
                          "r" + submit.number() + "t" + tried,
                          submit,
                          before(submit.task().terms()))));
      case WorkStep.Prioritise change ->
          request(
              "prioritise " + WorkStep.name(change.number()) + " #" + ++asked,
              _ ->
                  Optional.of(
                      new Message.Prioritise(
                          Configurations.PROJECT,
                          WorkStep.name(change.number()),
                          change.priority(),
                          Configurations.USER)));
      case WorkStep.ApplyFleet apply -> {
        int mine = ++asked;
        request(
            "apply " + WorkStep.fleetName(apply.number()) + " #" + mine,
            tried -> Optional.of(Configurations.apply("f" + mine + "t" + tried, apply)));
      }
      case WorkStep.DeleteFleet delete -> deleteFleet(WorkStep.fleetName(delete.number()));
      case WorkStep.Stop stop -> stop(WorkStep.name(stop.number()), stop.abort());
      case WorkStep.Delete delete -> delete(WorkStep.name(delete.number()));
      case WorkStep.RemoveBackend remove -> remove(remove.backend());
      case WorkStep.AddBackend add -> add(add.backend());
    }
  }

  private Request request(String name, java.util.function.IntFunction<Optional<Message>> message) {
    Request request = new Request(world, name, message, _ -> {});
    requests.add(request);
    request.send();
    return request;
  }

  private void stop(String run, boolean abort) {
    request(
        (abort ? "abort " : "stop ") + run + " #" + ++asked,
        _ ->
            Optional.of(new Message.Stop(Configurations.PROJECT, run, abort, Configurations.USER)));
  }

  private void deleteFleet(String name) {
    request(
        "delete " + name + " #" + ++asked,
        _ ->
            Optional.of(
                new Message.DeleteFleet(Configurations.PROJECT, name, Configurations.USER)));
  }

  /** The run that must succeed first, where it is known. */
  private List<String> before(WorkStep.Terms terms) {
    return latest(WorkStep.name(terms.after())).map(Run::id).stream().toList();
  }

  private void delete(String name) {
    List<Request> self = new ArrayList<>();
    self.add(
        request(
            "delete " + name + " #" + ++asked,
            _ -> {
              Optional<Run> run = latest(name);
              if (closing && run.isEmpty()) {
                self.forEach(Request::giveUp);
              }
              return run.filter(found -> !found.active())
                  .map(found -> new Message.Delete(found, belongings(found), Configurations.USER));
            }));
  }

  private Optional<Run> latest(String name) {
    return world
        .records()
        .all(Run.class)
        .filter(run -> run.name().equals(name))
        .max(Comparator.comparing(Run::submittedAt));
  }

  private List<Entity> belongings(Run run) {
    Records records = world.records();
    List<Entity> found = new ArrayList<>();
    records.all(Job.class).filter(job -> job.runId().equals(run.id())).forEach(found::add);
    records
        .all(Attempt.class)
        .filter(attempt -> attempt.runId().equals(run.id()))
        .forEach(
            attempt -> {
              found.add(attempt);
              records
                  .all(Resource.class)
                  .filter(resource -> resource.ownerId().equals(attempt.id()))
                  .forEach(found::add);
            });
    records
        .all(Placement.class)
        .filter(placement -> placement.runId().equals(run.id()))
        .forEach(found::add);
    return found;
  }

  private void remove(String backend) {
    Optional<Server> server = world.servers().inOffice();
    if (closing
        || server.isEmpty()
        || !world.configured().contains(backend)
        || !removing.add(backend)) {
      return;
    }
    Server asking = server.get();
    var _ =
        asking
            .steps()
            .askToRemove(backend, Configurations.USER)
            .whenComplete(
                (reply, _) ->
                    world.happens(
                        world.network().usual(),
                        "the removal of " + backend + " is settled",
                        () -> true,
                        () -> settleRemoval(asking, backend, reply instanceof Reply.None)));
  }

  private void settleRemoval(Server server, String backend, boolean mayGo) {
    removing.remove(backend);
    if (!server.isInOffice()) {
      return;
    }
    if (!mayGo) {
      server.steps().keep(backend);
      return;
    }
    world.note("  " + backend + " is let go");
    world.configured().remove(backend);
    // Closing it would close what other servers use too; there is nothing to let go of here.
    server.steps().letGo(backend);
  }

  private void add(String backend) {
    if (removing.contains(backend) || !world.configured().add(backend)) {
      return;
    }
    world.note("  " + backend + " is added");
    world
        .servers()
        .inOffice()
        .ifPresent(server -> server.steps().add(backend, world.compute(backend)));
  }

  /** All backends are there again, and whatever still runs is stopped, until nothing does. */
  private void close(int round) {
    closing = true;
    world.providers().forEach(provider -> add(provider.name()));
    world
        .records()
        .all(Run.class)
        .filter(Run::active)
        .map(Run::name)
        .toList()
        .forEach(name -> stop(name, round >= PATIENT_ROUNDS));
    world
        .records()
        .all(Fleet.class)
        .filter(fleet -> fleet.status() == Fleet.Status.ACTIVE && !fleet.temporary())
        .map(Fleet::name)
        .toList()
        .forEach(this::deleteFleet);
    world.happens(CLOSING_ROUND, "closing time", () -> true, () -> close(round + 1));
  }
}
