package dev.berth.testkit.checks;

import dev.berth.model.AttachedVolume;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Found;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import dev.berth.spi.Volumes;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Network volumes. */
final class VolumeChecks {
  static final List<Check> ALL =
      List.of(
          check(
                  "volume-is-made-and-deleted",
                  "A volume becomes READY, attached to nothing, and goes when it is deleted.",
                  VolumeChecks::made)
              .using(Trait.VOLUMES),
          check(
                  "volume-of-others-is-registered",
                  "register() finds a volume by the provider's id; an unknown one is Gone.",
                  VolumeChecks::registered)
              .using(Trait.VOLUMES),
          check(
                  "volume-attach-twice-same-device",
                  "attach() gives the name of the device, the same when it is attached already.",
                  VolumeChecks::attached)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "volume-attached-elsewhere-refused",
                  "A volume that is attached to one machine is not attached to another.",
                  VolumeChecks::elsewhere)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "volume-is-detached",
                  "After detach() the volume is attached to nothing; again it is silent.",
                  VolumeChecks::detached)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "volume-is-detached-by-force",
                  "detach() with force works too, and is silent when the machine is gone.",
                  VolumeChecks::forced)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "volume-comes-with-its-machine",
                  "A machine that is made with volumes has them attached when it is READY.",
                  VolumeChecks::comesWithMachine)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "volume-attach-unknown-gone",
                  "attach() of a volume, or to a machine, that is not there throws Gone.",
                  VolumeChecks::unknown)
              .needing(Part.MACHINES)
              .using(Trait.VOLUMES),
          check(
                  "job-has-its-volumes",
                  "A job that is started with volumes has them attached while it runs.",
                  VolumeChecks::comesWithJob)
              .needing(Part.CONTAINERS)
              .using(Trait.VOLUMES),
          check(
                  "job-volumes-refused",
                  "Without VOLUMES a job with volumes is refused.",
                  VolumeChecks::refusedForJobs)
              .needing(Part.JOBS)
              .refusing(Trait.VOLUMES),
          check(
                  "volumes-refused",
                  "Without VOLUMES there is no volumes(), and to make a volume is refused.",
                  VolumeChecks::refused)
              .refusing(Trait.VOLUMES));

  private VolumeChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.VOLUMES, name, sentence, body);
  }

  private static Volumes volumes(Trial trial) {
    return trial.behaviour(trial.compute().volumes(), Trait.VOLUMES, "volumes()");
  }

  private static ResourceRef volume(Trial trial) {
    Found made = trial.things().create(trial.things().volume(trial.key()));
    return trial.things().awaitReady(made.ref()).ref();
  }

  private static ResourceRef machine(Trial trial) {
    Found made = trial.things().create(trial.things().machine(trial.key(), trial.place()));
    return trial.things().awaitReady(made.ref()).ref();
  }

  private static void made(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    Expect.that(volumes.isDetached(volume), "a new volume must be attached to nothing");
    trial.things().provisioner().delete(volume);
    trial.things().awaitGone(volume);
    Expect.that(volumes.isDetached(volume), "isDetached() must be true for a volume that is gone");
  }

  private static void registered(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    Found found = volumes.register(volume.id(), volume.region());
    Expect.that(
        volume.id().equals(found.ref().id()), "register() finds another volume than it names");
    Expect.same(ResourceType.VOLUME, found.ref().type(), "the type of what register() finds");
    Expect.thrown(
        () -> volumes.register("kit-no-such-id", volume.region()),
        "register() of a volume that nobody has",
        BackendException.Gone.class);
  }

  private static void attached(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    ResourceRef machine = machine(trial);
    String device = volumes.attach(volume, machine);
    Expect.that(!device.isBlank(), "attach() must name the device on the machine");
    Expect.same(device, volumes.attach(volume, machine), "attach() of what is attached already");
    Expect.that(!volumes.isDetached(volume), "isDetached() of a volume that is attached");
    detach(trial, volumes, volume, machine, false);
  }

  private static void detach(
      Trial trial, Volumes volumes, ResourceRef volume, ResourceRef machine, boolean force) {
    volumes.detach(volume, machine, force);
    trial.await(
        trial.limits().gone(),
        "isDetached() did not become true after detach()",
        () -> volumes.isDetached(volume) ? Optional.of(true) : Optional.empty());
  }

  private static void elsewhere(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    ResourceRef machine = machine(trial);
    ResourceRef other = machine(trial);
    volumes.attach(volume, machine);
    Expect.thrown(
        () -> volumes.attach(volume, other),
        "attach() of a volume that is attached to another machine",
        BackendException.Permanent.class);
    detach(trial, volumes, volume, machine, false);
  }

  private static void detached(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    ResourceRef machine = machine(trial);
    volumes.attach(volume, machine);
    detach(trial, volumes, volume, machine, false);
    Expect.silent(
        () -> volumes.detach(volume, machine, false),
        "detach() must be silent where nothing is attached");
  }

  private static void forced(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    ResourceRef machine = machine(trial);
    volumes.attach(volume, machine);
    detach(trial, volumes, volume, machine, true);
    trial.things().provisioner().delete(machine);
    trial.things().awaitGone(machine);
    Expect.silent(
        () -> volumes.detach(volume, machine, true),
        "detach() must be silent when the machine is gone");
  }

  private static void comesWithMachine(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    Found made =
        trial
            .things()
            .create(
                trial
                    .things()
                    .machine(trial.key(), trial.place(), List.of(volume), null, trial.owner()));
    trial.things().awaitReady(made.ref());
    Expect.that(
        !volumes.isDetached(volume),
        "a machine was made with a volume, is READY, and the volume is attached to nothing");
    detach(trial, volumes, volume, made.ref(), false);
  }

  private static void comesWithJob(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    String job =
        trial.jobs().start(trial.jobs().request("sleep 3600").with(List.of(mounted(volume))));
    trial.jobs().awaitRunning(job);
    Expect.that(
        !volumes.isDetached(volume),
        "a job was started with a volume, runs, and the volume is attached to nothing: attach"
            + " JobRequest.volumes() in start(), or opt out with traits().without(VOLUMES)");
    trial.jobs().runtime().kill(job);
    trial.await(
        trial.limits().gone(),
        "the job of a volume ended, and isDetached() did not become true",
        () -> volumes.isDetached(volume) ? Optional.of(true) : Optional.empty());
  }

  private static AttachedVolume mounted(ResourceRef volume) {
    return new AttachedVolume(
        volume.key(), volume.id(), volume.region(), volume.data(), "/kit-volume");
  }

  private static void refusedForJobs(Trial trial) {
    AttachedVolume volume = new AttachedVolume("any", "any", "here", Map.of(), "/kit-volume");
    Refusals.ofJob(
        trial,
        trial.jobs().request("echo never").with(List.of(volume)),
        "a network volume",
        Trait.VOLUMES);
  }

  private static void unknown(Trial trial) {
    Volumes volumes = volumes(trial);
    ResourceRef volume = volume(trial);
    ResourceRef machine = machine(trial);
    ResourceRef noVolume =
        new ResourceRef(
            volume.type(), trial.key(), "kit-no-such-id", volume.region(), volume.data());
    ResourceRef noMachine =
        new ResourceRef(
            machine.type(), trial.key(), "kit-no-such-id", machine.region(), machine.data());
    Expect.thrown(
        () -> volumes.attach(noVolume, machine),
        "attach() of a volume that is not there",
        BackendException.Gone.class);
    Expect.thrown(
        () -> volumes.attach(volume, noMachine),
        "attach() to a machine that is not there",
        BackendException.Gone.class);
  }

  private static void refused(Trial trial) {
    trial.noBehaviour(trial.compute().volumes(), Trait.VOLUMES, "volumes()");
    if (trial.compute().provisioner().isPresent()) {
      Refusals.ofThing(trial, trial.things().volume(trial.key()), "a volume", Trait.VOLUMES);
    }
  }
}
