package dev.berth.planning;

import dev.berth.model.spec.RunSpec;
import java.util.List;

/**
 * What a planner makes of a configuration.
 *
 * @param spec what decisions place and carry out, if nothing is unsupported where it may run
 * @param unsupported the fields that cannot be honoured
 * @param secrets the secrets that it names, which must be there
 */
public record Plan(RunSpec spec, UnsupportedFields unsupported, List<NamedSecret> secrets) {
  public Plan {
    secrets = List.copyOf(secrets);
  }

  /** A secret by the name that a field gives. */
  public record NamedSecret(String path, String name) {}
}
