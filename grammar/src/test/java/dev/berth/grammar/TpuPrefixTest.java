package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.config.Configuration;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.ResourcesSpec;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The old prefix of TPU names; a fuzzer found names that consist of nothing else. */
class TpuPrefixTest {
  @ParameterizedTest
  @CsvSource({"tpu-v5litepod-8,v5litepod-8", "tpu-,tpu-", "tpu-tpu-v3,tpu-v3", "v2-8,v2-8"})
  void isTakenOffOnceAndOnlyWhereANameIsLeft(String written, String read) {
    String file = "type: fleet\nnodes: 1\nresources:\n  gpu: " + written + "\n";
    Configuration value =
        ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), Defaults.FILLED)
            .configuration()
            .orElseThrow();
    ResourcesSpec resources = Objects.requireNonNull(((FleetConfiguration) value).resources());
    GpuSpec gpu = Objects.requireNonNull(resources.gpu());
    assertThat(gpu.name()).containsExactly(read);
    Configuration again =
        ConfigurationReader.readNormalised(
            Kind.FLEET, ConfigurationReader.normalise(value), Defaults.FILLED);
    assertThat(again).isEqualTo(value);
  }
}
