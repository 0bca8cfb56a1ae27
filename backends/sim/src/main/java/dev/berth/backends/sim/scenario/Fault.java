package dev.berth.backends.sim.scenario;

import dev.berth.model.Refusal;
import dev.berth.spi.config.Setting;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Something that goes wrong, by chance or at certain calls. */
public record Fault(
    @Setting("The kind of fault.") Kind kind,
    @Setting(
            "The operation that it affects; by default every operation that it can affect, except"
                + " those that set up a backend.")
        @Nullable Operation operation,
    @Setting(value = "Its probability at each call, from 0 to 1.", fallback = "0")
        double probability,
    @Setting(value = "The calls at which it always happens, counted from 1 for each operation.")
        List<Integer> calls,
    @Setting(
            value = "When it starts, counted from the first opening of the cloud.",
            fallback = "0s")
        Duration after,
    @Setting("When it ends, counted from the first opening of the cloud.") @Nullable Duration until,
    @Setting(
            value =
                "How long reads lag or lists are stale, how long a slow delete takes, how long a"
                    + " rate-limited caller must wait, or after how long a request is refused.",
            fallback = "5s")
        Duration lasts,
    @Setting("The reason of a late refusal; by default no_capacity.") @Nullable Refusal reason) {
  public Fault {
    calls = List.copyOf(calls);
    if (!(probability >= 0 && probability <= 1)) {
      throw new IllegalArgumentException(
          "has a probability of " + probability + "; write a number from 0 to 1");
    }
    if (probability == 0 && calls.isEmpty()) {
      throw new IllegalArgumentException("never happens; write 'probability' or 'calls'");
    }
    if (reason != null && kind != Kind.LATE_REFUSAL) {
      throw new IllegalArgumentException("has a 'reason', which only 'late_refusal' has");
    }
    if (operation != null && !kind.operations().contains(operation)) {
      throw new IllegalArgumentException(
          "cannot happen to '%s'; '%s' happens to %s"
              .formatted(operation.word(), kind.word(), kind.words()));
    }
  }

  /** Why a request is refused late. */
  public Refusal refusal() {
    return Objects.requireNonNullElse(reason, Refusal.NO_CAPACITY);
  }

  /** Whether what is new is missing from reads because of it. */
  boolean isLag() {
    return kind == Kind.LAGGING_LIST || kind == Kind.LAGGING_DESCRIBE;
  }

  /** Whether it can happen to a call. */
  public boolean concerns(Operation called) {
    return operation == null
        ? kind.operations().contains(called) && !called.isSetUp()
        : operation == called;
  }

  /** Whether it can happen at a time, since the cloud was opened first. */
  public boolean isDue(Duration time) {
    return time.compareTo(after) >= 0 && (until == null || time.compareTo(until) < 0);
  }

  /** What can go wrong. */
  public enum Kind {
    /** The call is carried out, and no answer comes. */
    TIMEOUT_THOUGH_CREATED(Sets.CHANGING),
    /** The call is carried out, and the answer says that it failed. */
    ERROR_THOUGH_CREATED(Sets.CHANGING),
    /** The call is not carried out, and the answer says no more than that it failed. */
    ERROR(EnumSet.allOf(Operation.class)),
    /** One call is carried out twice; where the key is a token or a name, that makes one. */
    CREATED_TWICE(Sets.MAKING),
    /** What is new is missing from a list. */
    LAGGING_LIST(Sets.LISTING),
    /** What is new is not known to whoever asks for it by its id or key, or deletes it. */
    LAGGING_DESCRIBE(EnumSet.of(Operation.DESCRIBE, Operation.OBSERVE, Operation.DELETE)),
    /** What is gone is shown by a list, as it was. */
    STALE_LIST(Sets.LISTING),
    RATE_LIMITED(EnumSet.allOf(Operation.class)),
    QUOTA(Sets.MAKING),
    NO_CAPACITY(Sets.MAKING),
    /** The request is accepted, and refused before the thing is ready: nothing is made. */
    LATE_REFUSAL(EnumSet.of(Operation.CREATE)),
    /** A thing's delete or a job's removal is accepted, and nothing happens. */
    LOST_DELETE(EnumSet.of(Operation.DELETE, Operation.REMOVE)),
    SLOW_DELETE(EnumSet.of(Operation.DELETE)),
    /** What is made becomes ready, but nobody can reach it. */
    UNREACHABLE_HOST(Sets.MAKING);

    private final Set<Operation> operations;

    Kind(Set<Operation> operations) {
      this.operations = operations;
    }

    Set<Operation> operations() {
      return operations;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private String words() {
      return String.join(", ", operations.stream().map(Operation::word).toList());
    }
  }

  private static final class Sets {
    static final Set<Operation> MAKING = EnumSet.of(Operation.CREATE, Operation.START);
    static final Set<Operation> LISTING = EnumSet.of(Operation.LIST, Operation.LIST_JOBS);
    static final Set<Operation> CHANGING =
        Arrays.stream(Operation.values())
            .filter(Operation::isChanging)
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Operation.class)));
  }
}
