package dev.berth.backends.sim;

import static dev.berth.backends.sim.SimFixture.PLACE;
import static dev.berth.backends.sim.SimFixture.machine;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Found;
import dev.berth.spi.ResourceRef;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folders that stand for machines on which Berth runs the jobs. */
class SimFoldersTest {
  @TempDir private Path directory;
  private SimFixture sim;

  @BeforeEach
  void open() {
    sim = SimFixture.in(directory, new SettableClock(), "{gives: machines, jobs: berth}");
  }

  private Path folder(ResourceRef ref) {
    return directory.resolve("machines").resolve(ref.id());
  }

  private List<ResourceRef> made(String... keys) {
    return List.of(keys).stream().map(key -> sim.create(machine(key, PLACE)).ref()).toList();
  }

  @Test
  void machines_that_are_looked_at_together_are_folders_as_each_by_itself() {
    List<ResourceRef> refs = made("a", "b");
    sim.clock.passSeconds(2);
    List<Optional<Found>> together = sim.provisioner().describe(refs);
    assertThat(together)
        .extracting(found -> found.orElseThrow().host())
        .containsExactly("folder:" + folder(refs.get(0)), "folder:" + folder(refs.get(1)));
    assertThat(refs)
        .allSatisfy(
            ref -> {
              assertThat(folder(ref)).isDirectory();
              assertThat(together).contains(sim.provisioner().describe(ref));
            });
  }

  @Test
  void the_folder_of_a_machine_that_is_looked_at_with_others_goes_with_it() {
    List<ResourceRef> refs = made("a", "b");
    sim.clock.passSeconds(2);
    sim.provisioner().describe(refs);
    sim.provisioner().delete(refs.getFirst());
    sim.clock.passSeconds(2);
    assertThat(sim.provisioner().describe(refs))
        .extracting(Optional::isPresent)
        .containsExactly(false, true);
    assertThat(folder(refs.getFirst())).doesNotExist();
    assertThat(folder(refs.getLast())).isDirectory();
  }
}
