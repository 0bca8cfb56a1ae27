package dev.berth.control.offers;

import dev.berth.decisions.OfferAnswer;
import dev.berth.decisions.OfferRequirement;
import dev.berth.model.Candidate;
import dev.berth.model.offers.OfferFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who asks for which offers, and what the backends said. Has neither threads nor a clock, and is
 * guarded by the lock of its cache.
 */
final class OfferBook {
  /** What the answer to everything is kept under. */
  private static final OfferRequirement.Items ANYTHING =
      new OfferRequirement.Items(List.of(OfferFilter.ANY), List.of(), null);

  private final Limits limits;
  private final LinkedHashMap<OfferRequirement, Question> questions = new LinkedHashMap<>();
  private final Map<Key, Lookup> lookups = new LinkedHashMap<>();

  /** Backends that did not answer in time when they were last asked. */
  private final Set<String> slow = new HashSet<>();

  private Map<String, Seller> sellers = new TreeMap<>();
  private long versions;
  private long sellersVersion;
  private long publishedVersion = -1;
  private Map<OfferRequirement, OfferAnswer> answers = Map.of();
  private boolean forgotWhoWaits;

  OfferBook(Limits limits) {
    this.limits = limits;
  }

  /** One question to one backend. Several requirements may share it. */
  private record Key(String backend, OfferRequirement.Items items) {}

  /** A question to a backend that has to be asked now. */
  record Call(Seller seller, OfferRequirement.Items items, Lookup lookup, Lookup.Flight flight) {}

  /** Says who sells; the answers of others are forgotten. */
  void sellers(Map<String, Seller> current) {
    if (!current.equals(sellers)) {
      sellers = new TreeMap<>(current);
      sellersVersion = ++versions;
    }
    lookups.entrySet().removeIf(entry -> isForgotten(entry.getKey(), entry.getValue()));
    slow.retainAll(sellers.keySet());
  }

  private boolean isForgotten(Key key, Lookup lookup) {
    boolean forgotten = !sellers.containsKey(key.backend());
    if (forgotten) {
      lookup.abandon("it was closed");
    }
    return forgotten;
  }

  /** Forgets all that a backend said, because another one of that name comes. */
  void forget(String backend) {
    lookups.entrySet().stream()
        .filter(entry -> entry.getKey().backend().equals(backend))
        .forEach(entry -> entry.getValue().abandon("it was opened anew"));
    lookups.keySet().removeIf(key -> key.backend().equals(backend));
    slow.remove(backend);
    sellersVersion = ++versions;
  }

  /** Ends every question that is open. */
  void abandonAll() {
    lookups.values().forEach(lookup -> lookup.abandon("the server closes"));
  }

  boolean isEmpty() {
    return sellers.isEmpty();
  }

  /** Somebody asks, and wants to see so many. */
  void use(OfferRequirement requirement, int depth, Instant now) {
    question(requirement, now).use(now, depth);
  }

  /** The loop asks; whether there is something to do now. */
  boolean want(OfferRequirement requirement, Instant since, Instant now) {
    Question question = question(requirement, now);
    question.use(now, limits.first());
    question.want(since, isCut(requirement), limits.most());
    return allowed(requirement).stream()
            .map(
                seller ->
                    dueAt(question, lookups.get(new Key(seller.key(), requirement.items())), now))
            .anyMatch(due -> due.isPresent())
        || !question.answer().settled();
  }

  private Question question(OfferRequirement requirement, Instant now) {
    Question known = questions.get(requirement);
    Question question = known == null ? new Question(now, limits.first()) : known;
    versions += known == null ? 1 : 0;
    questions.putLast(requirement, question);
    return question;
  }

  private List<Seller> allowed(OfferRequirement requirement) {
    return sellers.values().stream()
        .filter(seller -> requirement.allows(seller.key(), seller.type(), seller.abilities()))
        .toList();
  }

  private boolean isCut(OfferRequirement requirement) {
    return allowed(requirement).stream()
        .map(seller -> lookups.get(new Key(seller.key(), requirement.items())))
        .anyMatch(lookup -> lookup != null && lookup.good() != null && isCut(lookup.good()));
  }

  private boolean isCut(Lookup.Good good) {
    return good.found().cut() && good.depth() < limits.most();
  }

  /** When a backend has to be asked; empty where it has not. */
  private Optional<Instant> dueAt(Question question, @Nullable Lookup lookup, Instant now) {
    if (lookup == null || !lookup.wasAsked()) {
      return Optional.of(now);
    }
    if (lookup.flight() != null) {
      return Optional.empty();
    }
    Lookup.Good good = lookup.good();
    if (good != null && good.found().cut() && question.depth() > good.depth()) {
      return Optional.of(now);
    }
    Instant fresh = lookup.askedAt().plus(limits.fresh());
    boolean wanted =
        good == null
            || lookup.asOf().isBefore(question.since())
            || !question.usedAt().isBefore(fresh);
    return wanted ? Optional.of(fresh) : Optional.empty();
  }

