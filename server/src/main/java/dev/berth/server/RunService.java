package dev.berth.server;

import dev.berth.control.Engine;
import dev.berth.control.Envelope;
import dev.berth.control.MailboxFullException;
import dev.berth.decisions.Fitting;
import dev.berth.decisions.JobPlanner;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.decisions.Shopping;
import dev.berth.grammar.ConfigurationReader;
import dev.berth.grammar.Kind;
import dev.berth.model.Candidate;
import dev.berth.model.Instance;
import dev.berth.model.JobSpec;
import dev.berth.model.Run;
import dev.berth.model.Wishes;
import dev.berth.model.api.FieldProblem;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.PlanView;
import dev.berth.model.api.RunRequest;
import dev.berth.model.api.RunView;
import dev.berth.model.api.StopRequest;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.Offers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What the API does with runs: plan, submit, stop, delete. */
final class RunService {
  private static final Duration REPLY_WITHIN = Duration.ofSeconds(30);

  /** So many offers are shown in a plan. */
  private static final int MOST_OFFERS = 50;

  /** How long a plan waits for providers; after that it shows what was known before. */
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(5);

  private final Engine engine;

  /** The type of a backend, by its name. */
  private final Function<String, String> types;

  private final Store store;
  private final RunNames names;

  RunService(Engine engine, Function<String, String> types, Store store, RunNames names) {
    this.engine = engine;
    this.types = types;
    this.store = store;
    this.names = names;
  }

  PlanView plan(RunRequest request) throws InterruptedException {
    TaskConfiguration task = read(request);
    Wishes wishes = Shopping.wishes(task);
    List<FieldProblem> refusals = refusals(task, wishes);
    List<OfferView> offers = new ArrayList<>();
    JobSpec.Requirements needs =
        JobPlanner.requirements(task.run().resources(), request.configuration());
    engine
        .machines()
        .forEach(
            (name, machines) ->
                machines.stream()
                    .filter(machine -> wishes.allow(name, name))
                    .filter(machine -> Fitting.fitsEver(needs, machine))
                    .forEach(machine -> offers.add(offer(machine))));
    Shopping.suitable(engine.market(ANSWER_WITHIN), wishes).stream()
        .limit(MOST_OFFERS)
        .forEach(candidate -> offers.add(offer(candidate)));
    offers.sort(Comparator.comparingDouble(OfferView::price));
    return new PlanView(name(request, task), offers, refusals);
  }

  RunView submit(Call call, RunRequest request) {
    TaskConfiguration task = read(request);
    List<FieldProblem> refusals = refusals(task, Shopping.wishes(task));
    if (!refusals.isEmpty()) {
      throw new ApiException(
          422,
          "the run is refused: "
              + refusals.getFirst().path()
              + ": "
              + refusals.getFirst().message(),
          refusals);
    }
    String given = name(request, task);
    String name = given == null ? names.randomName() : given;
    Message message =
        new Message.Submit(
            names.newRunId(),
            call.path("project"),
            call.user(),
            name,
            request.configuration(),
            task);
    Reply.Accepted accepted = send(call, message, request);
    return Store.view(store.run(call.path("project"), accepted.runId()));
  }

  RunView stop(Call call, StopRequest request) {
    String project = call.path("project");
    Run run = store.run(project, call.path("run"));
    if (run.active()) {
      try {
        send(call, new Message.Stop(project, run.name(), request.abort(), call.user()), request);
      } catch (ApiException e) {
        // It ended while we asked: that is what the user wants.
        if (e.status() != 404) {
          throw e;
        }
      }
    }
    return Store.view(store.run(project, run.id()));
  }

  RunView delete(Call call) {
    Run run = store.run(call.path("project"), call.path("run"));
    RunView last = Store.view(run);
    if (run.active()) {
      throw new ApiException(409, "the run '" + run.name() + "' has not ended; stop it first");
    }
    send(
        call,
        new Message.Delete(run, store.belongings(run), call.user()),
        Map.of("delete", run.id()));
    return last;
  }

