package dev.berth.testkit.awkward.containers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A container that is a process of this machine, whatever its image, with all that it starts. Its
 * processes are known by a mark in their environment, so that those are found that left its group
 * or lost their parent, as an engine finds them by their namespace.
 */
final class FakeContainer {
  private static final String MARK = "FAKE_CONTAINER";
  private static final int NOTHING_TWICE = 2;

  private final Path folder;
  private final Process process;

  /**
   * Starts it.
   *
   * @param root whether it runs as root, which its image says when it is asked for its user
   * @param ended is told the exit code
   */
  FakeContainer(
      Path folder,
      List<String> command,
      Map<String, String> environment,
      String note,
      boolean root,
      Consumer<Integer> ended)
      throws IOException {
    this.folder = Files.createDirectories(folder);
    write(note);
    Path programs = Files.createDirectories(folder.resolve("bin"));
    Path id = Files.writeString(programs.resolve("id"), "#!/bin/sh\necho " + (root ? 0 : 1000));
    Files.setPosixFilePermissions(id, PosixFilePermissions.fromString("rwx------"));
    List<String> words = new ArrayList<>(List.of("setsid"));
    words.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(words);
    builder.environment().putAll(environment);
    builder.environment().merge("PATH", programs.toString(), (old, more) -> more + ":" + old);
    // What it leaves behind goes with it.
    builder.environment().put("TMPDIR", folder.toString());
    builder.environment().put(MARK, folder.toString());
    builder.environment().put("CONTAINER_NOTE", folder.resolve("note").toString());
    process =
        builder
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    var _ = process.onExit().thenAccept(gone -> ended.accept(gone.exitValue()));
  }

  /** Changes the note, which the container reads as a file; it never sees a half of it. */
  void write(String note) throws IOException {
    Path next = Files.writeString(folder.resolve("note.next"), note + "\n");
    Files.move(next, folder.resolve("note"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** What it wrote, as lines. The last one counts when it is complete, or the container ended. */
  List<String> lines() throws IOException {
    boolean over = !process.isAlive();
    String text = Files.readString(folder.resolve("log"), StandardCharsets.ISO_8859_1);
    int complete = over ? text.length() : text.lastIndexOf('\n') + 1;
    return text.substring(0, complete).lines().toList();
  }

  /** Kills all its processes; none runs when this returns. */
  void kill() {
    for (int clear = 0; clear < NOTHING_TWICE; ) {
      List<ProcessHandle> left = ProcessHandle.allProcesses().filter(this::isMarked).toList();
      left.forEach(ProcessHandle::destroyForcibly);
      clear = left.isEmpty() ? clear + 1 : 0;
    }
  }

  private boolean isMarked(ProcessHandle any) {
    try {
      Path environment = Path.of("/proc", Long.toString(any.pid()), "environ");
      String words = Files.readString(environment, StandardCharsets.ISO_8859_1);
      return List.of(words.split("\0")).contains(MARK + "=" + folder);
    } catch (IOException e) {
      // It ended meanwhile, or is somebody else's.
      return false;
    }
  }

  /** Kills it, and deletes what it wrote. */
  void delete() {
    kill();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("what a container wrote cannot be deleted", e);
    }
  }
}
