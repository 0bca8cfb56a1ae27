package dev.berth.testkit.awkward;

import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.model.Secret;
import dev.berth.model.offers.CatalogItem;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A process, or a part of one, that makes one machine of the awkward cloud and deletes it again, by
 * the rules by which Berth does: it writes down what it will ask for before it asks; what is in
 * doubt is looked up when nothing can come of the call any more, and asked for again when two looks
 * show nothing; of several that are found, one is kept; what is to be deleted is asked for until it
 * is gone. It may be killed at any moment, and goes on when it is started again.
 *
 * <p>Time is with whoever started it: it prints {@code pause MILLIS}, and reads what time it is
 * then. It prints {@code create}, {@code delete} and {@code done} behind these calls alike, so that
 * it can be killed within.
 */
public final class AwkwardProgram {
  static final Owner OWNER = new Owner("0123456789abcdef");
  private static final String KEY = "machine";
  private static final Duration BETWEEN_LOOKS = Duration.ofSeconds(10);

  private final Path journal;
  private final UnaryOperator<String> starter;
  private Instant now = Instant.EPOCH;

  /**
   * One that is started, or goes on.
   *
   * @param journal the file in which it writes things down
   * @param starter hears what it says, and answers what time it is
   */
  AwkwardProgram(Path journal, UnaryOperator<String> starter) {
    this.journal = journal;
    this.starter = starter;
  }

  /** Takes the address of the cloud and the file of what was written down. */
  public static void main(String[] arguments) throws IOException {
    BufferedReader answers =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    UnaryOperator<String> starter =
        words -> {
          System.out.println(words);
          System.out.flush();
          try {
            return Objects.requireNonNull(answers.readLine(), "whoever started this is gone");
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        };
    new AwkwardProgram(Path.of(arguments[1]), starter).run(arguments[0]);
  }

  /** Goes on until the machine is gone. */
  void run(String cloud) throws IOException {
    AwkwardConfig config =
        new AwkwardConfig(new AwkwardConfig.ApiKey(Secret.of(AwkwardCloud.KEY)), cloud);
    pause(Duration.ZERO);
    try (AwkwardClient client = new AwkwardClient(config)) {
      live(
          new AwkwardProvisioner(client, OWNER, () -> now),
          patiently(
              () ->
                  new AwkwardOffers(client, () -> now)
                      .fetch(OfferFilter.ANY, false)
                      .items()
                      .getFirst()));
    }
  }

  private void live(Provisioner machines, CatalogItem offer) throws IOException {
    for (String[] last = lastNote(); !last[0].equals("gone"); last = lastNote()) {
      switch (last[0]) {
        case "create" -> lookUp(machines, last[1]);
        case "made" -> awaitReady(machines, ref(last));
        case "delete" -> delete(machines, ref(last));
        default -> create(machines, offer, last[1]);
      }
    }
  }

  /** What was written down last; what was cut off by the end of the process was not. */
  private String[] lastNote() throws IOException {
    String text = Files.exists(journal) ? Files.readString(journal) : "";
    String whole = text.substring(0, text.lastIndexOf('\n') + 1);
    String last =
        whole.substring(whole.lastIndexOf('\n', whole.length() - 2) + 1).replace("\n", "");
    return (last.isEmpty() ? "begin " + KEY : last).split(" ", -1);
  }

  private void note(String words) throws IOException {
    Files.writeString(journal, words + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private void note(String what, ResourceRef ref) throws IOException {
    String operation = ref.data().getOrDefault("operation", "");
    note(String.join(" ", what, ref.key(), ref.id(), ref.region(), operation));
  }

  private static ResourceRef ref(String[] note) {
    Map<String, String> data = note[4].isEmpty() ? Map.of() : Map.of("operation", note[4]);
    return new ResourceRef(ResourceType.INSTANCE, note[1], note[2], note[3], data);
  }

  private void create(Provisioner machines, CatalogItem offer, String key) throws IOException {
    note("create " + key);
    Marks marks = new Marks(OWNER, key, 5);
    CreateRequest request =
        new CreateRequest.Machine(
            marks, Map.of(), Place.of(offer), offer, null, "", List.of(), List.of(), null);
    say("create");
    try {
      Found made = patiently(() -> machines.create(request));
      say("done");
      note("made", made.ref());
    } catch (BackendException.Transient e) {
      say("done");
      // It is in doubt, as if this process had been killed.
    }
  }

  private void lookUp(Provisioner machines, String key) throws IOException {
    pause(AwkwardCompute.CALL_DEADLINE);
    for (int looks = 0; looks < 2; looks++) {
      pause(AwkwardCompute.VISIBLE_WITHIN);
      List<Found> found = patiently(() -> machines.find(OWNER, key, "east"));
      if (!found.isEmpty()) {
        for (Found extra : found.subList(1, found.size())) {
          deleteUntilGone(machines, extra.ref());
        }
        note("made", found.getFirst().ref());
        return;
      }
    }
    note("again " + key);
  }

  private void awaitReady(Provisioner machines, ResourceRef ref) throws IOException {
    while (true) {
      Optional<Found> seen = patiently(() -> machines.describe(ref));
      Found.State state = seen.map(Found::state).orElse(Found.State.FAILED);
      if (state == Found.State.READY || state == Found.State.FAILED) {
        note("delete", ref);
        return;
      }
      pause(BETWEEN_LOOKS);
    }
  }

  private void delete(Provisioner machines, ResourceRef ref) throws IOException {
    deleteUntilGone(machines, ref);
    note("gone " + ref.key());
  }

  /** Gone is what two looks in a row did not show. */
  private void deleteUntilGone(Provisioner machines, ResourceRef ref) {
    for (int missed = 0; missed < 2; ) {
      say("delete");
      try {
        machines.delete(ref);
      } catch (BackendException e) {
        if (!e.isRetryable()) {
          throw e;
        }
      }
      say("done");
      pause(BETWEEN_LOOKS);
      missed = patiently(() -> machines.describe(ref)).isEmpty() ? missed + 1 : 0;
    }
  }

  private <T> T patiently(Supplier<T> call) {
    while (true) {
      try {
        return call.get();
      } catch (BackendException.RateLimited e) {
        pause(e.delay());
      }
    }
  }

  private void pause(Duration time) {
    say("pause " + time.toMillis());
  }

  private void say(String words) {
    now = Instant.parse(starter.apply(words));
  }
}
