package dev.berth.testkit.checks;

import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Trial;

/** How backends refuse what they opted out of. */
final class Refusals {
  private Refusals() {}

  /** A place that the backend must refuse, for a machine or for a job. */
  static void ofPlace(Trial trial, Place place, String what, Trait trait) {
    if (trial.traits().base() == Traits.Base.MACHINES) {
      ofThing(trial, trial.things().machine(trial.key(), place), what, trait);
    } else {
      ofJob(trial, trial.jobs().member("echo never").at(place), what, trait);
    }
  }

  static void ofJob(Trial trial, JobRequest request, String what, Trait... traits) {
    Expect.refused(() -> trial.jobs().start(request), "start() of a job with " + what, traits);
    Expect.that(
        trial.jobs().observe(request.attemptId()) instanceof JobObservation.Absent,
        "a job that was refused is there all the same: refuse before anything is made");
  }

  /** A thing that the backend must refuse to make, if it makes any at all. */
  static void ofThing(Trial trial, CreateRequest request, String what, Trait... traits) {
    if (trial.compute().provisioner().isEmpty()) {
      return;
    }
    Expect.refused(() -> trial.things().create(request), "create() of " + what, traits);
    Expect.that(
        trial.things().keyed(trial.owner(), request.key()).isEmpty(),
        "what was refused is there all the same: refuse before anything is made");
  }
}
