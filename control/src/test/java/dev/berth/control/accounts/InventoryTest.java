package dev.berth.control.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.Instance;
import dev.berth.model.ResourceVector;
import dev.berth.spi.BackendException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Machines that come and go. */
final class InventoryTest {
  private Instant now = Instant.parse("2026-11-01T12:00:00Z");
  private List<Instance> there = List.of(machine("a", 1000));
  private boolean silent;
  private final List<List<String>> told = new ArrayList<>();
  private final Inventory inventory =
      new Inventory(
          "slurm",
          () -> {
            if (silent) {
              throw new BackendException.Transient("not now", null);
            }
            return there;
          },
          machines -> told.add(machines.stream().map(Instance::id).toList()),
          now);

  private static Instance machine(String id, long disk) {
    return new Instance(
        id,
        "",
        id,
        "slurm",
        "here",
        Instance.Status.IDLE,
        new ResourceVector(4, 4, 8_192, disk, Set.of()),
        List.of(),
        Map.of(),
        0);
  }

  private void read() {
    now = inventory.next(now).orElseThrow();
    inventory.step(now);
  }

  @Test
  void whatChangesIsToldOnce() {
    read();
    read();
    assertThat(told).containsExactly(List.of("a"));
    there = List.of(machine("a", 1000), machine("b", 1000));
    read();
    read();
    there = List.of(machine("b", 1000));
    read();
    assertThat(told).containsExactly(List.of("a"), List.of("a", "b"), List.of("b"));
  }

  @Test
  void thatNothingIsThereIsToldAfterTheFirstReading() {
    there = List.of();
    read();
    read();
    assertThat(told).containsExactly(List.of());
  }

  @Test
  void itIsReadTwiceAMinuteAndNoSooner() {
    read();
    assertThat(inventory.next(now)).contains(now.plus(Inventory.EVERY));
    there = List.of();
    inventory.step(now.plusSeconds(1));
    assertThat(told).hasSize(1);
  }

  @Test
  void aBackendThatDoesNotAnswerHasLostNothing() {
    read();
    silent = true;
    read();
    assertThat(told).containsExactly(List.of("a"));
    silent = false;
    there = List.of();
    read();
    assertThat(told).containsExactly(List.of("a"), List.of());
  }

  @Test
  void aLittleMoreRoomOnADiskIsNoNews() {
    read();
    there = List.of(machine("a", 990));
    read();
    assertThat(told).hasSize(1);
    there = List.of(machine("a", 500));
    read();
    assertThat(told).hasSize(2);
  }
}