  private Reply.Accepted send(Call call, Message message, Object request) {
    Envelope envelope =
        new Envelope(message, new CompletableFuture<>(), idempotency(call, request));
    Reply reply;
    try {
      reply = engine.send(envelope).get(REPLY_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof MailboxFullException full) {
        throw new ApiException(429, String.valueOf(full.getMessage()));
      }
      throw new IllegalStateException("the request could not be decided", e.getCause());
    } catch (TimeoutException e) {
      throw new ApiException(
          503, "the server did not decide in time; ask again with the same Idempotency-Key");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(503, "the server is stopping");
    }
    return switch (reply) {
      case Reply.Accepted accepted -> accepted;
      case Reply.Refused refused ->
          throw new ApiException(status(refused.code()), refused.message());
      case Reply.None _ -> throw new IllegalStateException("no reply to " + message);
    };
  }

  private static int status(Reply.Code code) {
    return switch (code) {
      case NAME_TAKEN, NOT_FINISHED -> 409;
      case NOT_FOUND -> 404;
      case KEY_REUSED, NOT_SUPPORTED -> 422;
    };
  }

  private static Envelope.@Nullable Idempotency idempotency(Call call, Object request) {
    String key = call.header("Idempotency-Key");
    if (key == null) {
      return null;
    }
    if (key.isBlank() || key.length() > 200) {
      throw new ApiException(400, "the header 'Idempotency-Key' has 1 to 200 characters");
    }
    return new Envelope.Idempotency(
        call.path("project") + "/" + call.user(),
        key,
        Tokens.sha256(ApiJson.MAPPER.writeValueAsString(request)));
  }

  private static @Nullable String name(RunRequest request, TaskConfiguration task) {
    return request.name() == null ? task.run().name() : request.name();
  }

  private static TaskConfiguration read(RunRequest request) {
    Object type = request.configuration().get("type");
    if (!"task".equals(type)) {
      throw new ApiException(
          422,
          "only tasks run in this version, not " + type,
          List.of(new FieldProblem("type", "only tasks run in this version")));
    }
    try {
      Map<String, @Nullable Object> tree = new LinkedHashMap<>(request.configuration());
      if (request.name() != null) {
        tree.put("name", request.name());
      }
      return (TaskConfiguration)
          ConfigurationReader.readNormalised(Kind.TASK, tree, ConfigurationReader.Defaults.FILLED);
    } catch (IllegalArgumentException e) {
      throw new ApiException(422, "the configuration is wrong: " + e.getMessage());
    }
  }

  private List<FieldProblem> refusals(TaskConfiguration task, Wishes wishes) {
    List<FieldProblem> found = new ArrayList<>();
    for (String wanted : wishes.backends()) {
      if (engine.backends().keySet().stream().noneMatch(name -> isBackend(name, wanted))) {
        found.add(
            new FieldProblem(
                "backends",
                "there is no backend '" + wanted + "'; berth backend list shows those there are"));
      }
    }
    boolean onMachines =
        engine.backends().entrySet().stream()
            .filter(entry -> wishes.allow(entry.getKey(), types.apply(entry.getKey())))
            .anyMatch(entry -> entry.getValue().offers() instanceof Offers.OwnMachines);
    Stream.concat(
            JobPlanner.unsupportedYet(task).stream(),
            (onMachines
                    ? JobPlanner.unsupportedOnHosts(task)
                    : JobPlanner.unsupportedInContainersYet(task))
                .stream())
        .forEach(
            unsupported -> found.add(new FieldProblem(unsupported.path(), unsupported.message())));
    return found;
  }

  private boolean isBackend(String name, String wanted) {
    return name.equals(wanted) || types.apply(name).equals(wanted);
  }

  private static OfferView offer(Candidate candidate) {
    CatalogItem item = candidate.item();
    CatalogItem.Gpu gpu = item.gpu();
    return new OfferView(
        candidate.backend(),
        item.zone() == null ? item.region() : item.zone(),
        item.instanceType(),
        item.cpus(),
        item.memoryMib(),
        item.diskMib() == null ? 0 : item.diskMib(),
        gpu == null ? List.of() : Collections.nCopies(gpu.count(), gpu.name()),
        item.spot(),
        item.price(),
        candidate.availability().word());
  }

  private static OfferView offer(Instance instance) {
    List<String> gpus = instance.gpus().stream().map(Instance.Device::name).toList();
    return new OfferView(
        instance.backend(),
        instance.region(),
        instance.name(),
        instance.capacity().cpus(),
        instance.capacity().memoryMib(),
        instance.capacity().diskMib(),
        gpus,
        false,
        instance.price(),
        "available");
  }
}
