package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.decisions.Reply;
import dev.berth.model.BackendKey;
import dev.berth.model.api.BackendList;
import dev.berth.model.api.BackendRequest;
import dev.berth.model.api.BackendSuggestions;
import dev.berth.model.api.BackendTypeList;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.FieldProblem;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.OwnLoader;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.ConfiguredBackend;
import dev.berth.spi.config.ConfigProblem;
import dev.berth.spi.config.PartialConfig;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** What the API does with backends: show, add, check, remove. */
final class BackendService {
  private final ControlPlane control;
  private final Backends backends;
  private final BackendEvents events;

  BackendService(ControlPlane control, Backends backends, BackendEvents events) {
    this.control = control;
    this.backends = backends;
    this.events = events;
  }

  BackendTypeList types() {
    BackendTypeList types = backends.plugins().view();
    backends.openArrived();
    return types;
  }

  /** Those that a project may use. */
  BackendList list(String project) {
    backends.openArrived();
    return new BackendList(
        backends.of(project).values().stream().map(BackendService::view).toList());
  }

  private static BackendView view(Backends.Entry entry) {
    StoredBackend added = entry.added();
    ConfiguredBackend<?> configured = entry.configured();
    String status =
        entry.opening()
            ? "opening"
            : entry.problem() == null
                ? "ready"
                : configured != null && added != null && added.state() != StoredBackend.State.READY
                    ? added.state().name().toLowerCase(Locale.ROOT)
                    : "failed";
    return new BackendView(
        entry.name(),
        entry.type(),
        status,
        entry.problem(),
        added == null ? "built-in" : added.declared() ? "declared" : "added",
        configured == null ? Map.of() : configured.redacted());
  }

  BackendView add(String project, BackendRequest request, String actor)
      throws InterruptedException {
    refuseBadName(request);
    InstalledType type = currentType(request.type());
    return backends
        .operations()
        .alone(keyOf(project, request.name()), () -> addAlone(project, request, type, actor));
  }

  private String keyOf(String project, String name) {
    Backends.Entry there = backends.of(project).get(name);
    return there == null ? BackendKey.of(project, name) : there.key();
  }

  private BackendView addAlone(
      String project, BackendRequest request, InstalledType type, String actor) {
    try {
      Backends.Entry there = backends.of(project).get(request.name());
      StoredBackend before = there == null ? null : there.added();
      StoredBackend wanted =
          new StoredBackend(
              there == null ? project : ownerOf(there, project),
              request.name(),
              request.type(),
              request.config(),
              before == null ? Map.of() : before.extras(),
              StoredBackend.State.PREPARING,
              false);
      if (before != null && before.declared()) {
        throw isDeclared(request.name());
      }
      if (there != null && !isSame(there, wanted) && !isMended(there, wanted)) {
        throw new ApiException(
            409, "the backend '" + request.name() + "' already exists; remove it first");
      }
      if (there == null
          || there.problem() != null
          || !control.backends().containsKey(wanted.key())) {
        ConfiguredBackend<?> configured = Backends.configured(type, request.config());
        try {
          control.add(wanted.key(), backends.add(type, configured, wanted));
        } finally {
          // One that failed half-way is kept, too.
          events.tell(there, backends.entries().get(wanted.key()), actor);
        }
      }
      return view(required(project, request.name()));
    } catch (BackendException e) {
      throw refusal(e);
    } catch (LinkageError e) {
      throw new ApiException(502, "the type '" + request.type() + "' does not work: " + e);
    }
  }

  private static void refuseBadName(BackendRequest request) {
    if (!request.name().matches(Plugins.NAME)) {
      throw refusal(
          "name", "it takes lower case letters, digits and dashes, and begins with a letter");
    }
  }

  /** Whose the one is that is there; one of before backends had owners stays everybody's. */
  private static @Nullable String ownerOf(Backends.Entry there, String project) {
    return there.added() == null ? project : there.added().project();
  }

  /** Whether what is there is what is asked for, so that asking again is no mistake. */
  private static boolean isSame(Backends.Entry there, StoredBackend wanted) {
    StoredBackend added = there.added();
    return added != null
        && added.type().equals(wanted.type())
        && added.config().equals(wanted.config());
  }

  /** Whether one that cannot be used gets other settings, which is how it can be mended. */
  private static boolean isMended(Backends.Entry there, StoredBackend wanted) {
    StoredBackend added = there.added();
    return added != null && there.problem() != null && added.type().equals(wanted.type());
  }

  /** Asks the provider whether it accepts the configuration that is kept. */
  BackendView check(String project, String name) {
    return check(required(project, name));
  }

  /** The same for one of any project. */
  BackendView check(Backends.Entry entry) {
    ConfiguredBackend<?> configured = entry.configured();
    if (configured == null || entry.opening()) {
      throw new ApiException(
          409, "the backend '" + entry.name() + "' cannot be used: " + entry.problem());
    }
    try {
      OwnLoader.run(
          type(entry.type()), () -> configured.check(backends.context(entry.key(), entry.added())));
    } catch (BackendException e) {
      throw refusal(e);
    }
    return view(entry);
  }

