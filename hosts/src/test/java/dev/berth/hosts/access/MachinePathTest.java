package dev.berth.hosts.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.hosts.HostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachinePathTest {
  private static MachinePath path(String text) {
    return MachinePath.of(text);
  }

  @ParameterizedTest
  @CsvSource({
    "/a//b/, /a/b",
    "/, /",
    "//, /",
    "a/, a",
  })
  void slashesAreSingle(String text, String tidy) {
    assertThat(path(text).text()).isEqualTo(tidy);
  }

  @ParameterizedTest
  @CsvSource({
    "/a/./b/../c, /a/c",
    "/../a, /a",
    "a/../../b, ../b",
    "../../a, ../../a",
    "./a, a",
    "/a/.., /",
    "a/.., ''",
  })
  void dotsAreWorkedOut(String text, String normal) {
    assertThat(path(text).normalized().text()).isEqualTo(normal);
  }

  @Test
  void pathsAreResolvedAsInAFolder() {
    assertThat(path("/a").resolve("b/c")).isEqualTo(path("/a/b/c"));
    assertThat(path("/").resolve("b")).isEqualTo(path("/b"));
    assertThat(path("/a").resolve("/b")).isEqualTo(path("/b"));
    assertThat(path("/a").resolve("")).isEqualTo(path("/a"));
    assertThat(path("").resolve("b")).isEqualTo(path("b"));
    assertThat(path("/a/b").sibling("c")).isEqualTo(path("/a/c"));
    assertThat(path("b").sibling("c")).isEqualTo(path("c"));
    assertThat(path("/a").parent()).isEqualTo(MachinePath.ROOT);
    assertThat(MachinePath.ROOT.parent()).isEqualTo(MachinePath.ROOT);
    assertThat(path("/a/b").name()).isEqualTo("b");
    assertThat(path("b").name()).isEqualTo("b");
    assertThat(MachinePath.ROOT.name()).isEmpty();
  }

  @Test
  void namesAreComparedAsAWhole() {
    assertThat(path("/a/b").startsWith(path("/a"))).isTrue();
    assertThat(path("/a").startsWith(path("/a"))).isTrue();
    assertThat(path("/ab").startsWith(path("/a"))).isFalse();
    assertThat(path("/ab").startsWith(MachinePath.ROOT)).isTrue();
    assertThat(path("..a").startsWith(path(".."))).isFalse();
  }

  @Test
  void whatNoMachineCanHaveIsRefused() {
    assertThatThrownBy(() -> path("/a\0b"))
        .isInstanceOfSatisfying(
            HostException.class, e -> assertThat(e.code()).isEqualTo(HostException.Code.INVALID))
        .hasMessageContaining("'/a?b' cannot exist on any machine");
  }
}
