package dev.berth.testkit.fake;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The faults that meet one call, in the order in which they were set up. */
record FaultsOfCall(List<FakeFault> faults) {
  /** Names of what asks for a page that is not the first, in the APIs of most vendors. */
  private static final Set<String> PAGES =
      Set.of("page", "cursor", "page_token", "pageToken", "after", "offset", "next", "marker");

  FaultsOfCall {
    faults = List.copyOf(faults);
  }

  /** Thrown to close the connection without an answer. */
  static final class Lost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Lost() {
      super("the answer is lost", null, false, false);
    }
  }

  /** What happens before the effect. */
  void before(FakeRequest request) {
    for (FakeFault fault : faults) {
      switch (fault) {
        case FakeFault.LostBefore _ -> throw new Lost();
        case FakeFault.Refused(int status, String code, String message) ->
            throw new FakeRefusal(status, code, message);
        case FakeFault.TooMany(Duration retryAfter) -> throw FakeRefusal.tooMany(retryAfter);
        case FakeFault.MissingPage _ -> {
          if (asksForAnotherPage(request)) {
            throw FakeRefusal.notFound("there is no such page");
          }
        }
        case FakeFault.LostAfter _,
            FakeFault.RefusedAfter _,
            FakeFault.Meanwhile _,
            FakeFault.HalfWay _,
            FakeFault.RefusedLater _,
            FakeFault.Lagging _ -> {}
      }
    }
  }

  private static boolean asksForAnotherPage(FakeRequest request) {
    return PAGES.stream()
        .flatMap(name -> request.asked(name).stream())
        .anyMatch(page -> !page.isEmpty() && !page.equals("0") && !page.equals("1"));
  }

  /** What happens before a change, of which a call may make several. */
  void beforeChange(int number) {
    for (FakeFault fault : faults) {
      if (fault instanceof FakeFault.HalfWay(int changes) && number >= changes) {
        throw new HalfWayReached();
      }
    }
  }

  /** Thrown by the change behind which a call fails, whose changes stay. */
  static final class HalfWayReached extends RuntimeException {
    private static final long serialVersionUID = 1L;

    HalfWayReached() {
      super("the call fails half way", null, false, false);
    }
  }

  /** What happens behind the effect, before the answer. */
  void after() {
    for (FakeFault fault : faults) {
      switch (fault) {
        case FakeFault.LostAfter _ -> throw new Lost();
        case FakeFault.RefusedAfter(int status, String code, String message) ->
            throw new FakeRefusal(status, code, message);
        case FakeFault.LostBefore _,
            FakeFault.Meanwhile _,
            FakeFault.Refused _,
            FakeFault.TooMany _,
            FakeFault.MissingPage _,
            FakeFault.HalfWay _,
            FakeFault.RefusedLater _,
            FakeFault.Lagging _ -> {}
      }
    }
  }

  /** What happens besides, before the answer is given or lost. */
  void meanwhile() {
    for (FakeFault fault : faults) {
      if (fault instanceof FakeFault.Meanwhile(Runnable what)) {
        what.run();
      }
    }
  }

  Optional<String> refusedLater() {
    return faults.stream()
        .filter(FakeFault.RefusedLater.class::isInstance)
        .map(fault -> ((FakeFault.RefusedLater) fault).reason())
        .findFirst();
  }

  Duration lag() {
    Duration longest = Duration.ZERO;
    for (FakeFault fault : faults) {
      if (fault instanceof FakeFault.Lagging(Duration lag) && lag.compareTo(longest) > 0) {
        longest = lag;
      }
    }
    return longest;
  }
}
