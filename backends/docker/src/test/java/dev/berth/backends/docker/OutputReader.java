package dev.berth.backends.docker;

import dev.berth.spi.BackendContext;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Owner;
import dev.berth.spi.config.ConfigReader;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/** Follows the output of jobs to their ends, as a server does, and prints size and digest. */
final class OutputReader {
  private static final int PIECE = 64 * 1024;

  /** Nobody tells that a job wrote something. */
  private static final long BETWEEN_LOOKS_NS = 20_000_000;

  private OutputReader() {}

  public static void main(String[] arguments) throws Exception {
    DockerBackendType type = new DockerBackendType();
    BackendContext context =
        new BackendContext(
            "docker", new Owner("test"), Path.of(arguments[1]), Map.of(), InstantSource.system());
    try (Compute compute =
            type.open(ConfigReader.read(type.config(), Map.of("host", arguments[0])), context);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      JobRuntime runtime = compute.runtime().orElseThrow();
      List<Callable<String>> readers = new ArrayList<>();
      for (String job : List.of(arguments).subList(2, arguments.length)) {
        readers.add(() -> read(runtime, job));
      }
      for (Future<String> line : threads.invokeAll(readers)) {
        System.out.println(line.get());
      }
    }
  }

  private static String read(JobRuntime runtime, String job) throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    JobRuntime.Output piece = runtime.read(job, JobRuntime.Stream.STDOUT, 0, PIECE);
    digest.update(piece.bytes());
    while (!piece.ended()) {
      if (piece.bytes().length == 0) {
        LockSupport.parkNanos(BETWEEN_LOOKS_NS);
      }
      piece = runtime.read(job, JobRuntime.Stream.STDOUT, piece.nextOffset(), PIECE);
      digest.update(piece.bytes());
    }
    return job + " " + piece.nextOffset() + " " + HexFormat.of().formatHex(digest.digest());
  }
}
