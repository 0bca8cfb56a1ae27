package dev.berth.testkit;

import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendType;
import dev.berth.spi.Deviation;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The backend under test, and what the kit must know of it. Only the type and a configuration have
 * no default.
 *
 * @param config the settings as they stand in a file
 * @param refusedConfig settings with credentials that the provider does not accept; null where
 *     there are none to be wrong
 * @param offers what can be bought, where the backend's offers stand in the catalog
 * @param reservation a place with capacity that was reserved for tests; null where there is none
 * @param refusedLate a place at which the provider accepts a request for a machine and refuses it
 *     afterwards; null where no such place is known
 * @param image that jobs run in
 * @param shell whether a shell runs the commands of jobs
 * @param listener what listens on a port inside of a job and sends back what it gets; where the
 *     shell is simulated, a job with an open port is expected to do so by itself
 * @param environment where and when the backend lives
 * @param runId a word that no other run has; everything that the kit makes carries it
 */
public record Subject(
    BackendType<?> type,
    Map<String, @Nullable Object> config,
    @Nullable Map<String, @Nullable Object> refusedConfig,
    List<CatalogItem> offers,
    @Nullable Place reservation,
    @Nullable Place refusedLate,
    String image,
    Shell shell,
    Listener listener,
    Limits limits,
    Environment environment,
    String runId,
    List<Deviation> deviations) {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int RUN_ID_BYTES = 5;

  public Subject {
    config = new LinkedHashMap<>(config);
    offers = List.copyOf(offers);
    deviations = List.copyOf(deviations);
  }

  public static Subject of(BackendType<?> type, Map<String, @Nullable Object> config) {
    byte[] random = new byte[RUN_ID_BYTES];
    RANDOM.nextBytes(random);
    return new Subject(
        type,
        config,
        null,
        List.of(),
        null,
        null,
        "ubuntu:24.04",
        Shell.UNKNOWN,
        Listener.usual(Listener.USUAL_PORT),
        Limits.USUAL,
        new Environment(null, InstantSource.system(), Patience.real()),
        HexFormat.of().formatHex(random),
        List.of());
  }

  /** Who runs the commands of jobs. */
  public enum Shell {
    /** The kit finds out with a job. */
    UNKNOWN,
    REAL,
    /** Something that understands no more than what every check uses. */
    SIMULATED
  }

  /** A port, and the commands of a job that listens on it. */
  public record Listener(int port, List<String> commands) {
    /** What a job writes that finds nothing to listen with. Nobody listens then. */
    public static final String NO_PROGRAM =
        "there is neither python3 nor perl nor busybox to listen on a port with";

    static final int USUAL_PORT = 18765;

    public Listener {
      commands = List.copyOf(commands);
    }

    /** One that uses Python, Perl or busybox, of which most images have one. */
    public static Listener usual(int port) {
      return new Listener(
          port,
          List.of(
              """
              if command -v python3 >/dev/null; then exec python3 -c 'import socketserver
              class Echo(socketserver.StreamRequestHandler):
                def handle(self):
                  for line in self.rfile: self.wfile.write(line)
              socketserver.TCPServer.allow_reuse_address = True
              socketserver.TCPServer(("", %1$d), Echo).serve_forever()'; fi
              if command -v perl >/dev/null; then exec perl -MIO::Socket::INET -e '
              $server = IO::Socket::INET->new(LocalPort => %1$d, Listen => 5, ReuseAddr => 1) or die $@;
              while ($guest = $server->accept) { $guest->autoflush; print $guest $_ while <$guest>; close $guest }'; fi
              if command -v busybox >/dev/null; then exec busybox nc -ll -p %1$d -e cat; fi
              echo '%2$s'
              exec sleep 3600\
              """
                  .formatted(port, NO_PROGRAM)));
    }
  }

  /**
   * Where and when a backend lives.
   *
   * @param directory a folder for its data; null for one that is made and deleted
   * @param clock the time that the backend gets, and by which the kit gives up
   * @param provider the provider's side, where a fake shows it; null where the kit has to believe
   *     the backend
   */
  public record Environment(
      @Nullable Path directory,
      InstantSource clock,
      Patience patience,
      @Nullable ProviderSide provider) {
    /** One whose provider's side cannot be seen. */
    public Environment(@Nullable Path directory, InstantSource clock, Patience patience) {
      this(directory, clock, patience, null);
    }
  }

  /**
   * What exists at the provider, whatever the backend lists; empty where it cannot be seen. Leaks
   * are found by it.
   */
  public Optional<ProviderSide> inventory() {
    return Optional.ofNullable(environment.provider());
  }

  /** The same, where the kit sees the provider's side. */
  public Subject watching(ProviderSide side) {
    return at(
        new Environment(
            environment.directory(), environment.clock(), environment.patience(), side));
  }

  /** The same, with settings whose credentials the provider does not accept. */
  public Subject refusing(Map<String, @Nullable Object> newRefused) {
    return new Subject(
        type,
        config,
        new LinkedHashMap<>(newRefused),
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, with offers of the catalog. */
  public Subject selling(List<CatalogItem> newOffers) {
    return new Subject(
        type,
        config,
        refusedConfig,
        newOffers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, with capacity that was reserved for tests. */
  public Subject reserving(Place newReservation) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        newReservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, with a place at which requests for machines are accepted and refused afterwards. */
  public Subject refusingLateAt(Place newRefusedLate) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        newRefusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, with jobs in another image. */
  public Subject in(String newImage) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        newImage,
        shell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, with another way to listen on a port. */
  public Subject listening(Listener newListener) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        newListener,
        limits,
        environment,
        runId,
        deviations);
  }

  /** The same, where it is known who runs the commands of jobs. */
  public Subject with(Shell newShell) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        newShell,
        listener,
        limits,
        environment,
        runId,
        deviations);
  }

  public Subject within(Limits newLimits) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        newLimits,
        environment,
        runId,
        deviations);
  }

  public Subject at(Environment newSurroundings) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        newSurroundings,
        runId,
        deviations);
  }

  /** The same, with a word of its own for what the kit makes. */
  public Subject called(String newRunId) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        newRunId,
        deviations);
  }

  public Subject deviating(List<Deviation> newDeviations) {
    return new Subject(
        type,
        config,
        refusedConfig,
        offers,
        reservation,
        refusedLate,
        image,
        shell,
        listener,
        limits,
        environment,
        runId,
        newDeviations);
  }
}
