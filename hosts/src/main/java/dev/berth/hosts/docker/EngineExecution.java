package dev.berth.hosts.docker;

import dev.berth.spi.BackendException;
import dev.berth.spi.Execution;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A command inside of a container. A thread takes the two streams of output apart; when one of them
 * is not read, the other waits once the first has filled its buffer.
 */
public final class EngineExecution implements Execution {
  private static final System.Logger LOGGER = System.getLogger(EngineExecution.class.getName());
  private static final int BUFFER = 256 * 1024;

  /**
   * Engines tell the end of the output a moment before they know the exit code; on a busy machine
   * that takes seconds.
   */
  private static final int LOOKS = 1200;

  private static final long BETWEEN_LOOKS_MS = 25;

  private final EngineResponse response;
  private final Supplier<State> state;
  private final Runnable end;
  private final PipedInputStream output = new PipedInputStream(BUFFER);
  private final PipedInputStream errors = new PipedInputStream(BUFFER);
  private final CountDownLatch ended = new CountDownLatch(1);

  /** What the engine knows of it. */
  record State(boolean running, int exitCode) {}

  /**
   * Takes over an open stream.
   *
   * @param end ends the command: the engine has no call for that
   */
  EngineExecution(EngineResponse response, Supplier<State> state, Runnable end) {
    this.response = response;
    this.state = state;
    this.end = end;
    try {
      PipedOutputStream toOutput = new PipedOutputStream(output);
      PipedOutputStream toErrors = new PipedOutputStream(errors);
      Thread.ofVirtual().name("exec-output").start(() -> takeApart(toOutput, toErrors));
    } catch (IOException failure) {
      throw new EngineException(
          EngineException.NO_ANSWER, "the output of a command cannot be taken", failure);
    }
  }

  private void takeApart(PipedOutputStream toOutput, PipedOutputStream toErrors) {
    try (toOutput;
        toErrors) {
      LogFrames frames = new LogFrames(response.body());
      for (Optional<LogFrames.Frame> next = frames.next(); next.isPresent(); next = frames.next()) {
        PipedOutputStream target = next.get().errors() ? toErrors : toOutput;
        target.write(next.get().bytes());
        target.flush();
      }
    } catch (IOException closed) {
      LOGGER.log(System.Logger.Level.DEBUG, "The output of a command was cut off", closed);
    } finally {
      ended.countDown();
    }
  }

  @Override
  public OutputStream input() {
    return new OutputStream() {
      @Override
      public void write(int single) throws IOException {
        write(new byte[] {(byte) single});
      }

      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
          response.channel().write(buffer);
        }
      }

      @Override
      public void close() throws IOException {
        if (response.channel().isOpen()) {
          response.channel().shutdownOutput();
        }
      }
    };
  }

  @Override
  public InputStream output() {
    return output;
  }

  @Override
  public InputStream errors() {
    return errors;
  }

  @Override
  public int exitCode() throws InterruptedException {
    ended.await();
    State seen = look();
    for (int look = 0; seen.running() && look < LOOKS; look++) {
      TimeUnit.MILLISECONDS.sleep(BETWEEN_LOOKS_MS);
      seen = look();
    }
    if (seen.running()) {
      throw new BackendException.Transient(
          "the connection to the command was lost while it runs", null);
    }
    return seen.exitCode();
  }

  private State look() {
    try {
      return state.get();
    } catch (EngineException failure) {
      throw failure.isAbsent()
          ? new BackendException.Gone("the container of the command is gone", failure)
          : new BackendException.Transient(
              "how the command ended is not known: " + failure.words(), failure);
    }
  }

  @Override
  public void close() {
    if (ended.getCount() > 0) {
      end.run();
    }
    try {
      response.close();
      // Whoever puts output there would wait for a reader otherwise.
      output.close();
      errors.close();
    } catch (IOException failure) {
      LOGGER.log(System.Logger.Level.WARNING, "A command's channel does not close", failure);
    }
  }
}
