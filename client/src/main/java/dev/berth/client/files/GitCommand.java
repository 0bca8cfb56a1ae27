package dev.berth.client.files;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks the user's git about one folder. It never waits for a person. */
final class GitCommand {
  private final Path folder;

  GitCommand(Path folder) {
    this.folder = folder;
  }

  /** What git prints, without the last line break; empty where it says no. */
  Optional<String> ask(String... arguments) {
    Answer answer = run(arguments);
    return answer.code() == 0 ? Optional.of(answer.out().strip()) : Optional.empty();
  }

  /** The paths that git prints, which are separated by NUL because names may have line breaks. */
  List<String> paths(String... arguments) {
    String out = demand(arguments);
    return out.isEmpty() ? List.of() : List.of(out.split("\0"));
  }

  /**
   * What git prints.
   *
   * @throws PackingException where it says no, with its reason
   */
  String demand(String... arguments) {
    Answer answer = run(arguments);
    if (answer.code() != 0) {
      throw new PackingException(
          "git %s in %s failed: %s".formatted(arguments[0], folder, answer.err().strip()), null);
    }
    return answer.out();
  }

  private record Answer(int code, String out, String err) {}

  private Answer run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("GIT_TERMINAL_PROMPT", "0");
    // Looking must not change the user's index, nor wait for somebody who does.
    builder.environment().put("GIT_OPTIONAL_LOCKS", "0");
    try {
      Process git = builder.start();
      git.getOutputStream().close();
      StringBuilder err = new StringBuilder();
      Thread reader =
          Thread.ofVirtual().start(() -> git.errorReader().lines().forEach(err::append));
      String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      reader.join();
      return new Answer(git.waitFor(), out, err.toString());
    } catch (IOException e) {
      throw new PackingException(
          "git is needed for runs with 'repos', and could not be started: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PackingException("looking at " + folder + " was interrupted", e);
    }
  }
}
