package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is offered at the end of a command line, and {@code berth completion}. */
final class CompletionTest {
  /** Names tell what they are of, and the project that was named. */
  private static List<String> complete(String line) {
    return Completion.of(
            List.of(line.split(" ", -1)),
            (kind, project) ->
                List.of(kind + "-1", kind + (project == null ? "-2" : "-" + project)))
        .stream()
        .map(candidate -> candidate.replaceFirst("\t.*", ""))
        .toList();
  }

  @Test
  void everyCommandIsOfferedWithItsDescription() {
    assertThat(complete("")).containsAll(Berth.commandLine().getSubcommands().keySet());
    assertThat(Completion.of(List.of("sto"), (_, _) -> List.of()))
        .singleElement()
        .asString()
        .startsWith("stop\tStop ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "stop | -> ACTIVE_RUNS-1 ACTIVE_RUNS-2",
        "stop ACTIVE_RUNS-1 ACTIVE_RUNS-2| -> ACTIVE_RUNS-2",
        "attach | -> ACTIVE_RUNS-1 ACTIVE_RUNS-2",
        "exec | -> ACTIVE_RUNS-1 ACTIVE_RUNS-2",
        "exec run | ->",
        "logs RUNS-2| -> RUNS-2",
        "logs -f | -> RUNS-1 RUNS-2",
        "logs other | ->",
        "delete | -> RUNS-1 RUNS-2",
        "explain | -> RUNS-1 RUNS-2",
        "run get | -> RUNS-1 RUNS-2",
        "explain -f | -> :files",
        "apply -f | -> :files",
        "apply --file=ex| -> :files",
        "validate -f a b| -> :files",
        "fleet get | -> FLEETS-1 FLEETS-2",
        "backend check | -> BACKENDS-1 BACKENDS-2",
        "backend add | ->",
        "backend add x --type | -> BACKEND_TYPES-1 BACKEND_TYPES-2",
        "backend docs | -> BACKEND_TYPES-1 BACKEND_TYPES-2",
        "offer --backend | -> BACKENDS-1 BACKENDS-2",
        "offer --group-by | -> gpu backend region count",
        "project delete | -> PROJECTS-1 PROJECTS-2",
        "project create | ->",
        "secret get | -> SECRETS-1 SECRETS-2",
        "secret get -p other | -> SECRETS-1 SECRETS-other",
        "secret get --project=other | -> SECRETS-1 SECRETS-other",
        "secret get --project = other | -> SECRETS-1 SECRETS-other",
        "secret get -p | -> PROJECTS-1 PROJECTS-2",
        "user delete | -> USERS-1 USERS-2",
        "user create x --role a| -> admin",
        "user create x --role=a| -> --role=admin",
        "user create x --role =| -> admin user",
        "project member add USERS-1 --role m| -> manager",
        "config --project | -> PROJECTS-1 PROJECTS-2",
        "completion z| -> zsh",
        "schema tas| -> task",
        "fleet ge| -> get",
        "ps --js| -> --json",
        "ps --last | ->",
        "ps -- --js| ->",
        "nothing | ->",
        "__complete | ->",
      })
  void theLabelOfAnArgumentSaysWhatIsOffered(String row) {
    String line = row.replaceFirst("\\|.*", "");
    assertThat((line + "| -> " + String.join(" ", complete(line))).strip()).isEqualTo(row);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "fish"})
  void theScriptOfEachShellAsksTheCommand(String shell) {
    Command command = Command.run("completion", shell);
    assertThat(command.exitCode()).isZero();
    assertThat(command.out()).contains("berth", CompletionNames.COMMAND);
  }

  @Test
  void anUnknownShellIsAWrongCommandLine() {
    Command command = Command.run("completion", "tcsh");
    assertThat(command.exitCode()).isEqualTo(64);
    assertThat(command.err()).contains("tcsh", "bash", "zsh", "fish");
  }
}
