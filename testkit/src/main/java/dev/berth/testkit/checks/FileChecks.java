package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.spi.BackendException;
import dev.berth.spi.Trait;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.KitArchives;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** The files that jobs get. */
final class FileChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "job-gets-its-files",
                  "A job with files runs, and the archive that holds them was read to its end.",
                  FileChecks::gets)
              .using(Trait.FILES),
          check(
                  "job-without-its-files-is-refused",
                  "A job whose files are not there is a permanent error, and is not there itself.",
                  FileChecks::gone)
              .using(Trait.FILES),
          check(
                  "files-refused",
                  "Without FILES a job with files is refused.",
                  trial ->
                      Refusals.ofJob(trial, request(trial, KitArchives.NAME), "files", Trait.FILES))
              .refusing(Trait.FILES));

  private FileChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.JOBS, name, sentence, body).needing(Part.JOBS);
  }

  private static JobRequest request(Trial trial, String archive) {
    return trial.jobs().withFile(trial.jobs().request("echo hello"), archive, "given/word");
  }

  private static void gets(Trial trial) {
    int before = trial.jobs().archives().readWhole();
    JobObservation.Exited end =
        trial.jobs().awaitEnd(trial.jobs().start(request(trial, KitArchives.NAME)));
    Expect.same(0, end.code(), "the exit code of a job that got files");
    Expect.that(
        trial.jobs().archives().readWhole() > before,
        "start() of a job with files must read their archive to its end, from"
            + " BackendContext.archives()");
  }

  private static void gone(Trial trial) {
    JobRequest request = request(trial, "kit/gone");
    Expect.thrown(
        () -> trial.jobs().start(request),
        "start() of a job whose files are not there",
        BackendException.Permanent.class);
    Expect.that(
        trial.jobs().observe(request.attemptId()) instanceof JobObservation.Absent,
        "a job whose files are not there is there all the same: read them before it is made");
  }
}
