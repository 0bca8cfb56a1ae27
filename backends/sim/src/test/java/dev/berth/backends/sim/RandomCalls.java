package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.LABELS;
import static dev.berth.backends.sim.SimFixture.OWNER;
import static dev.berth.backends.sim.SimFixture.job;
import static dev.berth.backends.sim.SimFixture.machine;
import static dev.berth.backends.sim.SimFixture.marks;
import static dev.berth.backends.sim.SimFixture.volume;

import dev.berth.model.Place;
import dev.berth.model.offers.OfferFilter;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Offers;
import dev.berth.spi.ResourceRef;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A sequence of calls that depends on nothing but its seed and the answers. */
final class RandomCalls {
  private static final List<String> REGIONS = List.of("sim-north", "sim-south");
  private static final List<String> TYPES = List.of("sim-cpu-2", "sim-l4-1", "unknown");

  private final SimFixture sim;
  private final boolean machines;
  private final Random random;
  private final List<ResourceRef> known = new ArrayList<>();

  RandomCalls(SimFixture sim, long seed) {
    this.sim = sim;
    this.machines = sim.config.gives() == SimConfig.Gives.MACHINES;
    this.random = new Random(seed);
  }

  void make(int count) {
    for (int i = 0; i < count; i++) {
      sim.clock.pass(Duration.ofMillis(random.nextInt(3000)));
      try {
        one();
      } catch (BackendException _) {
        // The trace has it.
        sim.clock.pass(Duration.ofMillis(1));
      }
    }
  }

  private void one() {
    String key = "k" + random.nextInt(12);
    switch (random.nextInt(16)) {
      case 0, 1 -> keep(sim.create(machines ? machine(key, place()) : gateway(key)));
      case 2 -> keep(sim.create(volume(key, null)));
      case 3 ->
          keep(
              sim.create(
                  new CreateRequest.Group(
                      marks("g" + key), LABELS, place(), List.of(job("1" + key), job("2" + key)))));
      case 4 -> sim.provisioner().delete(some());
      case 5 -> sim.provisioner().describe(some());
      case 6 -> sim.provisioner().list(OWNER).found().forEach(this::keep);
      case 7, 8, 9 -> sim.jobs().start(job(key, "echo a", "sleep 7", "seq 1 9").at(jobPlace()));
      case 10 -> sim.jobs().stop(key, Duration.ofSeconds(random.nextInt(5)));
      case 11 -> sim.jobs().remove(key);
      case 12 -> sim.jobs().observe(List.of(key, "k1"));
      case 13 -> sim.jobs().read(key, JobRuntime.Stream.STDOUT, random.nextInt(5), 10);
      case 14 -> sim.volumes().attach(some(), some());
      default ->
          sim.compute.qualify(
              ((Offers.Live) sim.compute.offers())
                  .source()
                  .fetch(OfferFilter.ANY, false)
                  .items()
                  .subList(0, 5));
    }
  }

  private void keep(Found found) {
    known.add(found.ref());
  }

  private ResourceRef some() {
    return known.isEmpty()
        ? sim.create(volume("first", null)).ref()
        : known.get(random.nextInt(known.size()));
  }

  private static CreateRequest gateway(String key) {
    return new CreateRequest.Gateway(marks(key), LABELS, "sim-south", null, true, "", List.of());
  }

  private Place place() {
    return new Place(
        REGIONS.get(random.nextInt(REGIONS.size())),
        null,
        TYPES.get(random.nextInt(10) == 0 ? 2 : random.nextInt(2)),
        random.nextBoolean(),
        1,
        "{}",
        null,
        null);
  }

  /** On a machine where machines are given, if one is known. */
  private Place jobPlace() {
    return machines ? place().on(some().id()) : place();
  }
}
