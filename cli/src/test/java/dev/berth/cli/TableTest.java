package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What becomes of columns that are wider than the terminal. */
final class TableTest {
  private static String printed(Table table, int width) {
    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text, true), width);
    return text.toString();
  }

  @Test
  void whatFitsIsNotTouched() {
    Table table = new Table("NAME", "TEXT", "").wrap("TEXT").drop("TEXT").cut("NAME");
    table.row("a-name", "some text", "a note");
    assertThat(printed(table, 40))
        .isEqualTo(
            """
             NAME    TEXT
             a-name  some text  a note
            """);
  }

  @Test
  void textIsContinuedInTheNextLine() {
    Table table = new Table("NAME", "TEXT", "END").wrap("TEXT");
    table.row("a", "one two three four five six seven eight", "z");
    assertThat(printed(table, 40))
        .isEqualTo(
            """
             NAME  TEXT                          END
             a     one two three four five six   z
                   seven eight
            """);
  }

  @Test
  void columnsAreLeftOutInTheirOrderAndOnlyAsFarAsNeeded() {
    Table table = new Table("NAME", "FIRST", "SECOND", "THIRD").drop("THIRD", "FIRST");
    table.row("a-name", "first-value", "second-value", "third-value");
    assertThat(printed(table, 40)).contains("FIRST", "SECOND").doesNotContain("THIRD");
    assertThat(printed(table, 25)).contains("NAME", "SECOND").doesNotContain("FIRST", "THIRD");
  }

  @Test
  void wordsAreCutLast() {
    Table table = new Table("NAME", "TYPE", "AGE").drop("AGE").cut("TYPE");
    table.row("a-name", "a-very-long-instance-type", "3d");
    assertThat(printed(table, 25))
        .isEqualTo(
            """
             NAME    TYPE
             a-name  a-very-long-ins…
            """);
  }

  @Test
  void aNoteGoesBelowItsRowWhereThereIsNoRoomBesideIt() {
    Table table = new Table("NAME", "STATUS", "");
    table.row("a-long-name", "a-long-status", "the note that says why it waits so long");
    table.row("b", "fine", "");
    assertThat(printed(table, 32))
        .isEqualTo(
            """
             NAME         STATUS
             a-long-name  a-long-status
               the note that says why it
               waits so long
             b            fine
            """);
  }

  @Test
  void headingsOfSeveralWordsAreWrappedWithTheirColumn() {
    Table table = new Table("ONLY BY THIS", "CLOSEST").wrap("ONLY BY THIS");
    table.row("3", "somewhere");
    assertThat(printed(table, 20))
        .isEqualTo(
            """
             ONLY BY   CLOSEST
             THIS
             3         somewhere
            """);
  }

  @Test
  void aTableGoesOnWithTheColumnsOfTheOneBefore() {
    Table first = new Table("NAME", "STATUS");
    first.row("a-long-name", "done");
    Table second = new Table("NAME", "STATUS").after(first);
    second.row("b", "done");
    assertThat(printed(second, 80)).isEqualTo(" b            done\n");
  }

  @Test
  void nobodysTextMovesTheCursor() {
    Table table = new Table("NAME", "");
    table.row("a", "two\nlines\u001b[2J");
    assertThat(printed(table, 80)).isEqualTo(" NAME\n a     two lines [2J\n");
  }

  @Test
  void theWidthIsThatOfTheEnvironmentOrOfStty() {
    assertThat(TerminalWidth.fromEnvironment(Map.of("COLUMNS", "132"))).hasValue(132);
    assertThat(TerminalWidth.fromEnvironment(Map.of("COLUMNS", "wide")))
        .isEqualTo(OptionalInt.empty());
    assertThat(TerminalWidth.parse("24 100\n")).isEqualTo(100);
    assertThat(TerminalWidth.parse("0 0\n")).isEqualTo(80);
    assertThat(TerminalWidth.parse("")).isEqualTo(80);
  }
}