  /** The next time at which there is something to do. */
  Optional<Instant> next(Instant now) {
    Optional<Instant> next = Optional.empty();
    Map<String, Integer> open = open();
    for (Map.Entry<OfferRequirement, Question> entry : questions.entrySet()) {
      next = earlier(next, entry.getValue().usedAt().plus(limits.keep()));
      for (Seller seller : allowed(entry.getKey())) {
        if (hasRoom(open, seller)) {
          Lookup lookup = lookups.get(new Key(seller.key(), entry.getKey().items()));
          Instant due = dueAt(entry.getValue(), lookup, now).orElse(null);
          next = due == null ? next : earlier(next, due);
        }
      }
    }
    for (Lookup lookup : lookups.values()) {
      Lookup.Flight flight = lookup.flight();
      if (flight != null) {
        next = earlier(next, flight.at(lookup.isLate() ? limits.giveUp() : limits.deadline()));
      }
    }
    return next;
  }

  private static Optional<Instant> earlier(Optional<Instant> one, Instant other) {
    return one.filter(at -> at.isBefore(other)).or(() -> Optional.of(other));
  }

  /** How many questions are open, by backend. */
  private Map<String, Integer> open() {
    Map<String, Integer> open = new HashMap<>();
    lookups.forEach(
        (key, lookup) -> {
          if (lookup.flight() != null) {
            open.merge(key.backend(), 1, Integer::sum);
          }
        });
    return open;
  }

  private boolean hasRoom(Map<String, Integer> open, Seller seller) {
    return open.getOrDefault(seller.key(), 0) < limits.atOnce();
  }

  /** What has to be asked now. Whoever gets it asks, and says what came of it. */
  List<Call> begin(Instant now) {
    forgetOld(now);
    endLate(now);
    List<Call> calls = new ArrayList<>();
    Map<String, Integer> open = open();
    for (Map.Entry<OfferRequirement, Question> entry : questions.entrySet()) {
      OfferRequirement.Items items = entry.getKey().items();
      for (Seller seller : allowed(entry.getKey())) {
        Lookup lookup = lookups.computeIfAbsent(new Key(seller.key(), items), _ -> new Lookup());
        boolean due =
            dueAt(entry.getValue(), lookup, now).filter(at -> !at.isAfter(now)).isPresent();
        if (due && hasRoom(open, seller)) {
          open.merge(seller.key(), 1, Integer::sum);
          calls.add(new Call(seller, items, lookup, begin(entry.getValue(), seller, lookup, now)));
        }
      }
    }
    return calls;
  }

  private Lookup.Flight begin(Question question, Seller seller, Lookup lookup, Instant now) {
    Lookup.Good good = lookup.good();
    int depth = good == null ? question.depth() : Math.max(question.depth(), good.depth());
    Lookup.Flight flight = lookup.begin(now, depth);
    if (slow.contains(seller.key())) {
      lookup.late(flight, "it is slow");
      lookup.changed(++versions);
    }
    return flight;
  }

  private void forgetOld(Instant now) {
    int before = questions.size();
    while (!questions.isEmpty()) {
      Map.Entry<OfferRequirement, Question> eldest = questions.firstEntry();
      boolean old = !eldest.getValue().usedAt().plus(limits.keep()).isAfter(now);
      if (!old && questions.size() <= limits.remembered()) {
        break;
      }
      forgotWhoWaits |= eldest.getValue().isWaiting();
      questions.pollFirstEntry();
      versions++;
    }
    if (before != questions.size()) {
      forgetUnasked();
    }
  }

  /** Answers that no question needs any more. */
  private void forgetUnasked() {
    Set<OfferRequirement.Items> asked = new HashSet<>();
    questions.keySet().forEach(requirement -> asked.add(requirement.items()));
    lookups
        .entrySet()
        .removeIf(
            entry -> entry.getValue().flight() == null && !asked.contains(entry.getKey().items()));
  }

  private void endLate(Instant now) {
    lookups.forEach(
        (key, lookup) -> {
          Lookup.Flight flight = lookup.flight();
          if (flight != null && flight.isOlder(limits.giveUp(), now)) {
            lookup.abandon("no answer for " + limits.giveUp().toSeconds() + " seconds");
            lookup.changed(++versions);
          } else if (flight != null && flight.isOlder(limits.deadline(), now) && !lookup.isLate()) {
            slow.add(key.backend());
            lookup.late(flight, "no answer within " + limits.deadline().toSeconds() + " seconds");
            lookup.changed(++versions);
          }
        });
  }

  void answered(Call call, BackendQuery.Found found, Instant now) {
    call.lookup().answered(call.flight(), found);
    call.lookup().changed(++versions);
    if (!call.flight().isOlder(limits.deadline(), now)) {
      slow.remove(call.seller().key());
    }
  }

  void failed(Call call, String sentence) {
    call.lookup().failed(call.flight(), sentence);
    call.lookup().changed(++versions);
  }

  /**
   * The answers as they are now, and whether the loop waits for one of them.
   *
   * @param answers the same map as before where nothing changed; it is never changed again
   */
  record Published(Map<OfferRequirement, OfferAnswer> answers, boolean tell) {}

