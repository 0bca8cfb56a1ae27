package dev.berth.backends.sim;

import dev.berth.spi.Execution;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A command inside of a simulated job: {@code cat} gives back what it reads; everything else does
 * at once what {@link Script} says.
 */
final class SimExecution implements Execution {
  private static final int KILLED = 137;

  private final BytePipe output = new BytePipe();
  private final BytePipe errors = new BytePipe();
  private final CompletableFuture<Integer> code = new CompletableFuture<>();

  private SimExecution() {}

  static SimExecution of(List<String> command) {
    return !command.isEmpty() && command.getFirst().equals("cat")
        ? new SimExecution()
        : script(commands(command));
  }

  /** A shell with a line, or the command itself. */
  private static List<List<String>> commands(List<String> command) {
    boolean shell = command.size() > 2 && command.get(1).equals("-c");
    return shell ? ShellWords.commands(List.of(command.get(2)), Map.of()) : whole(command);
  }

  private static List<List<String>> whole(List<String> command) {
    return command.isEmpty() ? List.of() : List.of(command);
  }

  private static SimExecution script(List<List<String>> commands) {
    SimExecution execution = new SimExecution();
    Script script = Script.of(commands, Duration.ZERO);
    Duration all = script.length();
    write(execution.output, script.output(false, all));
    write(execution.errors, script.output(true, all));
    execution.end(script.code());
    return execution;
  }

  private static void write(BytePipe pipe, byte[] bytes) {
    try {
      pipe.write(bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(int newCode) {
    if (code.complete(newCode)) {
      output.close();
      errors.close();
    }
  }

  /** What is written here is what {@code cat} writes; others read nothing. */
  @Override
  public OutputStream input() {
    return code.isDone() ? OutputStream.nullOutputStream() : new CatInput();
  }

  @Override
  public InputStream output() {
    return output.input();
  }

  @Override
  public InputStream errors() {
    return errors.input();
  }

  @Override
  public int exitCode() throws InterruptedException {
    try {
      return code.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("an exit code is never a failure", e);
    }
  }

  @Override
  public void close() {
    end(KILLED);
  }

  private final class CatInput extends OutputStream {
    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      output.write(bytes, offset, length);
    }

    @Override
    public void close() {
      end(0);
    }
  }
}
