package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.Fault;
import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.ResourceType;
import dev.berth.spi.Owner;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns requests into jobs of the simulated cloud. */
final class JobWishes {
  /** What every job finds in its environment here. */
  private static final String MARK = "BERTH_SIM";

  /** The password that the simulated registry refuses. */
  private static final String REFUSED_PASSWORD = "wrong";

  private JobWishes() {}

  /** The request with the simulated cloud's mark in its environment. Pure. */
  static JobRequest marked(JobRequest request) {
    JobSpec spec = request.spec();
    return request.with(spec.with(Map.of(MARK, "1"), spec.commands()));
  }

  /** Puts a job into the world that gets a place now, and starts when it has booted. */
  static SimJob put(Turn turn, Owner owner, JobRequest request, Site site, @Nullable String group) {
    long number = turn.world().nextNumber();
    Interruption interruption =
        turn.spot().interruption(site, number, turn.madeAt(), turn.world().openedAt());
    Instant start = turn.madeAt().plus(turn.scenario().bootTime());
    return put(
        turn,
        owner,
        request,
        number,
        site,
        group,
        false,
        new SimJob.Course(turn.madeAt(), turn.madeAt(), start, interruption));
  }

  /** Puts a job into the world that waits for a place. */
  static SimJob putWaiting(Turn turn, Owner owner, JobRequest request, Site wish) {
    return put(
        turn,
        owner,
        request,
        turn.world().nextNumber(),
        wish,
        null,
        false,
        new SimJob.Course(turn.madeAt(), null, null, null));
  }

  /** Puts a job into the world that starts at once on a machine that is there. */
  static SimJob putOn(Turn turn, Owner owner, JobRequest request, SimResource machine) {
    return put(
        turn,
        owner,
        request,
        turn.world().nextNumber(),
        machine.site(),
        machine.id(),
        true,
        new SimJob.Course(
            turn.madeAt(), turn.madeAt(), turn.madeAt(), machine.life().interruption()));
  }

  private static SimJob put(
      Turn turn,
      Owner owner,
      JobRequest request,
      long number,
      Site site,
      @Nullable String home,
      boolean onMachine,
      SimJob.Course course) {
    SimJob job =
        new SimJob(
            SimIds.of(ResourceType.JOB, number),
            request.attemptId(),
            owner.installation(),
            site,
            home,
            onMachine,
            wish(request, turn.scenario()),
            course,
            SimJob.Ending.NONE,
            null,
            turn.has(Fault.Kind.UNREACHABLE_HOST));
    turn.world().put(job);
    return job;
  }

  private static SimJob.Wish wish(JobRequest request, SimScenario scenario) {
    JobSpec spec = request.spec();
    Container container = request.container();
    String entrypoint = container == null ? null : container.entrypoint();
    List<String> lines =
        spec.commands().isEmpty() && entrypoint != null ? List.of(entrypoint) : spec.commands();
    List<List<String>> script = ShellWords.commands(lines, variables(request));
    if (script.isEmpty()) {
      script = List.of(List.of("sleep", scenario.jobLength().toMillis() / 1000.0 + ""));
    }
    Script course = Script.of(script, scenario.commandTime());
    return new SimJob.Wish(
        script,
        scenario.commandTime(),
        course.length(),
        course.code(),
        course.deafAfter().orElse(null),
        container == null ? List.of() : container.ports(),
        spec.maxDuration(),
        spec.stopDuration(),
        failure(container));
  }

  /** What a job prints is part of the state of this cloud, so it never has the secrets. */
  private static Map<String, String> variables(JobRequest request) {
    Map<String, String> variables = new LinkedHashMap<>(request.spec().environment());
    request.secrets().forEach((name, secret) -> variables.put(name, secret.toString()));
    return variables;
  }

  private static @Nullable String failure(@Nullable Container container) {
    Container.Registry registry = container == null ? null : container.registry();
    return registry != null && registry.password().reveal().equals(REFUSED_PASSWORD)
        ? "the simulated registry does not accept the password"
        : null;
  }
}