  Published publish() {
    if (publishedVersion == versions) {
      return new Published(answers, false);
    }
    publishedVersion = versions;
    boolean tell = forgotWhoWaits;
    forgotWhoWaits = false;
    answers = new HashMap<>();
    for (Map.Entry<OfferRequirement, Question> entry : questions.entrySet()) {
      List<Seller> allowed = allowed(entry.getKey());
      if (entry.getValue().isOutdated(version(entry.getKey(), allowed))) {
        tell |= entry.getValue().replace(answer(entry.getKey(), allowed));
      }
      answers.put(entry.getKey(), entry.getValue().answer());
    }
    answers = Map.copyOf(answers);
    return new Published(answers, tell);
  }

  private long version(OfferRequirement requirement, List<Seller> allowed) {
    long newest = sellersVersion;
    for (Seller seller : allowed) {
      Lookup lookup = lookups.get(new Key(seller.key(), requirement.items()));
      newest = lookup == null ? newest : Math.max(newest, lookup.version());
    }
    return newest;
  }

  private OfferAnswer answer(OfferRequirement requirement, List<Seller> allowed) {
    boolean settled = true;
    boolean complete = true;
    Instant asOf = Instant.MAX;
    List<Candidate> candidates = new ArrayList<>();
    for (Seller seller : allowed) {
      Lookup lookup = lookups.get(new Key(seller.key(), requirement.items()));
      Lookup.Good good = lookup == null ? null : lookup.good();
      settled &= good != null || (lookup != null && lookup.isResolved());
      complete &= good != null && !isCut(good);
      Instant asked = lookup == null ? Instant.MIN : lookup.asOf();
      asOf = asked.isBefore(asOf) ? asked : asOf;
      candidates.addAll(good == null ? known(seller, requirement) : good.found().candidates());
    }
    candidates.sort(Candidate.CHEAPEST_FIRST);
    return new OfferAnswer(candidates, settled, complete, asOf);
  }

  /** Where a backend does not answer, what is known of it from an answer to everything. */
  private List<Candidate> known(Seller seller, OfferRequirement requirement) {
    Lookup everything = lookups.get(new Key(seller.key(), ANYTHING));
    Lookup.Good good = everything == null ? null : everything.good();
    return good == null
        ? List.of()
        : good.found().candidates().stream().filter(requirement.items()::match).toList();
  }

  /** For how long whoever needs answers should wait for more; zero where they are there. */
  Duration pause(List<OfferRequirement> requirements, Instant since, Instant now) {
    boolean found =
        requirements.stream()
            .anyMatch(
                requirement -> !answer(requirement, allowed(requirement)).candidates().isEmpty());
    Duration pause = Duration.ZERO;
    for (OfferRequirement requirement : requirements) {
      Question question = Objects.requireNonNull(questions.get(requirement), "it was asked");
      for (Seller seller : allowed(requirement)) {
        Lookup lookup = lookups.get(new Key(seller.key(), requirement.items()));
        Duration one = pause(question, seller, lookup, found, since, now);
        pause = one.compareTo(pause) > 0 ? one : pause;
      }
    }
    return pause;
  }

  private Duration pause(
      Question question,
      Seller seller,
      @Nullable Lookup lookup,
      boolean found,
      Instant since,
      Instant now) {
    Lookup.Flight flight = lookup == null ? null : lookup.flight();
    if (flight == null) {
      boolean there =
          lookup != null
              && !lookup.asOf().isBefore(since)
              && dueAt(question, lookup, now).filter(at -> !at.isAfter(now)).isEmpty();
      return there ? Duration.ZERO : limits.deadline();
    }
    Duration patience =
        !found ? limits.deadline() : slow.contains(seller.key()) ? Duration.ZERO : limits.soon();
    Duration left = Duration.between(now, flight.at(patience));
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The answer to a requirement, and how old it is, for people to read. */
  OfferListing listing(OfferRequirement requirement, Instant now) {
    Map<String, Instant> collectedAt = new HashMap<>();
    TreeMap<String, String> warnings = new TreeMap<>();
    long more = 0;
    List<Seller> allowed = allowed(requirement);
    for (Seller seller : allowed) {
      Lookup lookup = lookups.get(new Key(seller.key(), requirement.items()));
      Lookup.Good good = lookup == null ? null : lookup.good();
      Lookup.Failure failure = lookup == null ? null : lookup.failure();
      if (good != null) {
        collectedAt.put(seller.key(), good.found().collectedAt());
        more += good.found().total() - good.found().candidates().size();
      }
      if (failure != null && good != null) {
        warnings.put(
            seller.key(),
            "shows offers that are %d seconds old: %s"
                .formatted(
                    Math.max(0, Duration.between(good.askedAt(), now).toSeconds()),
                    failure.sentence()));
      } else if (good == null) {
        warnings.put(
            seller.key(),
            "has no offers to show: "
                + (failure == null ? "it has not answered yet" : failure.sentence()));
      }
    }
    OfferAnswer answer = answer(requirement, allowed);
    return new OfferListing(answer, answer.candidates().size() + more, collectedAt, warnings);
  }
}
