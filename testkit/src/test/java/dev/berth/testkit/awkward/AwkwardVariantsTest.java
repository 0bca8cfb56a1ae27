package dev.berth.testkit.awkward;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.testkit.awkward.containers.AwkwardContainerVariants;
import dev.berth.testkit.broken.Variant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The kit is tried on enough mistakes that authors make; that it catches each, others say. */
class AwkwardVariantsTest {
  @Test
  void thereAreThirtyBrokenBackendsThatThirtyChecksCatch() {
    List<String> names =
        Stream.concat(AwkwardVariants.all().stream(), AwkwardContainerVariants.all().stream())
            .map(Variant::check)
            .toList();
    assertThat(names).hasSizeGreaterThanOrEqualTo(30);
    assertThat(names.stream().distinct()).hasSizeGreaterThanOrEqualTo(30);
  }
}
