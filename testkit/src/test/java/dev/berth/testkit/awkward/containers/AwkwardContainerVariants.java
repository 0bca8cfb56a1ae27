package dev.berth.testkit.awkward.containers;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobObservation.Cause;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.Owner;
import dev.berth.testkit.broken.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Backends of the awkward cloud of containers with one fault each, as authors make them. */
public final class AwkwardContainerVariants {
  private AwkwardContainerVariants() {}

  public static List<Variant> all() {
    return List.of(
        calls("jobs-are-listed-from-every-page", FirstPageOnly::new),
        jobs("jobs-are-listed", ListsWhatRuns::new),
        jobs("jobs-of-others-are-not-listed", ListsEverybody::new),
        jobs("start-twice-runs-once", TakesItsOwnNameForTaken::new),
        jobs("failed-start-runs-once", AsksUnderAnotherName::new),
        jobs("observe-unknown-is-absent", ThrowsForTheUnknown::new),
        jobs("failed-look-hides-no-job", TakesFailureForAbsent::new),
        asking("container-runs-as-root", "user"),
        asking("job-gets-its-environment", "environment"),
        wrapping("job-exit-code-is-told", "ended $(cat \"$d/code\")", "ended 0"),
        wrapping("logs-keep-streams-apart", "2>\"$d/err\"", "2>&1"),
        jobs("logs-keep-an-unterminated-last-line", EndsLines::new),
        jobs("logs-come-in-small-pieces", GivesWholeLines::new),
        jobs("stop-keeps-the-exit-code", GuessesTheCode::new),
        wrapping(
            "stop-keeps-the-last-output", "both() {", "both() { [ -z \"$asked\" ] || return 0;"),
        jobs("remove-forgets-a-job", KillsOnly::new),
        jobs("ended-job-stays-until-release", EndsWithItsJob::new),
        jobs("release-kills-what-runs", ReleasesWhatEnded::new),
        jobs("release-twice-is-silent", ReleasesTheKnown::new),
        jobs("release-ends-the-bill", KeepsThePlace::new),
        jobs("failed-release-forgets-nothing", ReleasesInSilence::new));
  }

  private interface Jobs {
    AwkwardContainerRuntime make(AwkwardContainerClient client, BackendContext context);
  }

  private static Variant calls(
      String check, Function<AwkwardContainerConfig, AwkwardContainerClient> broken) {
    return variant(check, broken, AwkwardContainerRuntime::new);
  }

  private static Variant jobs(String check, Jobs broken) {
    return variant(check, AwkwardContainerClient::new, broken);
  }

  /** Asks for a container and leaves out a field. */
  private static Variant asking(String check, String field) {
    return jobs(
        check,
        (client, context) ->
            new AwkwardContainerRuntime(client, context) {
              @Override
              void create(String name, Map<String, ?> body) {
                Map<String, Object> less = new HashMap<>(body);
                less.remove(field);
                super.create(name, less);
              }
            });
  }

  /** Puts another wrapper in front of jobs. */
  private static Variant wrapping(String check, String sound, String broken) {
    return jobs(check, (client, context) -> new Rewrapping(client, context, sound, broken));
  }

  private static Variant variant(
      String check, Function<AwkwardContainerConfig, AwkwardContainerClient> clients, Jobs jobs) {
    AwkwardContainerType broken =
        new AwkwardContainerType() {
          @Override
          public Compute open(AwkwardContainerConfig config, BackendContext context) {
            AwkwardContainerClient client = clients.apply(config);
            return new AwkwardContainerCompute(client, context.clock(), jobs.make(client, context));
          }
        };
    return new Variant(check, AwkwardContainerSetup.sound(), new AwkwardContainerSetup(broken));
  }

  private static final class FirstPageOnly extends AwkwardContainerClient {
    FirstPageOnly(AwkwardContainerConfig config) {
      super(config);
    }

    @Override
    List<JsonNode> containers() {
      List<JsonNode> first = new ArrayList<>();
      call("GET", "/v1/containers", Map.of()).path("containers").forEach(first::add);
      return first;
    }
  }

  private static class Rewrapping extends AwkwardContainerRuntime {
    private final String sound;
    private final String broken;

    Rewrapping(AwkwardContainerClient client, BackendContext context, String sound, String broken) {
      super(client, context);
      this.sound = sound;
      this.broken = broken;
    }

    @Override
    List<String> command(JobRequest request, Container container) {
      List<String> words = new ArrayList<>(super.command(request, container));
      String script = words.get(2);
      if (!script.contains(sound)) {
        throw new IllegalStateException("the wrapper does not say: " + sound);
      }
      words.set(2, script.replace(sound, broken));
      return words;
    }
  }

