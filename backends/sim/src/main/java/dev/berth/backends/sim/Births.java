package dev.berth.backends.sim;

import dev.berth.backends.sim.scenario.SimScenario;
import dev.berth.model.ResourceType;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** How a simulated cloud is before the first call: empty, but for what others have there. */
final class Births {
  private static final Owner SOMEBODY = new Owner("somebody-else");

  private Births() {}

  static World world(SimScenario scenario, Instant now) {
    World world = new World(now);
    for (int i = 1; i <= scenario.foreign(); i++) {
      String zone = scenario.regions().getFirst().zones().getFirst();
      Site here = Site.of(scenario.regions().getFirst().name(), zone);
      String type = scenario.instanceTypes().getFirst().name();
      add(world, ResourceType.VOLUME, here, now);
      Site machine = new Site(here.region(), zone, type, false, null);
      add(world, ResourceType.INSTANCE, machine, now);
      world.put(job(world.nextNumber(), machine, now));
    }
    return world;
  }

  private static void add(World world, ResourceType type, Site site, Instant now) {
    long number = world.nextNumber();
    String key = "foreign-" + number;
    world.put(
        new SimResource(
            number,
            SimIds.of(type, number),
            type,
            key,
            new Marks(SOMEBODY, key, 0).tags(),
            site,
            Life.of(now, now, null),
            Links.NONE,
            false,
            false,
            null));
  }

  private static SimJob job(long number, Site site, Instant now) {
    List<List<String>> script = List.of(List.of("sleep", "infinity"));
    Script course = Script.of(script, Duration.ZERO);
    return new SimJob(
        SimIds.of(ResourceType.JOB, number),
        "foreign-" + number,
        SOMEBODY.installation(),
        site,
        null,
        false,
        new SimJob.Wish(
            script, Duration.ZERO, course.length(), 0, null, List.of(), null, null, null),
        new SimJob.Course(now, now, now, null),
        SimJob.Ending.NONE,
        null,
        false);
  }
}
