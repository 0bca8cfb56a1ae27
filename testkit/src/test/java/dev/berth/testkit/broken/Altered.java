package dev.berth.testkit.broken;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Place;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.Marks;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Values of which a part is another, and answers that are other than they should be. */
final class Altered {
  private Altered() {}

  static ResourceRef ref(ResourceRef ref, String key, String id) {
    return new ResourceRef(ref.type(), key, id, ref.region(), ref.data());
  }

  static Found ref(Found found, ResourceRef ref) {
    return new Found(
        ref,
        found.state(),
        found.tags(),
        found.createdAt(),
        found.access(),
        found.members(),
        found.partOf(),
        found.detail(),
        found.interruptedAt(),
        found.refusal());
  }

  static Found state(Found found, Found.State state) {
    return with(found, state, found.createdAt(), found.access());
  }

  static Found createdAt(Found found, Instant time) {
    return with(found, found.state(), time, found.access());
  }

  /** What has an address, with another one or none. */
  static Found access(Found found, Function<MachineAddress, @Nullable MachineAddress> altered) {
    MachineAddress access = found.access();
    return access == null
        ? found
        : with(found, found.state(), found.createdAt(), altered.apply(access));
  }

  private static Found with(
      Found found, Found.State state, Instant createdAt, @Nullable MachineAddress access) {
    return new Found(
        found.ref(),
        state,
        found.tags(),
        createdAt,
        access,
        found.members(),
        found.partOf(),
        found.detail(),
        found.interruptedAt(),
        found.refusal());
  }

  /** The same machine under another key, in another place, without volumes. */
  static CreateRequest.Machine machine(CreateRequest.Machine machine, String key, Place place) {
    return new CreateRequest.Machine(
        new Marks(machine.marks().owner(), key, machine.marks().seq()),
        machine.labels(),
        place,
        machine.offer(),
        machine.diskMib(),
        machine.boot(),
        machine.sshKeys(),
        List.of(),
        machine.placementGroup());
  }

  /** The same under another key, for machines; whatever else stays as it is. */
  static CreateRequest renamed(CreateRequest request, String key) {
    return request instanceof CreateRequest.Machine machine
        ? machine(machine, key, machine.place())
        : request;
  }

  static Place unreserved(Place place) {
    return new Place(
        place.region(),
        place.zone(),
        place.instanceType(),
        place.spot(),
        place.price(),
        place.providerData(),
        place.instance(),
        null);
  }

  static JobRequest job(
      JobRequest request,
      List<String> commands,
      Map<String, String> environment,
      @Nullable Duration longest) {
    JobSpec spec = request.spec();
    return request.with(
        new JobSpec(
            spec.shell(),
            commands,
            spec.workingDirectory(),
            environment,
            spec.files(),
            spec.stopDuration(),
            longest,
            spec.requirements()));
  }

  static JobObservation.Exited end(
      JobObservation.Exited end, @Nullable Integer code, JobObservation.Cause cause) {
    return new JobObservation.Exited(code, cause, end.detail(), end.startedAt(), end.endedAt());
  }

  static BackendException permanent() {
    return new BackendException.Permanent("this cannot be", null);
  }

  static BackendException gone() {
    return new BackendException.Gone("there is no such thing", null);
  }

  static BackendException noAnswer() {
    return new BackendException.Transient("there was no answer", null);
  }

  /** Refuses, and does not say what is missing. */
  static <T> T rude(Supplier<T> call) {
    try {
      return call.get();
    } catch (BackendException.Unsupported e) {
      throw new BackendException.Permanent("this cannot be", e);
    }
  }

  static boolean runs(JobRuntime runtime, String attemptId) {
    return observed(runtime, attemptId) instanceof JobObservation.Running;
  }

  static boolean hasEnded(JobRuntime runtime, String attemptId) {
    return observed(runtime, attemptId) instanceof JobObservation.Exited;
  }

  static boolean isAbsent(JobRuntime runtime, String attemptId) {
    return observed(runtime, attemptId) instanceof JobObservation.Absent;
  }

  static JobObservation observed(JobRuntime runtime, String attemptId) {
    return runtime.observe(List.of(attemptId)).getFirst();
  }

  static boolean is(Provisioner provisioner, ResourceRef ref, Found.State state) {
    return provisioner.describe(ref).filter(found -> found.state() == state).isPresent();
  }
}
