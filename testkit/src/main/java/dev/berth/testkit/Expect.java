package dev.berth.testkit;

import dev.berth.spi.BackendException;
import dev.berth.spi.Trait;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What checks say when a promise is broken. */
public final class Expect {
  private Expect() {}

  public static void that(boolean kept, String otherwise) {
    if (!kept) {
      throw new CheckFailure(otherwise);
    }
  }

  /**
   * Two values that must be equal.
   *
   * @param what a sentence that says where the actual one comes from and what it should be
   */
  public static void same(@Nullable Object expected, @Nullable Object actual, String what) {
    if (!Objects.equals(expected, actual)) {
      throw new CheckFailure(what + ": expected " + shown(expected) + ", got " + shown(actual));
    }
  }

  private static String shown(@Nullable Object value) {
    return value instanceof String text
        ? "\"" + text.replace("\n", "\\n") + "\""
        : String.valueOf(value);
  }

  /** A call that must be silent. */
  public static void silent(Runnable call, String otherwise) {
    try {
      call.run();
    } catch (RuntimeException thrown) {
      throw new CheckFailure(otherwise + "; it threw " + words(thrown), thrown);
    }
  }

  /** A call that must fail in one of some ways. */
  @SafeVarargs
  @SuppressWarnings("varargs") // only read
  public static BackendException thrown(
      Runnable call, String otherwise, Class<? extends BackendException>... expected) {
    String names =
        Arrays.stream(expected).map(Class::getSimpleName).collect(Collectors.joining(" or "));
    try {
      call.run();
    } catch (RuntimeException thrown) {
      if (thrown instanceof BackendException failure
          && Arrays.stream(expected).anyMatch(type -> type.isInstance(failure))) {
        return failure;
      }
      throw new CheckFailure(
          otherwise + ": throw BackendException." + names + ", not " + words(thrown), thrown);
    }
    throw new CheckFailure(
        otherwise + ": throw BackendException." + names + "; the call was silent");
  }

  /** A call that must be refused because the backend opted out of one of some traits. */
  public static void refused(Runnable call, String what, Trait... traits) {
    List<Trait> expected = List.of(traits);
    String advice =
        what
            + ": refuse it with BackendException.Unsupported for "
            + expected.stream().map(Trait::name).collect(Collectors.joining(" or "))
            + ", as requireOnly(...) does";
    try {
      call.run();
    } catch (BackendException.Unsupported refusal) {
      if (expected.contains(refusal.trait())) {
        return;
      }
      throw new CheckFailure(advice + "; it was refused for " + refusal.trait(), refusal);
    } catch (RuntimeException thrown) {
      throw new CheckFailure(advice + "; it threw " + words(thrown), thrown);
    }
    throw new CheckFailure(advice + "; it was silent");
  }

  /** An exception as it stands in a sentence. */
  static String words(Throwable thrown) {
    String name = thrown.getClass().getSimpleName();
    return thrown.getMessage() == null ? name : name + " \"" + thrown.getMessage() + "\"";
  }
}
