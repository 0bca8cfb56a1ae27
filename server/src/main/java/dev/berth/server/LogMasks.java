package dev.berth.server;

import dev.berth.model.Attempt;
import dev.berth.model.OutputMask;
import dev.berth.model.Secret;
import dev.berth.model.SecretRef;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is hidden in the output of a run that the server passes on: the secrets that the run names,
 * and what the server knows of its backends' accounts.
 */
final class LogMasks {
  private static final Duration OLDEST = Duration.ofSeconds(2);
  private static final int MOST = 10_000;

  private final Store store;
  private final SecretStore secrets;
  private final Supplier<List<Secret>> credentials;

  /** By the ids of attempts. */
  private final Recent<OutputMask> masks;

  LogMasks(
      Store store, SecretStore secrets, Supplier<List<Secret>> credentials, InstantSource clock) {
    this.store = store;
    this.secrets = secrets;
    this.credentials = credentials;
    this.masks = new Recent<>(clock, OLDEST, MOST);
  }

  OutputMask of(Attempt attempt) {
    // One that starts meanwhile may get a value that was not there before.
    return attempt.startedAt() == null
        ? read(attempt.jobId())
        : masks
            .find(attempt.id(), _ -> Optional.of(read(attempt.jobId())))
            .orElse(OutputMask.NOTHING);
  }

  private OutputMask read(String jobId) {
    List<Secret> values = new ArrayList<>(credentials.get());
    for (SecretRef ref : store.secretsOf(jobId)) {
      values.addAll(secrets.values(ref));
    }
    return OutputMask.of(values);
  }
}
