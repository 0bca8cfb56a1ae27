package dev.berth.testkit.checks;

import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.Area;
import dev.berth.testkit.Check;
import dev.berth.testkit.CheckFailure;
import dev.berth.testkit.Expect;
import dev.berth.testkit.Part;
import dev.berth.testkit.Trial;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** How things are known again by their keys. */
final class IdentityChecks {
  private static final int AT_ONCE = 4;

  static final List<Check> ALL =
      List.of(
          check(
                  "create-same-key-same-thing",
                  "Asked twice with one key, create() makes one thing and answers with it both"
                      + " times.",
                  IdentityChecks::sameKey)
              .needing(Part.THINGS, Part.KEYED),
          check(
                  "create-same-key-when-ready",
                  "Asked again with the key of a thing that is READY, create() answers with it.",
                  IdentityChecks::whenReady)
              .needing(Part.THINGS, Part.KEYED),
          check(
                  "create-same-key-after-restart",
                  "A key is known again by a server that was started after the thing was made.",
                  IdentityChecks::afterRestart)
              .needing(Part.THINGS, Part.KEYED),
          check(
                  "create-at-once-makes-one",
                  "Several calls of create() with one key at one time make one thing.",
                  IdentityChecks::atOnce)
              .needing(Part.THINGS, Part.KEYED),
          check(
                  "create-never-takes-what-others-own",
                  "With a key that another installation used at the same account, create() makes"
                      + " a thing of its own, or throws NameTaken.",
                  IdentityChecks::ofOthers)
              .needing(Part.THINGS),
          check(
                  "create-two-keys-two-things",
                  "Two keys are two things with ids of their own.",
                  IdentityChecks::twoKeys)
              .needing(Part.THINGS),
          check(
                  "lookup-finds-all-of-a-key",
                  "Asked twice with one key, a backend that looks up makes two, and find() shows"
                      + " both.",
                  IdentityChecks::findsAll)
              .needing(Part.THINGS, Part.LOOKUP),
          check(
                  "lookup-delay-is-kept",
                  "A thing is found by its key not later than visibleWithin after it was made.",
                  IdentityChecks::delayKept)
              .needing(Part.THINGS, Part.LOOKUP));

  private IdentityChecks() {}

  private static Check check(String name, String sentence, Check.Body body) {
    return Check.of(Area.IDENTITY, name, sentence, body);
  }

  private static void sameKey(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef first = trial.things().create(request).ref();
    ResourceRef second = trial.things().create(request).ref();
    Expect.that(
        first.id().equals(second.id()),
        "create() with the same key answered with another thing: send the key as the request's"
            + " token or name, or declare an Identity.Lookup");
    Expect.same(
        1, trial.things().awaitListed(request.key(), 1).size(), "things that carry one key");
  }

  private static void whenReady(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef first = trial.things().create(request).ref();
    trial.things().awaitReady(first);
    Expect.that(
        first.id().equals(trial.things().create(request).ref().id()),
        "create() with the key of a thing that is READY made another one");
  }

  private static void afterRestart(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef first = trial.things().create(request).ref();
    Provisioner again =
        trial
            .reopened()
            .provisioner()
            .orElseThrow(() -> new CheckFailure("provisioner() is empty when opened again"));
    Expect.that(
        first.id().equals(trial.things().create(again, request).ref().id()),
        "create() with a key that an earlier server used made another thing: keys must be known"
            + " by the provider, not by this process");
  }

  private static void atOnce(Trial trial) throws Exception {
    CreateRequest request = trial.things().sample(trial.key());
    Callable<Found> create = () -> trial.things().create(request);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Found>> answers = threads.invokeAll(Collections.nCopies(AT_ONCE, create));
      String id = answers.getFirst().get().ref().id();
      for (Future<Found> answer : answers) {
        Expect.that(
            id.equals(answer.get().ref().id()),
            "calls of create() with one key at one time made several things");
      }
    }
    trial.things().awaitListed(request.key(), 1);
  }

  private static void twoKeys(Trial trial) {
    ResourceRef first = trial.things().create(trial.things().sample(trial.key())).ref();
    ResourceRef second = trial.things().create(trial.things().sample(trial.key())).ref();
    Expect.that(
        !first.id().equals(second.id()), "create() answered two keys with one and the same thing");
  }

  private static void ofOthers(Trial trial) {
    String key = trial.key();
    Found theirs = trial.things().create(trial.things().sample(key, trial.stranger()));
    try {
      Found made = trial.things().create(trial.things().sample(key));
      Expect.that(
          !made.ref().id().equals(theirs.ref().id()),
          "create() answered with a thing of another installation that has the same name: look at"
              + " its marks, and throw NameTaken unless they are the request's");
    } catch (BackendException.NameTaken e) {
      trial.pass(trial.things().visibleWithin());
      Expect.that(
          trial.things().keyed(trial.owner(), key).isEmpty(),
          "create() threw NameTaken, and something was made all the same");
    }
  }

  private static void findsAll(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    ResourceRef first = trial.things().create(request).ref();
    ResourceRef second = trial.things().create(request).ref();
    Expect.that(
        !first.id().equals(second.id()),
        "create() knows the key again: declare Identity.Token or UniqueName, which is better");
    trial.things().awaitListed(request.key(), 2);
    Expect.same(
        2,
        trial
            .things()
            .provisioner()
            .find(trial.owner(), request.key(), trial.place().region())
            .size(),
        "find() must show all things that carry the key, so that the extra ones can be deleted");
  }

  private static void delayKept(Trial trial) {
    CreateRequest request = trial.things().sample(trial.key());
    trial.things().create(request);
    trial.pass(trial.things().visibleWithin());
    Expect.same(
        1,
        trial.things().keyed(trial.owner(), request.key()).size(),
        "list() must show a thing once visibleWithin has passed; make it longer where the provider"
            + " needs longer");
  }
}
