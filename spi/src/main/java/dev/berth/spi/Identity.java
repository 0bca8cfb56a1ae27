package dev.berth.spi;

import java.time.Duration;

/**
 * How a provider lets us know again what we asked it to make, and when it shows it. Decides what is
 * safe after a call whose outcome is not clear, and what it means that something is not shown.
 */
public sealed interface Identity {
  /**
   * How long after it was made something may be missing from {@link Provisioner#describe}, {@link
   * Provisioner#list}, {@link JobRuntime#observe} and {@link JobRuntime#list}; zero where reads
   * never lag. What is not shown counts as gone only after that, and if two looks in a row did not
   * show it.
   */
  Duration visibleWithin();

  /**
   * The same for {@link Provisioner#describe} and {@link JobRuntime#observe} alone, which ask by an
   * id or a key: the lists of many providers lag longer.
   */
  default Duration describedWithin() {
    return visibleWithin();
  }

  /**
   * The provider takes our key as the token of the request: asked twice, it makes one and answers
   * with the same.
   */
  record Token(Duration visibleWithin) implements Identity {
    public Token {
      requireTime(visibleWithin);
    }

    /** Of a provider whose reads never lag. */
    public Token() {
      this(Duration.ZERO);
    }
  }

  /**
   * Our key is the name, or in it, and the provider refuses a second one of that name: {@link
   * Provisioner#create} then answers with the one that is there, once its marks say that it is
   * ours, and otherwise with {@link BackendException.NameTaken}.
   */
  record UniqueName(Duration visibleWithin) implements Identity {
    public UniqueName {
      requireTime(visibleWithin);
    }

    /** Of a provider whose reads never lag. */
    public UniqueName() {
      this(Duration.ZERO);
    }
  }

  /**
   * The key is only a mark that can be looked for, so asking twice makes two. Nothing is asked
   * again before the call's deadline and the delay of reads have passed and two looks were empty;
   * of several that are found, one is kept.
   *
   * @param callDeadline how long after it was sent a request may still take effect
   * @param describedWithin not longer than visibleWithin
   */
  record Lookup(Duration visibleWithin, Duration callDeadline, Duration describedWithin)
      implements Identity {
    public Lookup {
      requireTime(visibleWithin);
      requireTime(callDeadline);
      requireTime(describedWithin);
      if (describedWithin.compareTo(visibleWithin) > 0) {
        throw new IllegalArgumentException(
            "what is described later than listed is not visible within " + visibleWithin);
      }
    }

    /** Of a provider all of whose reads lag alike. */
    public Lookup(Duration visibleWithin, Duration callDeadline) {
      this(visibleWithin, callDeadline, visibleWithin);
    }
  }

  private static void requireTime(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("a delay is not negative: " + time);
    }
  }
}
