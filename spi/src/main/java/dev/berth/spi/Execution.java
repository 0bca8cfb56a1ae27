package dev.berth.spi;

import java.io.InputStream;
import java.io.OutputStream;

/** A command that runs inside of a job. */
public interface Execution extends AutoCloseable {
  /** What the command reads; closed by the caller when there is no more. */
  OutputStream input();

  InputStream output();

  InputStream errors();

  /** Waits for the command's end; its exit code, 128+n for signal n. */
  int exitCode() throws InterruptedException;

  /** Ends the command if it runs. Idempotent. */
  @Override
  void close();
}
