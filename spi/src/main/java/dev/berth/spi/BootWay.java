package dev.berth.spi;

import java.nio.charset.StandardCharsets;

/** How a machine is told at its creation what to do first. */
public sealed interface BootWay {
  /**
   * How many bytes of UTF-8 the provider takes, before any encoding that its API asks for; 0 where
   * it takes nothing.
   */
  int maxBytes();

  /**
   * Refuses a text that cannot be handed over.
   *
   * @throws BackendException.Permanent where it is too long
   */
  default void require(String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > maxBytes()) {
      throw new BackendException.Permanent(
          "what the machine does first is a text of %d bytes, and its provider takes at most %d"
              .formatted(bytes, maxBytes()),
          null);
    }
  }

  /** User data of cloud-init: a cloud-config, or a script that begins with {@code #!}. */
  record CloudInit(int maxBytes) implements BootWay {
    /** At most 16 KB, as most clouds take it. */
    public static final CloudInit USUAL = new CloudInit(16 * 1024);

    public CloudInit {
      requireSome(maxBytes);
    }
  }

  /** A script that begins with {@code #!}, which root runs once after the first boot. */
  record Script(int maxBytes) implements BootWay {
    public Script {
      requireSome(maxBytes);
    }
  }

  /** Nothing can be handed over: Berth logs in after the boot, with its key, and does the rest. */
  record OverSsh() implements BootWay {
    @Override
    public int maxBytes() {
      return 0;
    }
  }

  private static void requireSome(int maxBytes) {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("a provider that takes no text says OverSsh");
    }
  }
}
