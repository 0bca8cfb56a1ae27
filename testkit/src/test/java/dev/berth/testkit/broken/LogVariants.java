package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.broken.Variant.jobs;

import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.JobRuntime.Output;
import dev.berth.spi.JobRuntime.Stream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Backends that read output wrongly. */
final class LogVariants {
  private LogVariants() {}

  static List<Variant> all() {
    return List.of(
        jobs(
            "logs-hold-all-output",
            containers(),
            Fault.read(
                (sound, job, stream, offset, maxBytes) ->
                    garbled(sound.read(job, stream, offset, maxBytes)))),
        jobs(
            "logs-are-read-by-offset",
            containers(),
            Fault.read((sound, job, stream, _, maxBytes) -> sound.read(job, stream, 0, maxBytes))),
        jobs(
            "logs-come-in-small-pieces",
            containers(),
            Fault.read(
                (sound, job, stream, offset, _) ->
                    sound.read(job, stream, offset, Integer.MAX_VALUE / 2))),
        jobs("logs-read-again-are-the-same", containers(), UsesUp::new),
        jobs(
            "logs-keep-streams-apart",
            containers(),
            Fault.read(
                (sound, job, _, offset, maxBytes) ->
                    sound.read(job, Stream.STDOUT, offset, maxBytes))),
        jobs(
            "logs-tell-the-end",
            containers(),
            Fault.read(
                (sound, job, stream, offset, maxBytes) -> {
                  Output output = sound.read(job, stream, offset, maxBytes);
                  return new Output(output.bytes(), output.nextOffset(), false);
                })),
        jobs(
            "logs-of-a-running-job",
            containers(),
            Fault.read(
                (sound, job, stream, offset, maxBytes) ->
                    Altered.runs(sound, job)
                        ? new Output(new byte[0], offset, false)
                        : sound.read(job, stream, offset, maxBytes))),
        jobs(
            "logs-of-unknown-job-gone",
            containers(),
            Fault.read(
                (sound, job, stream, offset, maxBytes) ->
                    Altered.isAbsent(sound, job)
                        ? new Output(new byte[0], offset, true)
                        : sound.read(job, stream, offset, maxBytes))),
        jobs("errors-are-sentences", containers(), Fault.read(LogVariants::terse)));
  }

  private static Output garbled(Output output) {
    String text = new String(output.bytes(), StandardCharsets.UTF_8).replace('7', '?');
    return new Output(text.getBytes(StandardCharsets.UTF_8), output.nextOffset(), output.ended());
  }

  private static Output terse(
      JobRuntime sound, String job, Stream stream, long offset, int maxBytes) {
    try {
      return sound.read(job, stream, offset, maxBytes);
    } catch (BackendException.Gone e) {
      throw new BackendException.Gone("404", e);
    }
  }

  /** Gives each byte once. */
  private static final class UsesUp extends ForwardingRuntime {
    private final Map<String, Long> read = new HashMap<>();

    UsesUp(JobRuntime sound) {
      super(sound);
    }

    @Override
    public Output read(String job, Stream stream, long offset, int maxBytes) {
      if (offset < read.getOrDefault(job + stream, 0L)) {
        return new Output(new byte[0], offset, true);
      }
      Output output = super.read(job, stream, offset, maxBytes);
      read.put(job + stream, output.nextOffset());
      return output;
    }
  }
}
