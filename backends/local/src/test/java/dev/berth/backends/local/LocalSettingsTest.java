package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.Size;
import dev.berth.spi.BackendException;
import dev.berth.spi.config.ConfigReader;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LocalSettingsTest {
  private static LocalSettings read(Map<String, Object> settings) {
    return ConfigReader.read(LocalSettings.class, settings);
  }

  @Test
  void nothingIsNeeded() {
    assertThat(read(Map.of())).isEqualTo(LocalSettings.USUAL);
  }

  @Test
  void everythingCanBeSaid() {
    assertThat(
            read(
                Map.of(
                    "slots",
                    4,
                    "capacity",
                    Map.of("cpus", 8L, "memory", "1.5GB", "disk", 2048, "gpus", 0))))
        .isEqualTo(
            new LocalSettings(4, new LocalSettings.Capacity(8, new Size(1536), new Size(2048), 0)));
  }

  static Stream<Arguments> sizes() {
    return Stream.of(
        Arguments.of("512MB", 512L),
        Arguments.of("512 MiB", 512L),
        Arguments.of("16gb", 16384L),
        Arguments.of("1.5TB", 1572864L),
        Arguments.of(1000, 1000L));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void sizesAreTextOrMebibytes(Object value, long mib) {
    assertThat(read(Map.of("capacity", Map.of("memory", value))).given().memory())
        .isEqualTo(new Size(mib));
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of(Map.of("slots", 0), "'slots' must be 1 or more, not 0"),
        Arguments.of(Map.of("slots", "many"), "'slots' must be a whole number, not 'many'"),
        Arguments.of(Map.of("slots", 1.5), "'slots' must be"),
        Arguments.of(Map.of("slots", 1L << 40), "'slots' must be"),
        Arguments.of(
            Map.of("slot", 1), "'slot' is not a known setting; known settings are capacity, slots"),
        Arguments.of(Map.of("capacity", 3), "'capacity' must be a section"),
        Arguments.of(Map.of("capacity", Map.of("cpus", 0)), "'capacity.cpus' must be"),
        Arguments.of(Map.of("capacity", Map.of("gpus", -1)), "'capacity.gpus' must be"),
        Arguments.of(
            Map.of("capacity", Map.of("memory", "16")), "'capacity.memory' must be a size"),
        Arguments.of(Map.of("capacity", Map.of("memory", "0GB")), "'capacity.memory' must be"),
        Arguments.of(Map.of("capacity", Map.of("disk", -5)), "'capacity.disk' must be a size"),
        Arguments.of(Map.of("capacity", Map.of("disk", List.of())), "'capacity.disk' must be"),
        Arguments.of(
            Map.of("capacity", Map.of("cpu", 2)), "'capacity.cpu' is not a known setting"));
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void whatIsWrongIsNamed(Map<String, Object> settings, String message) {
    assertThatThrownBy(() -> read(settings))
        .hasMessageContaining(message)
        .isInstanceOf(BackendException.BadConfig.class);
  }

  @Test
  void allProblemsAreToldAtOnce() {
    assertThatThrownBy(() -> read(Map.of("slots", 0, "capacity", Map.of("cpus", "x", "disk", "y"))))
        .hasMessageContainingAll("'slots'", "'capacity.cpus'", "'capacity.disk'");
  }
}
