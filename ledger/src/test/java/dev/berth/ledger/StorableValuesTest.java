package dev.berth.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that a database would change or refuse do not become rows. */
class StorableValuesTest {
  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a b", "\u00e4", "a\n", "\u0000"})
  void idsAreVisibleAscii(String id) {
    assertThatIllegalArgumentException().isThrownBy(() -> new EntityKey("run", id));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\u0000", "\ud83d", "\ude00\ud83d", "x\ud83dx"})
  void textThatCannotBeEncodedIsRefused(String json) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Body(1, json));
  }

  @Test
  void sizesAndVersionsHaveLimits() {
    assertThatIllegalArgumentException().isThrownBy(() -> new Body(0, "{}"));
    assertThatIllegalArgumentException().isThrownBy(() -> new EntityKey("run", "x".repeat(501)));
    assertThatIllegalArgumentException().isThrownBy(() -> EntityQuery.all("run", 0));
    assertThatIllegalArgumentException().isThrownBy(() -> EventQuery.after(0, 1001));
  }

  @Test
  void timesAreKeptToTheMillisecond() {
    EventRow event = Samples.event("a", "main", Instant.parse("2026-11-01T00:00:00.123456789Z"));
    assertThat(event.at()).isEqualTo(Instant.parse("2026-11-01T00:00:00.123Z"));
    assertThatIllegalArgumentException().isThrownBy(() -> Samples.event("a", "main", Instant.MAX));
  }

  @Test
  void finishedActionsHaveAFinishTimeAndOthersNone() {
    ActionRow done = Samples.action("a", null, ActionState.DONE);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new ActionRow(
                    done.id(),
                    done.kind(),
                    done.entity(),
                    null,
                    ActionState.PENDING,
                    null,
                    done.deadline(),
                    0,
                    done.finishedAt(),
                    done.body()));
  }

  @Test
  void commitNamesEachRowOnce() {
    EntityRow row = Samples.active("a", "a", 1);
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> new Commit(List.of(row), List.of(row.key()), List.of(), List.of(), List.of()));
  }
}
