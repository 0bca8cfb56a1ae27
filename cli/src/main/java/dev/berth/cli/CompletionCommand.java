package dev.berth.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Prints a completion script for a shell. The scripts only pass on what was typed: {@link
 * Completion} knows the rest, so that a script stays right when commands change.
 */
@Command(
    name = "completion",
    description = "Print a shell completion script. To use it: eval \"$(berth completion bash)\"")
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  enum Shell {
    bash(
        """
        _berth() {
          local current=${COMP_WORDS[COMP_CWORD]} line
          COMPREPLY=()
          while IFS= read -r line; do
            if [ "$line" = :files ]; then
              compopt -o filenames 2>/dev/null
              while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "${current#=}")
            else
              COMPREPLY+=("${line%%$'\\t'*}")
            fi
          done < <("${COMP_WORDS[0]/#\\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
        }
        complete -F _berth berth
        """),
    zsh(
        """
        #compdef berth
        _berth() {
          local -a found
          found=("${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
          if [[ $found[1] == :files ]]; then
            [[ $PREFIX == -*=* ]] && compset -P '*='
            _files
          elif [[ -n $found[1] ]]; then
            found=("${(@)found//:/\\\\:}")
            found=("${(@)found/$'\\t'/:}")
            _describe -V berth found
          fi
        }
        (( $+functions[compdef] )) || { autoload -U compinit && compinit; }
        compdef _berth berth
        """),
    fish(
        """
        function __berth_complete
          set -l words (commandline -opc)
          set -l current (commandline -ct)
          set -l found (command $words[1] __complete $words[2..-1] "$current" 2>/dev/null)
          if test "$found[1]" = :files
            __fish_complete_path (string replace -r -- '^-.*?=' '' "$current")
          else if test (count $found) -gt 0
            printf '%s\\n' $found
          end
        end
        complete -c berth -e
        complete -c berth -f -a '(__berth_complete)'
        """);

    private final String script;

    Shell(String script) {
      this.script = script;
    }
  }

  @Parameters(paramLabel = "SHELL", description = "One of: ${COMPLETION-CANDIDATES}.")
  private Shell shell = Shell.bash;

  @Override
  public Integer call() {
    spec.commandLine().getOut().print(shell.script);
    return ExitCode.OK;
  }
}
