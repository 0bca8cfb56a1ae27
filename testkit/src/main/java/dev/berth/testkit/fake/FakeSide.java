package dev.berth.testkit.fake;

import dev.berth.testkit.ProviderSide;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** A fake cloud as the conformance kit looks at it. */
record FakeSide(FakeProvider provider, int page) implements ProviderSide {
  private static final int UNAVAILABLE = 503;

  @Override
  public List<Existing> existing() {
    return provider.inventory().leftovers().stream()
        .map(entry -> new Existing(entry.kind(), entry.id()))
        .toList();
  }

  @Override
  public Map<String, Long> everMade() {
    Map<String, Long> made = new TreeMap<>();
    provider.inventory().entries().stream()
        .filter(entry -> !entry.bills().isEmpty())
        .forEach(entry -> made.merge(entry.kind(), 1L, Long::sum));
    return made;
  }

  @Override
  public OptionalInt pageSize() {
    return page == 0 ? OptionalInt.empty() : OptionalInt.of(page);
  }

  @Override
  public Optional<Faults> faults() {
    return Optional.of(
        (calls, number, failure) -> {
          FaultRule rule = FaultRule.of(fault(failure)).in(scope(calls)).atCall(number);
          FakeFaults.Injected injected = provider.faults().add(rule);
          return new Injected() {
            @Override
            public boolean hasHappened() {
              return injected.count() > 0;
            }

            @Override
            public void close() {
              injected.close();
            }
          };
        });
  }

  private static FaultRule.Scope scope(Calls calls) {
    return switch (calls) {
      case READS -> FaultRule.Scope.READS;
      case WRITES -> FaultRule.Scope.WRITES;
    };
  }

  private static FakeFault fault(Failure failure) {
    return switch (failure) {
      case LOST_BEFORE -> new FakeFault.LostBefore();
      case LOST_AFTER -> new FakeFault.LostAfter();
      case UNAVAILABLE -> new FakeFault.Refused(UNAVAILABLE, "unavailable", "try again later");
      case TOO_MANY -> new FakeFault.TooMany(RETRY_AFTER);
    };
  }
}
