package dev.berth.testkit.checks;

import dev.berth.model.Container;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.spi.BackendException;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.NotApplicable;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;

/** The contract of containers: image, entrypoint, ports, user, accelerators. */
final class ContainerChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "container-runs-an-image",
                  "A job with a container runs in its image.",
                  ContainerChecks::image)
              .using(Trait.IMAGES),
          check(
                  "images-refused",
                  "Without IMAGES a job with a container is refused.",
                  ContainerChecks::noImages)
              .refusing(Trait.IMAGES),
          check(
                  "container-runs-as-root",
                  "A container whose user is root runs as root, which what we put before a job"
                      + " needs.",
                  ContainerChecks::root)
              .needing(Part.SHELL, Part.OFFERS)
              .using(Trait.IMAGES),
          check(
                  "container-takes-an-entrypoint-of-2-kb",
                  "An entrypoint of 2048 bytes is taken, and one byte more is a permanent error.",
                  ContainerChecks::entrypoint)
              .using(Trait.IMAGES),
          check(
                  "container-takes-ports",
                  "A job whose container has ports runs like any other.",
                  ContainerChecks::ports)
              .using(Trait.IMAGES),
          check(
                  "container-sees-accelerators",
                  "A job at an offer with accelerators runs, and sees them.",
                  ContainerChecks::accelerators)
              .needing(Part.OFFERS)
              .using(Trait.IMAGES),
          check(
                  "privileged-container-runs",
                  "A privileged container runs.",
                  trial ->
                      succeeds(
                          trial,
                          trial
                              .jobs()
                              .request("echo privileged")
                              .in(trial.jobs().container().asPrivileged())))
              .using(Trait.PRIVILEGED),
          check(
                  "privileged-refused",
                  "Without PRIVILEGED a privileged container is refused.",
                  trial ->
                      refuse(
                          trial,
                          trial.jobs().container().asPrivileged(),
                          "a privileged container",
                          Trait.PRIVILEGED))
              .refusing(Trait.PRIVILEGED),
          check(
                  "instance-volumes-are-mounted",
                  "A container sees folders of its host.",
                  trial -> succeeds(trial, trial.jobs().request("echo mounted").in(mounted(trial))))
              .using(Trait.INSTANCE_VOLUMES),
          check(
                  "instance-volumes-refused",
                  "Without INSTANCE_VOLUMES folders of the host are refused.",
                  trial ->
                      refuse(trial, mounted(trial), "a folder of the host", Trait.INSTANCE_VOLUMES))
              .refusing(Trait.INSTANCE_VOLUMES));

  private ContainerChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.CONTAINER, name, sentence, body).needing(Part.JOBS);
  }

  private static Container mounted(Trial trial) {
    return trial.jobs().container().withMounts(List.of(new Container.Mount("/tmp", "/kit")));
  }

  private static void succeeds(Trial trial, JobRequest request) {
    Expect.same(
        0,
        trial.jobs().awaitEnd(trial.jobs().start(request)).code(),
        "the exit code of a job whose commands succeed");
  }

  /** Whoever has no images at all refuses those first. */
  private static void refuse(Trial trial, Container container, String what, Trait trait) {
    JobRequest request = trial.jobs().request("echo never").in(container);
    if (trial.traits().has(Trait.IMAGES)) {
      Refusals.ofJob(trial, request, what, trait);
    } else {
      Refusals.ofJob(trial, request, what, trait, Trait.IMAGES);
    }
  }

  private static void image(Trial trial) {
    String job =
        trial.jobs().start(trial.jobs().request("echo inside").in(trial.jobs().container()));
    trial.jobs().awaitEnd(job);
    Expect.same(
        "inside\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "the output of a job in a container");
  }

  private static void noImages(Trial trial) {
    Refusals.ofJob(
        trial,
        trial.jobs().request("echo never").in(trial.jobs().container()),
        "a container",
        Trait.IMAGES);
  }

  private static void root(Trial trial) {
    String job = trial.jobs().start(trial.jobs().request("id -u").in(trial.jobs().container()));
    trial.jobs().awaitEnd(job);
    Expect.same(
        "0\n",
        trial.jobs().output(job, JobRuntime.Stream.STDOUT),
        "the number of the user inside of a container whose user is root");
  }

  private static void entrypoint(Trial trial) {
    String line = "true #";
    Container longest =
        trial
            .jobs()
            .container()
            .withEntrypoint(line + "x".repeat(Container.LONGEST_ENTRYPOINT - line.length()));
    Expect.silent(
        () -> trial.jobs().start(trial.jobs().request("echo taken").in(longest)),
        "start() must take an entrypoint of %d bytes".formatted(Container.LONGEST_ENTRYPOINT));
    Container longer = longest.withEntrypoint(longest.entrypoint() + "x");
    Expect.thrown(
        () -> trial.jobs().start(trial.jobs().request("echo never").in(longer)),
        "start() with an entrypoint of more than %d bytes".formatted(Container.LONGEST_ENTRYPOINT),
        BackendException.Permanent.class);
  }

  private static void ports(Trial trial) {
    succeeds(
        trial,
        trial
            .jobs()
            .request("echo listening")
            .in(trial.jobs().container().withPorts(List.of(8000, 8001))));
  }

  private static void accelerators(Trial trial) {
    Place place =
        trial
            .offered()
            .find(item -> item.gpu() != null && !item.spot())
            .orElseThrow(() -> new NotApplicable("no offer with accelerators can be had"));
    JobRequest request = trial.jobs().request(look(trial)).in(trial.jobs().container());
    if (trial.traits().base() == Traits.Base.MACHINES) {
      place =
          place.on(
              trial
                  .things()
                  .awaitReady(
                      trial.things().create(trial.things().machine(trial.key(), place)).ref())
                  .ref()
                  .id());
    }
    succeeds(trial, request.at(place));
  }

  private static String look(Trial trial) {
    return trial.hasRealShell()
        ? "ls /dev/nvidia0 || ls /dev/kfd || ls /dev/accel0 || ls /dev/accel"
        : "echo accelerators";
  }
}
