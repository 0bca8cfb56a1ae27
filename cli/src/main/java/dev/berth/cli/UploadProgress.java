package dev.berth.cli;

import dev.berth.client.files.Uploader;
import java.io.Console;
import java.io.PrintWriter;

/** Shows on a terminal how far an upload is; elsewhere only what breaks. */
final class UploadProgress implements Uploader.Progress {
  private static final long MEBIBYTE = 1 << 20;

  private final PrintWriter err;
  private final boolean terminal;
  private boolean shown;

  @SuppressWarnings("SystemConsoleNull") // it is, with the console that the launcher chooses
  UploadProgress(PrintWriter err) {
    this.err = err;
    Console console = System.console();
    this.terminal = console != null && console.isTerminal();
  }

  @Override
  public void sent(long bytes, long of) {
    // What is there already, or is sent in a moment, needs no line.
    if (terminal && (shown || bytes < of) && of > MEBIBYTE) {
      err.print(
          "\rberth: files %3d %% of %d MiB "
              .formatted(100 * bytes / of, Math.ceilDiv(of, MEBIBYTE)));
      err.flush();
      shown = true;
    }
  }

  @Override
  public void broken(String sentence) {
    end();
    err.println("berth: the upload was interrupted and is being resumed: " + sentence);
    err.flush();
  }

  /** Leaves the line. */
  void end() {
    if (shown) {
      err.println();
      err.flush();
      shown = false;
    }
  }
}
