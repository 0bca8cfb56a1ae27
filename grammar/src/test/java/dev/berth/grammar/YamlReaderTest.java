package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text becomes a tree with positions and nothing more. */
final class YamlReaderTest {
  private static YamlReader.Document read(String text) {
    return YamlReader.read(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Map<String, Object> tree(String text) {
    return Maps.plain((Node.Mapping) read(text).root());
  }

  @Test
  void wordsStayWhatWasWritten() {
    Node.Mapping root = (Node.Mapping) read("a: 3.10\nb: on\nc: 0o17\nd: 'null'\ne: ~\n").root();
    assertThat(root.entries().values())
        .extracting(entry -> ((Node.Scalar) entry.value()).text())
        .containsExactly("3.10", "on", "0o17", "null", "~");
    assertThat(root.entries().values())
        .extracting(entry -> entry.value().isAbsent())
        .containsExactly(false, false, false, false, true);
  }

  @Test
  void keysAndValuesKnowWhereTheyStand() {
    Node.Mapping root = (Node.Mapping) read("# note\na:\n  - b\n  - {c: d}\n").root();
    Node.Mapping.Entry entry = root.entries().firstEntry().getValue();
    Node.Sequence list = (Node.Sequence) entry.value();
    assertThat(entry.keyPosition()).isEqualTo(new Position(2, 1));
    assertThat(list.items())
        .extracting(Node::position)
        .containsExactly(new Position(3, 5), new Position(4, 5));
  }

  @Test
  void columnsCountCharactersAndNotBytes() {
    Node.Mapping root = (Node.Mapping) read("é😀: b\n").root();
    assertThat(root.entries().firstEntry().getValue().value().position())
        .isEqualTo(new Position(1, 5));
  }

  @Test
  void anAliasRepeatsWhatItsAnchorNames() {
    assertThat(tree("a: &x [1, 2]\nb: *x\n"))
        .isEqualTo(Map.of("a", List.of(1L, 2L), "b", List.of(1L, 2L)));
  }

  @Test
  void anAnchorMayBeGivenAgain() {
    assertThat(tree("a: &x 1\nb: *x\nc: &x 2\nd: *x\n"))
        .isEqualTo(Map.of("a", 1L, "b", 1L, "c", 2L, "d", 2L));
  }

  @Test
  void anAnchorIsNotKnownInsideItself() {
    assertThatThrownBy(() -> read("a: &x [*x]\n"))
        .isInstanceOfSatisfying(
            SyntaxException.class,
            e -> assertThat(e.problem().rule()).isEqualTo(Rule.UNKNOWN_ANCHOR));
  }

  @Test
  void whatStandsInAMappingWinsOverWhatIsMergedIntoIt() {
    assertThat(tree("<<: [{a: 1, b: 1}, {b: 2, c: 2}]\na: 0\n"))
        .isEqualTo(Map.of("a", 0L, "b", 1L, "c", 2L));
    assertThat(tree("'<<': 1\n")).isEqualTo(Map.of("<<", 1L));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a: !!python/object/apply:os.system [ls]",
        "a: !!javax.script.ScriptEngineManager []",
        "a: !<tag:example.com,2000:x> 1",
        "a: !!set {b}",
        "a: !!timestamp 2026-01-01",
      })
  void tagsThatAskForAnObjectAreReported(String text) {
    assertThat(read(text + "\n").problems())
        .singleElement()
        .extracting(Problem::rule)
        .isEqualTo(Rule.CUSTOM_TAG);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n\n", "# only\n", "---\n# a\n...\n", "%YAML 1.2\n", "\uFEFF"})
  void textWithoutAValueIsNoConfiguration(String text) {
    ConfigurationFile file =
        ConfigurationReader.read(
            text.getBytes(StandardCharsets.UTF_8), ConfigurationReader.Defaults.FILLED);
    assertThat(file.isValid()).isFalse();
    assertThat(file.errors()).hasSize(1);
  }

  @Test
  void linesMayEndAsOnWindows() {
    assertThat(tree("a: 1\r\nb: |\r\n  x\r\n  y\r\n")).isEqualTo(Map.of("a", 1L, "b", "x\ny\n"));
  }

  @Test
  void theMessageOfATabSaysWhatToDo() {
    assertThatThrownBy(() -> read("a:\n\t- b\n")).hasMessageContaining("indent with spaces");
  }

  @Test
  void messagesStayOneReadableLine() {
    assertThatThrownBy(() -> read("a: *" + "x".repeat(5_000)))
        .satisfies(e -> assertThat(String.valueOf(e.getMessage())).hasSizeLessThan(200))
        .satisfies(e -> assertThat(String.valueOf(e.getMessage())).doesNotContain("\n"));
  }
}
