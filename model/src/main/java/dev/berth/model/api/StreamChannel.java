package dev.berth.model.api;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a message of a stream to a job is about. Every message is binary and begins with the number
 * of its channel; the numbers are those that Kubernetes uses.
 */
public enum StreamChannel {
  /** Bytes for the command or the port. */
  INPUT(0),
  /** Bytes that the command wrote to its output, or that came from the port. */
  OUTPUT(1),
  /** Bytes that the command wrote to its errors. */
  ERRORS(2),
  /** The end of all, as JSON: a {@link StreamOutcome}. */
  OUTCOME(3),
  /** The channel whose number follows has ended. */
  END(255);

  /** The most bytes that one message may carry besides the number of its channel. */
  public static final int LARGEST_MESSAGE = 64 * 1024;

  private final int number;

  StreamChannel(int number) {
    this.number = number;
  }

  /** The first byte of a message. */
  public byte code() {
    return (byte) number;
  }

  /** The channel of a first byte; empty where there is none of that number. */
  public static Optional<StreamChannel> find(byte code) {
    return Arrays.stream(values()).filter(channel -> channel.code() == code).findFirst();
  }
}