  BackendSuggestions suggest(String project, BackendRequest request) {
    refuseBadName(request);
    InstalledType type = currentType(request.type());
    try {
      return new BackendSuggestions(
          OwnLoader.call(
                  type,
                  () ->
                      type.type()
                          .suggest(
                              new PartialConfig(request.config()),
                              backends.context(BackendKey.of(project, request.name()), null)))
              .stream()
              .map(
                  suggestion ->
                      new BackendSuggestions.Field(
                          suggestion.path(),
                          suggestion.choices().stream()
                              .map(
                                  choice ->
                                      new BackendSuggestions.Choice(
                                          choice.value(), choice.label(), choice.recommended()))
                              .toList()))
              .toList());
    } catch (BackendException e) {
      throw refusal(e);
    }
  }

  /**
   * Removes a backend that has nothing of ours.
   *
   * @param forget without asking its provider: what is there stays there
   */
  BackendView remove(String project, String name, boolean forget, String actor)
      throws InterruptedException {
    String key = required(project, name).key();
    if (forget) {
      // Its provider may never respond, and that is a reason to forget it.
      backends.interruptOpening(key);
    }
    return backends.operations().alone(key, () -> removeAlone(project, name, forget, actor));
  }

  private BackendView removeAlone(String project, String name, boolean forget, String actor)
      throws InterruptedException {
    try {
      Backends.Entry entry = required(project, name);
      if (entry.added() == null) {
        throw new ApiException(409, "the backend '" + name + "' is built in and cannot be removed");
      }
      if (entry.added().declared() && !forget) {
        throw isDeclared(name);
      }
      letGo(entry, forget, actor);
      return view(entry);
    } catch (BackendException e) {
      throw refusal(e);
    }
  }

  private static ApiException isDeclared(String name) {
    return new ApiException(
        409, "the backend '" + name + "' is declared in the server's file; change it there");
  }

  /** Lets go of one that was added or declared; called by the one operation on it. */
  void letGo(Backends.Entry entry, boolean forget, String actor) throws InterruptedException {
    if (!forget) {
      Compute compute = control.backends().get(entry.key());
      if (compute != null) {
        refuseLive(entry.name(), compute);
      } else {
        refuseUnseen(entry);
      }
    }
    Optional<Reply.Refused> refused = control.remove(entry.key(), actor);
    if (refused.isPresent()) {
      throw new ApiException(409, refused.get().message());
    }
    if (forget) {
      backends.drop(entry);
    } else {
      backends.forget(entry);
    }
    events.tell(entry, null, actor);
  }

  /** What is not open cannot be looked at; only one that was never open has nothing for certain. */
  private static void refuseUnseen(Backends.Entry entry) {
    StoredBackend added = entry.added();
    boolean nothing =
        entry.configured() != null && added != null && added.state() != StoredBackend.State.READY;
    if (!nothing) {
      throw new ApiException(
          409,
          "the backend '"
              + entry.name()
              + "' is not open ("
              + entry.problem()
              + "), so Berth cannot see which of its resources are still there; add it again with"
              + " settings that work, or remove it with --forget, which leaves them there");
    }
  }

  /** The provider knows best what of ours is there. */
  private void refuseLive(String name, Compute compute) {
    int things =
        compute.provisioner().map(p -> p.list(backends.owner()).complete().size()).orElse(0)
            + compute.runtime().map(r -> r.list(backends.owner()).size()).orElse(0);
    if (things > 0) {
      throw new ApiException(
          409,
          "the backend '"
              + name
              + "' still has "
              + things
              + (things == 1 ? " resource" : " resources")
              + " that Berth created; stop and delete the runs on it first");
    }
  }

  private Backends.Entry required(String project, String name) {
    SortedMap<String, Backends.Entry> known = backends.of(project);
    Backends.Entry entry = known.get(name);
    if (entry == null) {
      throw new ApiException(
          404,
          "there is no backend '" + name + "'; there are " + String.join(", ", known.keySet()));
    }
    return entry;
  }

  private InstalledType type(String name) {
    return backends
        .plugins()
        .find(name)
        .orElseThrow(() -> refusal("type", backends.plugins().unknown(name)));
  }

  /** A type that begins to be used, which should be the one that is on the disk. */
  private InstalledType currentType(String name) {
    InstalledType type = type(name);
    backends
        .plugins()
        .replaced(type)
        .ifPresent(
            sentence -> {
              throw refusal("type", sentence);
            });
    return type;
  }

  private static ApiException refusal(String field, String sentence) {
    return ApiException.ofField(422, "field", field, sentence);
  }

  private static ApiException refusal(BackendException e) {
    if (e instanceof BackendException.BadConfig bad) {
      return new ApiException(
          422,
          "invalid configuration: " + bad.getMessage(),
          bad.problems().stream().map(BackendService::field).toList());
    }
    int status = e.isRetryable() ? 503 : 422;
    return new ApiException(status, String.valueOf(e.getMessage()));
  }

  private static FieldProblem field(ConfigProblem problem) {
    return new FieldProblem(
        problem.path().isEmpty() ? "config" : "config." + problem.path(), problem.message());
  }
}
