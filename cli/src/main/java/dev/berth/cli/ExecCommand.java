package dev.berth.cli;

import dev.berth.client.BerthClient;
import dev.berth.client.ClientException;
import dev.berth.client.JobStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs a command inside of a running job. Ctrl-C ends this process and with it the connection, and
 * the server then ends the command.
 */
@Command(
    name = "exec",
    description =
        "Run a command inside a running job, in its working directory and with its environment."
            + " Standard input is forwarded; the exit code is the command's own. No terminal is"
            + " allocated.")
final class ExecCommand implements Callable<Integer> {
  private static final int PIECE = 32 * 1024;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(index = "0", paramLabel = "RUN", description = "The name or id of the run.")
  private String run = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "The command and its arguments, after --.")
  private List<String> command = new ArrayList<>();

  @Option(
      names = "--node",
      paramLabel = "NUMBER",
      description = "The node, for a run with several (default: 0).")
  private int node;

  @Override
  public Integer call() throws InterruptedException {
    try (Connection connection = Connection.open(spec.commandLine().getErr());
        JobStream stream =
            connection
                .client()
                .exec(
                    connection.project(),
                    run,
                    new BerthClient.Source(node, 0),
                    command,
                    new Terminal())) {
      // Nothing waits for it: a command may end while its input has not.
      Thread.ofPlatform().daemon().name("berth-input").start(() -> feed(stream));
      return stream.await();
    }
  }

  private void feed(JobStream stream) {
    byte[] piece = new byte[PIECE];
    try {
      for (int count = System.in.read(piece); count >= 0; count = System.in.read(piece)) {
        stream.send(piece, 0, count);
      }
      stream.endInput();
    } catch (ClientException e) {
      // Whoever waits for the end hears of it, too, and says so where it is no end.
      System.getLogger(ExecCommand.class.getName())
          .log(System.Logger.Level.DEBUG, "The command takes no more input", e);
    } catch (IOException e) {
      spec.commandLine().getErr().println("berth: the input cannot be read: " + e.getMessage());
      stream.close();
    }
  }

  /** Output goes through as it is. */
  private static final class Terminal implements JobStream.Receiver {
    @Override
    public void output(byte[] bytes) throws IOException {
      write(bytes, System.out);
    }

    @Override
    public void errors(byte[] bytes) throws IOException {
      write(bytes, System.err);
    }

    private static void write(byte[] bytes, PrintStream out) throws IOException {
      out.write(bytes, 0, bytes.length);
      if (out.checkError()) {
        throw new IOException("nobody reads the output any more");
      }
    }
  }
}
