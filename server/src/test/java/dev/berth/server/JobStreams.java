package dev.berth.server;

import dev.berth.client.BerthClient;
import dev.berth.client.JobStream;
import dev.berth.model.api.RunProgressView;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the tests of commands inside of jobs, and of their ports, have in common. */
final class JobStreams {
  static final BerthClient.Source FIRST = BerthClient.Source.FIRST_NODE;

  private final RunningServer running;

  JobStreams(RunningServer running) {
    this.running = running;
  }

  /** Submits a task, and waits until it runs at its backend, too. */
  void run(String name, String... commands) {
    running.submit(RunningServer.task(name, commands));
    Await.until(
        () -> {
          RunProgressView progress = running.client().progress(RunningServer.PROJECT, name);
          return progress.status().equals("running") && progress.jobs().isEmpty();
        });
  }

  /** Kills what runs, and waits for its end. */
  void endAll() {
    running
        .client()
        .list(RunningServer.PROJECT, false, 100, null)
        .runs()
        .forEach(run -> end(run.name()));
  }

  void end(String run) {
    running.client().stop(RunningServer.PROJECT, run, true);
    Await.until(() -> running.client().get(RunningServer.PROJECT, run).run().finishedAt() != null);
  }

  void awaitStatus(String name, String status) {
    Await.until(
        () -> running.client().get(RunningServer.PROJECT, name).run().status().equals(status));
  }

  /** Runs a command without input to its end. */
  Result exec(String run, String... command) throws InterruptedException {
    Result result = new Result();
    try (JobStream stream = open(run, result, command)) {
      stream.endInput();
      result.code = stream.await();
    }
    return result;
  }

  JobStream open(String run, JobStream.Receiver receiver, String... command) {
    return running.client().exec(RunningServer.PROJECT, run, FIRST, List.of(command), receiver);
  }

  /** What a command wrote, and how it ended. */
  static final class Result implements JobStream.Receiver {
    final ByteArrayOutputStream output = new ByteArrayOutputStream();
    final ByteArrayOutputStream errors = new ByteArrayOutputStream();
    int code = -1;

    @Override
    public void output(byte[] bytes) {
      output.writeBytes(bytes);
    }

    @Override
    public void errors(byte[] bytes) {
      errors.writeBytes(bytes);
    }

    String text() {
      return output.toString(StandardCharsets.UTF_8);
    }
  }
}