  /** Lets the container end, of which soon nothing is left. */
  private static final class EndsWithItsJob extends Rewrapping {
    EndsWithItsJob(AwkwardContainerClient client, BackendContext context) {
      super(client, context, "exec sleep \"$5\"", "exit 0");
    }

    /** Tells the end when the container has ended too, so that it matters not who is faster. */
    @Override
    JobObservation observe(String attemptId) {
      JobObservation seen = super.observe(attemptId);
      return seen instanceof JobObservation.Exited
              && log(attemptId, 0).path("container").path("status").asString().equals("running")
          ? new JobObservation.Prepared()
          : seen;
    }
  }

  private static final class ListsWhatRuns extends AwkwardContainerRuntime {
    ListsWhatRuns(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public List<String> list(Owner owner) {
      return super.list(owner).stream()
          .filter(job -> !(observe(job) instanceof JobObservation.Exited))
          .toList();
    }
  }

  private static final class ListsEverybody extends AwkwardContainerRuntime {
    ListsEverybody(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    boolean isOf(JsonNode container, Owner owner) {
      return !container.path("status").asString().equals("deleting");
    }
  }

  private static final class TakesItsOwnNameForTaken extends AwkwardContainerRuntime {
    TakesItsOwnNameForTaken(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    void create(String name, Map<String, ?> body) {
      client.call("POST", "/v1/containers", body);
    }
  }

  /** Makes sure that the name is not taken when it asks again. */
  private static final class AsksUnderAnotherName extends AwkwardContainerRuntime {
    AsksUnderAnotherName(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    void create(String name, Map<String, ?> body) {
      try {
        super.create(name, body);
      } catch (BackendException.Transient e) {
        Map<String, Object> renamed = new HashMap<>(body);
        renamed.put("name", name + "-2");
        super.create(name + "-2", renamed);
      }
    }
  }

  private static final class ThrowsForTheUnknown extends AwkwardContainerRuntime {
    ThrowsForTheUnknown(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    JobObservation observe(String attemptId) {
      log(attemptId, 0);
      return super.observe(attemptId);
    }
  }

  private static final class TakesFailureForAbsent extends AwkwardContainerRuntime {
    TakesFailureForAbsent(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    JobObservation observe(String attemptId) {
      try {
        return super.observe(attemptId);
      } catch (BackendException.Transient e) {
        return new JobObservation.Absent();
      }
    }
  }

  /** Gives output as the provider does, whose last line always ends. */
  private static final class EndsLines extends AwkwardContainerRuntime {
    EndsLines(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
      Output output = super.read(attemptId, stream, offset, maxBytes);
      byte[] bytes = output.bytes();
      if (!output.ended() || bytes.length == 0 || bytes[bytes.length - 1] == '\n') {
        return output;
      }
      byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
      more[bytes.length] = '\n';
      return new Output(more, output.nextOffset() + 1, true);
    }
  }

  private static final class GivesWholeLines extends AwkwardContainerRuntime {
    GivesWholeLines(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    private static final int LINE = 57;

    @Override
    public Output read(String attemptId, Stream stream, long offset, int maxBytes) {
      return super.read(attemptId, stream, offset, Math.max(LINE, maxBytes));
    }
  }

  /** Believes that what was asked to end was ended by the signal. */
  private static final class GuessesTheCode extends AwkwardContainerRuntime {
    GuessesTheCode(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    JobObservation observe(String attemptId) {
      return super.observe(attemptId) instanceof JobObservation.Exited end
              && end.cause() == Cause.STOPPED
          ? new JobObservation.Exited(143, Cause.STOPPED, "", end.startedAt(), end.endedAt())
          : super.observe(attemptId);
    }
  }

  private static final class KillsOnly extends AwkwardContainerRuntime {
    KillsOnly(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public void remove(String attemptId) {
      kill(attemptId);
    }
  }

  private static final class ReleasesWhatEnded extends AwkwardContainerRuntime {
    ReleasesWhatEnded(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public void release(String attemptId) {
      if (observe(attemptId) instanceof JobObservation.Exited) {
        super.release(attemptId);
      }
    }
  }

  private static final class ReleasesTheKnown extends AwkwardContainerRuntime {
    ReleasesTheKnown(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public void release(String attemptId) {
      client.call("DELETE", PATH + attemptId, Map.of());
    }
  }

  /** Ends the job, and believes that nothing that has ended costs money. */
  private static final class KeepsThePlace extends AwkwardContainerRuntime {
    KeepsThePlace(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public void release(String attemptId) {
      kill(attemptId);
    }
  }

  private static final class ReleasesInSilence extends AwkwardContainerRuntime {
    ReleasesInSilence(AwkwardContainerClient client, BackendContext context) {
      super(client, context);
    }

    @Override
    public void release(String attemptId) {
      try {
        super.release(attemptId);
      } catch (BackendException e) {
        // It will be gone somehow.
      }
    }
  }
}
