package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.model.BackendKey;
import dev.berth.model.config.BackendDeclaration;
import dev.berth.model.config.ServerConfiguration;
import dev.berth.server.plugins.InstalledType;
import dev.berth.server.plugins.Plugins;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.ConfiguredBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Keeps the backends that the server's file declares as the file wants them. */
final class DeclaredBackends {
  private static final System.Logger LOG = System.getLogger(DeclaredBackends.class.getName());
  private static final String ACTOR = "server";

  /** So long the file is not looked at again, at most. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final ControlPlane control;
  private final Backends backends;
  private final BackendService service;
  private final BackendEvents events;

  /** Those that no provider has accepted yet, so that nothing is kept of them. */
  private final Set<String> unkept = ConcurrentHashMap.newKeySet();

  private final Map<String, String> told = new ConcurrentHashMap<>();

  DeclaredBackends(
      ControlPlane control, Backends backends, BackendService service, BackendEvents events) {
    this.control = control;
    this.backends = backends;
    this.service = service;
    this.events = events;
  }

  /** The backends of a file by their keys; one without a name has that of its type. */
  static Map<String, BackendDeclaration> of(ServerConfiguration file) {
    Map<String, BackendDeclaration> found = new LinkedHashMap<>();
    for (ServerConfiguration.Project one : file.projects()) {
      for (BackendDeclaration backend :
          Objects.requireNonNullElse(one.backends(), List.<BackendDeclaration>of())) {
        String name = Objects.requireNonNullElse(backend.name(), backend.type());
        if (!name.matches(Plugins.NAME)) {
          warn(
              name, "a name takes lower case letters, digits and dashes, and begins with a letter");
        } else if (found.putIfAbsent(BackendKey.of(one.name(), name), asKept(backend)) != null) {
          warn(name, "it appears twice in the server's file; give one of them another 'name'");
        }
      }
    }
    return found;
  }

  /** With settings as they are when they were kept, so that what did not change is equal. */
  @SuppressWarnings("unchecked")
  private static BackendDeclaration asKept(BackendDeclaration backend) {
    return new BackendDeclaration(
        backend.type(),
        backend.name(),
        ApiJson.MAPPER.readValue(ApiJson.MAPPER.writeValueAsString(backend.settings()), Map.class));
  }

  /**
   * Opens what is new, goes on by other settings where they changed, and lets go of what is not
   * wanted any more. All at once; what takes long goes on by itself.
   *
   * @return whether all is as the file wants it; otherwise it is worth to try again
   */
  boolean apply(Map<String, BackendDeclaration> wanted) throws InterruptedException {
    List<Optional<CompletableFuture<Boolean>>> begun = new ArrayList<>();
    wanted.forEach(
        (key, declaration) ->
            begun.add(
                backends
                    .operations()
                    .begin(
                        key,
                        () -> {
                          Backends.Entry before = kept(key);
                          boolean done = bring(key, declaration);
                          events.tell(before, kept(key), ACTOR);
                          return done;
                        })));
    boolean done = await(begun);
    begun.clear();
    for (Backends.Entry entry : backends.entries().values()) {
      StoredBackend kept = entry.added();
      if (kept != null && kept.declared() && !wanted.containsKey(entry.key())) {
        begun.add(backends.operations().begin(entry.key(), () -> dismiss(entry.key())));
      }
    }
    return await(begun) && done;
  }

  /** Whether all of them have been done; one that was not begun, or takes long, has not. */
  private static boolean await(List<Optional<CompletableFuture<Boolean>>> begun)
      throws InterruptedException {
    long deadline = System.nanoTime() + LONGEST_WAIT.toNanos();
    boolean done = true;
    for (Optional<CompletableFuture<Boolean>> one : begun) {
      try {
        done &=
            one.isPresent()
                && one.get().get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LOG.log(System.Logger.Level.DEBUG, "A declared backend is not there yet", e);
        done = false;
      }
    }
    return done;
  }

  /** The one that is there, unless it is only shown for its reason. */
  private Backends.@Nullable Entry kept(String key) {
    return unkept.contains(key) ? null : backends.entries().get(key);
  }

  private boolean bring(String key, BackendDeclaration declaration) {
    String project = BackendKey.project(key);
    String name = BackendKey.name(key);
    Backends.Entry there = backends.of(String.valueOf(project)).get(name);
    StoredBackend before = there == null ? null : there.added();
    if (there != null && (before == null || !before.declared())) {
      tell(
          key,
          before == null
              ? "a backend of this name is built in; give the declared one another 'name'"
              : "a backend of this name was added; remove that one, or give this another 'name'");
      return true;
    }
    if (before != null && !before.type().equals(declaration.type())) {
      tell(key, "it was of the type '" + before.type() + "'; give the new one another 'name'");
      return true;
    }
    boolean open = control.backends().containsKey(key);
    // One whose change failed half-way has the new settings already, and goes on by the old ones.
    if (there != null
        && before != null
        && open
        && there.problem() == null
        && before.config().equals(declaration.settings())) {
      return true;
    }
    StoredBackend wanted =
        new StoredBackend(
            project,
            name,
            declaration.type(),
            new LinkedHashMap<>(declaration.settings()),
            before == null ? Map.of() : before.extras(),
            StoredBackend.State.PREPARING,
            true);
    try {
      InstalledType type =
          backends
              .plugins()
              .find(declaration.type())
              .orElseThrow(
                  () ->
                      new BackendException.Permanent(
                          backends.plugins().unknown(declaration.type()), null));
      ConfiguredBackend<?> configured = Backends.configured(type, declaration.settings());
      Compute compute = backends.add(type, configured, wanted);
      if (open) {
        control.replace(key, compute);
      } else {
        control.add(key, compute);
      }
      unkept.remove(key);
      told.remove(key);
      return true;
    } catch (RuntimeException | LinkageError e) {
      // Whatever a plug-in throws is about its backend; the others of the file are gone on with.
      String problem = Backends.sentence(e);
      tell(key, problem + (open ? "; the previous settings stay in effect" : ""));
      Backends.Entry now = backends.entries().get(key);
      if (now == null || (unkept.contains(key) && now.configured() == null)) {
        unkept.add(key);
        backends.failed(wanted, problem);
      } else {
        unkept.remove(key);
      }
      return false;
    }
  }

  private boolean dismiss(String key) {
    Backends.Entry entry = backends.entries().get(key);
    if (entry == null) {
      return true;
    }
    if (unkept.remove(entry.key())) {
      backends.dismiss(entry.key());
      return true;
    }
    try {
      service.letGo(entry, false, ACTOR);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (RuntimeException | LinkageError e) {
      tell(
          entry.key(),
          "it is no longer in the server's file, but stays for now: "
              + (e instanceof ApiException ? e.getMessage() : Backends.sentence(e)));
      return false;
    }
  }

  /** Tells what is wrong with one, unless that was told before. */
  private void tell(String key, String sentence) {
    if (!sentence.equals(told.put(key, sentence))) {
      warn(key, sentence);
    }
  }

  private static void warn(String name, String sentence) {
    LOG.log(System.Logger.Level.WARNING, "The declared backend " + name + ": " + sentence);
  }
}
