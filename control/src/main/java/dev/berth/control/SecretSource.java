package dev.berth.control;

import dev.berth.model.Secret;
import dev.berth.model.SecretRef;
import java.util.Optional;

/** Knows the secrets that jobs are started with. Safe for any thread. */
public interface SecretSource {
  /** One that knows none. */
  SecretSource NONE = _ -> Optional.empty();

  /** The word that a name stands for; empty where there is none, or none any more. */
  Optional<Secret> reveal(SecretRef secret);
}
