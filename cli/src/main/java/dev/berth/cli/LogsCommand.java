package dev.berth.cli;

import dev.berth.client.BerthClient;
import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a run's output, byte by byte as the job wrote it. */
@Command(name = "logs", description = "Print the output of a run exactly as the job wrote it.")
final class LogsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "RUN", description = "The name or id of the run.")
  private String run = "";

  @Option(
      names = {"-f", "--follow"},
      description = "Keep printing new output until the run ends.")
  private boolean follow;

  @Option(names = "--stdout", description = "Print only the job's standard output.")
  private boolean stdout;

  @Option(
      names = "--stderr",
      description = "Print only the job's standard error, on standard output.")
  private boolean stderr;

  @Option(
      names = "--node",
      paramLabel = "NUMBER",
      description = "The node, for a run with several (default: 0).")
  private int node;

  @Option(
      names = "--attempt",
      paramLabel = "NUMBER",
      description = "The attempt, counted from 1 (default: the latest).")
  private int attempt;

  @Override
  public Integer call() {
    if (follow && attempt > 0) {
      throw new CommandFailure(
          ExitCode.USAGE,
          "--attempt cannot be used with -f, which follows the latest attempt and any after it");
    }
    try (Connection connection = Connection.open(spec.commandLine().getErr())) {
      if (follow) {
        connection
            .client()
            .follow(connection.project(), run, node, new BerthClient.Position(), new Writer());
      } else {
        if (stdout || !stderr) {
          copy(connection, "stdout", System.out);
        }
        if (stderr || !stdout) {
          copy(connection, "stderr", stderr ? System.out : System.err);
        }
      }
      System.out.flush();
      return ExitCode.OK;
    }
  }

  private void copy(Connection connection, String stream, PrintStream out) {
    long offset = 0;
    while (true) {
      BerthClient.Range range =
          connection
              .client()
              .log(
                  connection.project(), run, new BerthClient.Source(node, attempt), stream, offset);
      if (range.bytes().length == 0) {
        return;
      }
      out.write(range.bytes(), 0, range.bytes().length);
      offset = range.nextOffset();
    }
  }

  /** Sends each stream where the options want it. */
  private final class Writer implements BerthClient.Follower {
    @Override
    public void stdout(byte[] bytes) {
      if (stdout || !stderr) {
        System.out.write(bytes, 0, bytes.length);
        System.out.flush();
      }
    }

    @Override
    public void stderr(byte[] bytes) {
      if (stderr || !stdout) {
        PrintStream out = stderr ? System.out : System.err;
        out.write(bytes, 0, bytes.length);
        out.flush();
      }
    }
  }
}
