package dev.berth.server.logging;

import dev.berth.control.LogScope;
import dev.berth.model.config.ServerConfiguration.LogFormat;
import dev.berth.model.config.ServerConfiguration.LogLevel;
import java.io.OutputStream;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.StreamHandler;

/** Sends everything that is logged to one stream, an event a line. */
public final class ServerLog {
  /** What the libraries say about themselves is not for our log. Kept, or settings get lost. */
  private static final Logger[] QUIET = {
    Logger.getLogger("io.javalin"), Logger.getLogger("org.eclipse.jetty")
  };

  private ServerLog() {}

  /** From now on all of this process logs to a stream, in a format. */
  public static void configure(LogFormat format, LogLevel level, OutputStream out) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      root.removeHandler(handler);
    }
    Handler lines = new Lines(out, formatter(format));
    root.addHandler(lines);
    root.setLevel(Level.INFO);
    // Only what is ours is worth more lines than usual.
    OURS.setLevel(levelOf(level));
    lines.setLevel(Level.ALL);
    if (level == LogLevel.ERROR || level == LogLevel.WARNING) {
      root.setLevel(levelOf(level));
    }
    for (Logger quiet : QUIET) {
      quiet.setLevel(level == LogLevel.ERROR ? Level.SEVERE : Level.WARNING);
    }
  }

  private static final Logger OURS = Logger.getLogger("dev.berth");

  static Formatter formatter(LogFormat format) {
    return new Formatter() {
      @Override
      public String format(LogRecord record) {
        LogLine line = LogLine.of(record, formatMessage(record), LogScope.fields());
        return switch (format) {
          case TEXT -> line.text();
          case JSON -> line.json();
        };
      }
    };
  }

  private static Level levelOf(LogLevel level) {
    return switch (level) {
      case ERROR -> Level.SEVERE;
      case WARNING -> Level.WARNING;
      case INFO -> Level.INFO;
      case DEBUG -> Level.FINE;
    };
  }

  /** A line is seen when it is logged, and not when a buffer is full. */
  private static final class Lines extends StreamHandler {
    Lines(OutputStream out, Formatter formatter) {
      super(out, formatter);
    }

    @Override
    public synchronized void publish(LogRecord record) {
      super.publish(record);
      flush();
    }

    /** The stream is not ours to close. */
    @Override
    public synchronized void close() {
      flush();
    }
  }
}
