package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * What is done about things that carry our mark and that nobody knows: people are told, and after a
 * while and a second look they are deleted.
 */
final class Sweep {
  /** For so long somebody may come who knows it. */
  static final Duration GRACE = Duration.ofMinutes(30);

  /** So many complete looks must have shown it. */
  static final int SIGHTINGS = 2;

  private Sweep() {}

  static void decide(Draft draft, Message.Swept swept, Instant now) {
    Map<String, Resource> known = new HashMap<>();
    for (Resource resource : draft.active(Resource.class)) {
      if (resource.ownerId().isEmpty() && resource.backend().equals(swept.backend())) {
        known.put(nameOf(resource), resource);
      }
    }
    for (Message.Swept.Stranger stranger : swept.strangers()) {
      Resource before = known.remove(nameOf(stranger));
      if (before == null) {
        meet(draft, swept.backend(), stranger, now);
      } else if (before.phase() == Resource.State.IN_DOUBT) {
        again(draft, before.looked(), now);
      } else if (before.type() == Resource.Type.JOB) {
        ResourceLife.sweep(draft, before.repeated(), now);
      }
    }
    swept.doubled().forEach(key -> doubled(draft, swept.backend(), key, known, now));
    // Of things that are being deleted the provider itself says when they are gone.
    known.values().stream()
        .filter(
            resource ->
                resource.phase() == Resource.State.IN_DOUBT
                    || (resource.type() == Resource.Type.JOB && resource.actionId() == null))
        .forEach(resource -> ResourceLife.gone(draft, resource));
  }

  /** A provider runs a job of ours more than once. */
  private static void doubled(
      Draft draft, String backend, String key, Map<String, Resource> known, Instant now) {
    Attempt attempt = draft.find(Attempt.class, key).filter(Attempt::active).orElse(null);
    if (attempt != null) {
      Doubts.doubled(draft, attempt, now);
      return;
    }
    if (!known.containsKey(key + "~" + EXTRA.id())) {
      // What has ended is kept for its output, and what still runs beside it is ended.
      Resource record =
          new Resource(
              idOf(key, EXTRA, now),
              "",
              "",
              backend,
              Resource.Type.JOB,
              Resource.State.PRESENT,
              EXTRA,
              null,
              null);
      ResourceLife.kill(draft, record, now);
      draft.event("resource.extra", record, Event.SERVER, Map.of("backend", backend));
    }
  }

  /** Stands for the other jobs of a key. */
  private static final Resource.Ref EXTRA = new Resource.Ref("extra", "", Map.of());

  /** What is the same for one thing however often it is met. */
  private static String nameOf(Resource resource) {
    return resource.id().substring(0, resource.id().lastIndexOf('~'));
  }

  private static String nameOf(Message.Swept.Stranger stranger) {
    return stranger.key() + "~" + stranger.ref().id();
  }

  /** The id of a record for something that has no owner; it is met once under that id. */
  static String idOf(String key, Resource.Ref ref, Instant now) {
    return key + "~" + ref.id() + "~" + Long.toString(now.toEpochMilli(), 36);
  }

  private static void meet(
      Draft draft, String backend, Message.Swept.Stranger stranger, Instant now) {
    Resource of = draft.find(Resource.class, stranger.key()).orElse(null);
    if (of != null && of.active() && !isAnother(of, stranger)) {
      // It may be what is asked for, or looked for, right now.
      return;
    }
    if (of != null && of.active() && stranger.type() != Resource.Type.JOB) {
      ResourceLife.deleteExtra(draft, of, stranger.ref(), now);
      return;
    }
    if (of != null && of.active()) {
      // Jobs are removed by their key, so one that is ours would go with it.
      return;
    }
    Resource record =
        new Resource(
            idOf(stranger.key(), stranger.ref(), now),
            "",
            "",
            backend,
            stranger.type(),
            Resource.State.IN_DOUBT,
            stranger.ref(),
            null,
            null,
            1,
            0,
            now);
    draft.put(record);
    draft.event(
        "resource.unknown",
        record,
        Event.SERVER,
        Map.of("backend", backend, "type", stranger.type().word(), "id", stranger.ref().id()));
  }

  /** Whether we know which one is ours, and this is not it. */
  private static boolean isAnother(Resource of, Message.Swept.Stranger stranger) {
    Resource.Ref ref = of.ref();
    return switch (of.phase()) {
      case PRESENT -> true;
      // A delete that is lost again and again must not keep the other one, too.
      case LEAVING -> ref != null && !ref.id().equals(stranger.ref().id());
      case INTENDED, ASKED, IN_DOUBT, GONE -> false;
    };
  }

  private static void again(Draft draft, Resource stranger, Instant now) {
    Instant since = stranger.since() == null ? now : stranger.since();
    if (stranger.looks() < SIGHTINGS || now.isBefore(since.plus(GRACE))) {
      draft.put(stranger);
      return;
    }
    draft.event("resource.swept", stranger, Event.SERVER, Map.of("backend", stranger.backend()));
    ResourceLife.sweep(draft, stranger, now);
  }
}
