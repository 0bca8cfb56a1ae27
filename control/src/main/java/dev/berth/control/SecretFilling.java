package dev.berth.control;

import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSecrets;
import dev.berth.model.OutputMask;
import dev.berth.model.Secret;
import dev.berth.model.SecretRef;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** Puts secrets into a request, at the last moment before a backend gets it. */
final class SecretFilling {
  private final SecretSource source;

  SecretFilling(SecretSource source) {
    this.source = source;
  }

  /** A secret that a job needs and nobody has. */
  static final class Missing extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Missing(SecretRef secret) {
      super(
          "there is no secret '"
              + secret.name()
              + "' in the project; save it with 'berth secret set "
              + secret.name()
              + "' and run this again");
    }
  }

  /** What must not be seen of a request. */
  static OutputMask mask(JobRequest request) {
    return OutputMask.of(request.hidden());
  }

  /**
   * The request with all that it needs.
   *
   * @throws Missing where a secret was deleted since the run was submitted
   */
  JobRequest filled(JobRequest request) {
    JobSecrets wanted = request.spec().secrets();
    if (wanted.all().isEmpty()) {
      return request;
    }
    Map<SecretRef, Secret> known = new LinkedHashMap<>();
    for (SecretRef secret : wanted.all()) {
      known.put(secret, source.reveal(secret).orElseThrow(() -> new Missing(secret)));
    }
    Function<SecretRef, Secret> values = secret -> Objects.requireNonNull(known.get(secret));
    Map<String, Secret> variables = new LinkedHashMap<>();
    wanted.environment().forEach((name, text) -> variables.put(name, text.filledIn(values)));
    JobRequest filled = request.with(variables, List.copyOf(known.values()));
    JobSecrets.Login login = wanted.registry();
    Container container = request.container();
    return login == null || container == null
        ? filled
        : filled.in(
            container.withRegistry(
                new Container.Registry(
                    login.username().filledIn(values).reveal(),
                    login.password().filledIn(values))));
  }
}
