package dev.berth.testkit;

import dev.berth.model.Labels;
import dev.berth.model.Place;
import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a check has at hand while it runs. Whatever it makes through {@link #things} and {@link
 * #jobs} is given back when it ends.
 */
public final class Trial {
  /** The labels of all that is made. */
  public static final Map<String, String> LABELS =
      Map.of(Labels.PROJECT, "kit", Labels.NAME, "conformance", "purpose", "conformance");

  private static final long SEQ = 7;

  private final Session session;
  private final Resources things;
  private final Jobs jobs;

  Trial(Session session) {
    this.session = session;
    this.things = new Resources(session, this);
    this.jobs = new Jobs(session, this);
  }

  public Subject subject() {
    return session.subject();
  }

  /** The type with the subject's configuration. */
  public ConfiguredSubject<?> type() {
    return session.type();
  }

  /** The type with credentials that are not accepted. */
  public ConfiguredSubject<?> refusedType() {
    return session
        .refusedType()
        .orElseThrow(
            () ->
                new NotApplicable(
                    "the subject names no configuration whose credentials are refused"));
  }

  public Compute compute() {
    return session.compute();
  }

  public Traits traits() {
    return session.traits();
  }

  /** Opens the backend once more, as a server does that was started again. */
  public Compute reopened() {
    return session.open(owner());
  }

  /** What a backend gets that has nothing to do with the one under test, such as for its set-up. */
  public BackendContext apart(String folder) {
    return session.context(folder, new Owner(owner().installation() + "-" + folder));
  }

  /** Whose everything is that the kit makes. */
  public Owner owner() {
    return session.owner();
  }

  /** Another installation that uses the same account. */
  public Owner stranger() {
    return new Owner(owner().installation() + "-other");
  }

  /** A key that was never used. */
  public String key() {
    return session.key();
  }

  /** The marks of something that is made. */
  public Marks marks(String key) {
    return marks(key, owner());
  }

  public Marks marks(String key, Owner whose) {
    return new Marks(whose, key, SEQ);
  }

  public Offered offered() {
    return session.offered();
  }

  /** The cheapest place that is no spot machine. */
  public Place place() {
    return offered()
        .find(item -> !item.spot())
        .orElseThrow(
            () ->
                new CheckFailure(
                    "no offer can be had: let offers() tell what is sold and qualify() what this"
                        + " account can have"));
  }

  /** The same place under a name that no provider has. */
  public Place nowhere() {
    Place known = place();
    return new Place(
        known.region(), known.zone(), "kit-no-such-type", false, known.price(), "{}", null, null);
  }

  public Resources things() {
    return things;
  }

  public Jobs jobs() {
    return jobs;
  }

  public Limits limits() {
    return session.subject().limits();
  }

  public Instant now() {
    return session.subject().environment().clock().instant();
  }

  /** Looks again and again until there is an answer, and says so when there is none in time. */
  public <T> T await(Duration within, String what, Supplier<Optional<T>> look) {
    return session.waiting().await(within, what, look);
  }

  /** Lets time pass, where nothing tells of what is awaited. */
  public void pass(Duration time) {
    Instant end = now().plus(time);
    while (now().isBefore(end)) {
      session.waiting().pause(Duration.between(now(), end));
    }
  }

  /** Whether a real shell runs the commands of jobs. */
  public boolean hasRealShell() {
    return session.hasRealShell(jobs::shellCalculates);
  }

  /** A behaviour that a trait promises. */
  public <T> T behaviour(Optional<T> behaviour, Trait trait, String method) {
    return behaviour.orElseThrow(
        () ->
            new CheckFailure(
                "implement %s, or opt out with traits().without(%s)".formatted(method, trait)));
  }

  /** A behaviour that must be absent because the backend opted out of its trait. */
  public void noBehaviour(Optional<?> behaviour, Trait trait, String method) {
    Expect.that(
        behaviour.isEmpty(),
        "%s is there though traits() is without %s: return Optional.empty(), or declare the trait"
            .formatted(method, trait));
  }

  /** The provider's side, for checks that make no sense without. */
  public ProviderSide provider() {
    return subject()
        .inventory()
        .orElseThrow(
            () ->
                new NotApplicable(
                    "nothing shows what is at the provider; see Subject.watching, which fakes"
                        + " have"));
  }

  /** What the run made at the provider that is there now and costs money. */
  public List<ProviderSide.Existing> leftAtProvider() {
    return session.deletions().leftAtProvider();
  }

  /** What is known to be left of earlier checks. */
  public String cleaningProblems() {
    return String.join("; ", session.cleaningProblems());
  }

  /** Gives back what is kept from check to check. */
  public void releaseShared() {
    session.releaseMachine();
    session.deletions().complete();
  }

  /** Gives everything back. */
  void cleanUp() {
    jobs.cleanUp();
    things.cleanUp();
  }
}
