package dev.berth.testkit;

import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Traits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One run of the kit: a backend that is set up and opened as a server would, with an owner that
 * nobody else has. Checks run one after the other; only its waking comes from other threads.
 */
final class Session implements AutoCloseable {

  private final Subject subject;
  private final Path directory;
  private final boolean ownDirectory;
  private final AtomicInteger keys = new AtomicInteger();
  private final Waiting waiting;
  private final KitArchives archives = new KitArchives();
  private final List<Compute> opened = new ArrayList<>();
  private final List<String> cleaningProblems = new ArrayList<>();
  private final Deletions deletions;
  private @Nullable Map<String, String> extras;
  private @Nullable Compute compute;
  private @Nullable Offered offered;
  private @Nullable Found machine;
  private @Nullable AutoCloseable watch;
  private @Nullable Boolean realShell;

  Session(Subject subject) {
    this.subject = subject;
    this.waiting = new Waiting(subject.environment());
    this.deletions = new Deletions(subject, waiting, this::provisioner);
    Path given = subject.environment().directory();
    this.ownDirectory = given == null;
    this.directory = given == null ? temporary() : given;
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("berth-kit");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The files that jobs can get. */
  KitArchives archives() {
    return archives;
  }

  Subject subject() {
    return subject;
  }

  Owner owner() {
    return new Owner("kit-" + subject.runId());
  }

  /** A name that was never used, and will never be. */
  String key() {
    return "kit-" + subject.runId() + "-" + keys.incrementAndGet();
  }

  ConfiguredSubject<?> type() {
    return typed(subject.type(), subject.config());
  }

  /** The same type with credentials that the provider does not accept. */
  Optional<ConfiguredSubject<?>> refusedType() {
    return Optional.ofNullable(subject.refusedConfig())
        .map(config -> typed(subject.type(), config));
  }

  private static <C extends Record> ConfiguredSubject<C> typed(
      BackendType<C> type, Map<String, @Nullable Object> config) {
    return new ConfiguredSubject<>(type, config);
  }

  /** What a backend gets that lives in a folder of this run. */
  BackendContext context(String folder, Owner owner) {
    return new BackendContext(
        "kit",
        owner,
        directory.resolve(folder),
        Map.of(),
        subject.environment().clock(),
        archives,
        Resources.SSH_KEY);
  }

  private BackendContext prepared(Owner owner) {
    BackendContext bare = context("data", owner);
    Map<String, String> known = extras;
    if (known == null) {
      known = type().prepare(context("data", owner()));
      extras = known;
    }
    return bare.with(known);
  }

  Compute compute() {
    Compute known = compute;
    if (known == null) {
      known = open(owner());
      compute = known;
    }
    return known;
  }

  /** Opens the backend once more, as another server would. */
  Compute open(Owner owner) {
    Compute another = type().open(prepared(owner));
    opened.add(another);
    return another;
  }

  Traits traits() {
    return compute().traits();
  }

  Offered offered() {
    Offered known = offered;
    if (known == null) {
      known = Offered.of(subject, compute());
      offered = known;
    }
    return known;
  }

  Provisioner provisioner() {
    return compute()
        .provisioner()
        .orElseThrow(
            () ->
                new CheckFailure(
                    "implement provisioner(), or opt out of what it makes with"
                        + " traits().without(...)"));
  }

  JobRuntime runtime() {
    return compute()
        .runtime()
        .orElseThrow(
            () ->
                new CheckFailure(
                    "implement runtime(): a backend of " + traits().base() + " runs jobs itself"));
  }

  /** A machine for the jobs of all checks, made when the first of them needs it. */
  Found machine(Supplier<Found> make) {
    Found known = machine;
    if (known == null) {
      known = make.get();
      machine = known;
    }
    return known;
  }

  /** Whether a shell runs the commands of jobs; found out once, where the subject does not say. */
  boolean hasRealShell(BooleanSupplier look) {
    Boolean known = realShell;
    if (known == null) {
      known =
          switch (subject.shell()) {
            case REAL -> true;
            case SIMULATED -> false;
            case UNKNOWN -> look.getAsBoolean();
          };
      realShell = known;
    }
    return known;
  }

  /** Gives the machine back, before it is looked whether anything is left. */
  void releaseMachine() {
    Found known = machine;
    if (known != null) {
      machine = null;
      provisioner().delete(known.ref());
      deletions.accepted(known.ref());
    }
  }

  /** Says that something could not be cleaned up; what is left is found at the end. */
  void cleaningFailed(String what, Throwable thrown) {
    cleaningProblems.add(what + ": " + Expect.words(thrown));
  }

  /** What was asked to be deleted. */
  Deletions deletions() {
    return deletions;
  }

  List<String> cleaningProblems() {
    return List.copyOf(cleaningProblems);
  }

  Waiting waiting() {
    return waiting;
  }

  /** From now on changes of jobs end pauses, where the backend tells of them. */
  void watch() {
    if (watch == null) {
      watch = watched();
    }
  }

  private AutoCloseable watched() {
    try {
      return runtime().watch(_ -> waiting.wake());
    } catch (RuntimeException e) {
      // A check of its own says so. Waiting works without, only slower.
      return () -> {};
    }
  }

  @Override
  public void close() {
    if (watch != null) {
      closeQuietly("the watch", watch);
    }
    if (machine != null) {
      closeQuietly("the machine for jobs", this::releaseMachine);
    }
    if (deletions.arePending()) {
      closeQuietly("what was in use", deletions::complete);
    }
    opened.forEach(each -> closeQuietly("an opened backend", each));
    Map<String, String> known = extras;
    if (known != null) {
      closeQuietly("what prepare() made", () -> type().undo(context("data", owner()).with(known)));
    }
    List<ProviderSide.Existing> left = deletions.leftAtProvider();
    if (!left.isEmpty()) {
      cleaningProblems.add("at the provider there are still " + left);
    }
    if (ownDirectory) {
      deleteDirectory();
    }
  }

  private void closeQuietly(String what, AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      cleaningFailed(what, e);
    }
  }

  private void deleteDirectory() {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      cleaningFailed("the folder " + directory, e);
    }
  }
}
