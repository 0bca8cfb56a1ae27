package dev.berth.testkit.fake;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All that exists at a fake cloud and all that ever existed there, whatever its lists show.
 *
 * @param at when it was taken
 * @param entries in the order in which they came to be
 */
public record FakeInventory(Instant at, List<Entry> entries) {
  public FakeInventory {
    entries = List.copyOf(entries);
  }

  /**
   * One thing, from when it came to be until it was gone.
   *
   * @param body what it is now, or was at last
   * @param to null while it exists
   * @param bills when it cost money
   */
  public record Entry(
      String kind, String id, JsonNode body, Instant from, @Nullable Instant to, List<Bill> bills) {
    public Entry {
      bills = List.copyOf(bills);
    }

    public boolean exists() {
      return to == null;
    }

    /** How long it cost money until a moment. */
    public Duration billed(Instant until) {
      Duration sum = Duration.ZERO;
      for (Bill bill : bills) {
        Instant end = bill.to() == null ? until : bill.to();
        sum = sum.plus(Duration.between(bill.from(), end));
      }
      return sum;
    }
  }

  /**
   * A time that costs money.
   *
   * @param to null while it goes on
   */
  public record Bill(Instant from, @Nullable Instant to) {}

  /** What exists of a kind. */
  public List<Entry> existing(String kind) {
    return entries.stream().filter(entry -> entry.exists() && entry.kind().equals(kind)).toList();
  }

  /** What exists and costs money: what a test that cleaned up must not leave behind. */
  public List<Entry> leftovers() {
    return entries.stream()
        .filter(Entry::exists)
        .filter(entry -> entry.bills().stream().anyMatch(bill -> bill.to() == null))
        .toList();
  }

  static FakeInventory of(FakeStore store, Instant now, Map<String, Predicate<JsonNode>> billing) {
    List<Entry> entries = new ArrayList<>();
    for (FakeStore.Line line : store.all()) {
      Predicate<JsonNode> bills = billing.getOrDefault(line.kind(), _ -> true);
      entries.addAll(lives(line, now, bills));
    }
    return new FakeInventory(now, entries);
  }

  /** A thing may have come back under its old id, which is another life. */
  private static List<Entry> lives(FakeStore.Line line, Instant now, Predicate<JsonNode> billing) {
    List<Entry> lives = new ArrayList<>();
    JsonNode body = null;
    Instant from = now;
    List<Bill> bills = new ArrayList<>();
    Instant billedFrom = null;
    for (FakeStore.Version version : line.versions()) {
      if (version.at().isAfter(now)) {
        break;
      }
      JsonNode next = version.body();
      boolean costs = next != null && billing.test(next);
      if (billedFrom != null && !costs) {
        bills.add(new Bill(billedFrom, version.at()));
        billedFrom = null;
      } else if (billedFrom == null && costs) {
        billedFrom = version.at();
      }
      if (body == null && next != null) {
        from = version.at();
      } else if (body != null && next == null) {
        lives.add(new Entry(line.kind(), line.id(), body, from, version.at(), bills));
        bills = new ArrayList<>();
      }
      body = next;
    }
    if (body != null) {
      if (billedFrom != null) {
        bills.add(new Bill(billedFrom, null));
      }
      lives.add(new Entry(line.kind(), line.id(), body, from, null, bills));
    }
    return lives;
  }
}
