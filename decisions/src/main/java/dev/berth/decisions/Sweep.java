package dev.berth.decisions;

import dev.berth.model.Attempt;
import dev.berth.model.Instance;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

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
    if (swept.machineId() != null && !isThere(draft, swept.machineId())) {
      return;
    }
    Map<String, Resource> known = known(draft, swept);
    for (Message.Swept.Stranger stranger : swept.strangers()) {
      Resource before = known.remove(nameOf(stranger));
      if (before == null) {
        meet(draft, swept, stranger, now);
      } else if (before.phase() == Resource.State.IN_DOUBT) {
        again(draft, before.looked(), now);
      } else if (before.type() == ResourceType.JOB) {
        ResourceLife.sweep(draft, before.repeated(), now);
      }
    }
    swept.doubled().forEach(key -> doubled(draft, swept, key, known, now));
    swept.rented().forEach(key -> extra(draft, swept, key, new Operation.ReleaseJob(), known, now));
    // Of things that are being deleted the provider itself says when they are gone.
    known.values().stream()
        .filter(resource -> isSeen(swept, resource))
        .filter(
            resource ->
                resource.phase() == Resource.State.IN_DOUBT
                    || (resource.type() == ResourceType.JOB && resource.actionId() == null))
        .forEach(resource -> ResourceLife.gone(draft, resource));
  }

  /** Whether it was looked where it is: of other regions nothing is known. */
  private static boolean isSeen(Message.Swept swept, Resource resource) {
    Resource.Ref ref = resource.ref();
    return ref == null || !swept.unseen().contains(ref.region());
  }

  /** What nobody owns where it was looked. What was on a machine that is gone is gone with it. */
  private static Map<String, Resource> known(Draft draft, Message.Swept swept) {
    Map<String, Resource> known = new HashMap<>();
    for (Resource resource : draft.active(Resource.class)) {
      String machine = resource.machineId();
      if (!resource.ownerId().isEmpty() || !resource.backend().equals(swept.backend())) {
        continue;
      }
      if (machine != null && !isThere(draft, machine)) {
        ResourceLife.gone(draft, resource);
      } else if (Objects.equals(machine, swept.machineId())) {
        known.put(nameOf(resource), resource);
      }
    }
    return known;
  }

  private static boolean isThere(Draft draft, String machine) {
    return draft.find(Instance.class, machine).filter(Instance::active).isPresent();
  }

  /** A provider runs a job of ours more than once, or one that has ended. */
  private static void doubled(
      Draft draft, Message.Swept swept, String key, Map<String, Resource> known, Instant now) {
    Attempt attempt = draft.find(Attempt.class, key).filter(Attempt::active).orElse(null);
    if (attempt != null) {
      InDoubt.doubled(draft, attempt, now);
      return;
    }
    // What has ended is kept for its output, and what still runs beside it is ended.
    extra(draft, swept, key, new Operation.KillJob(), known, now);
  }

  /** Ends what is there under a key whose attempt has ended, unless that is under way. */
  private static void extra(
      Draft draft,
      Message.Swept swept,
      String key,
      Operation.OnJob end,
      Map<String, Resource> known,
      Instant now) {
    if (!known.containsKey(key + "~" + EXTRA.id())) {
      Resource record =
          record(swept, idOf(key, EXTRA, now), ResourceType.JOB, Resource.State.PRESENT, EXTRA);
      ResourceLife.end(draft, record, end, now);
      draft.event("resource.extra", record, Event.SERVER, told(record));
    }
  }

  /** A record for something that has no owner, where it was found. */
  private static Resource record(
      Message.Swept swept, String id, ResourceType type, Resource.State state, Resource.Ref ref) {
    Resource record = new Resource(id, "", "", swept.backend(), type, state, ref, null, null);
    return swept.machineId() == null ? record : record.on(swept.machineId());
  }

  /** Where something was found that has no owner. */
  private static Map<String, Object> told(Resource record) {
    Map<String, Object> data = new LinkedHashMap<>();
    data.put("backend", record.backend());
    if (record.machineId() != null) {
      data.put("machine", record.machineId());
    }
    return data;
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
      Draft draft, Message.Swept swept, Message.Swept.Stranger stranger, Instant now) {
    Resource of = draft.find(Resource.class, stranger.key()).orElse(null);
    if (of != null && of.active() && !isAnother(of, stranger)) {
      // It may be what is asked for, or looked for, right now.
      return;
    }
    if (of != null && of.active() && stranger.type() != ResourceType.JOB) {
      ResourceLife.deleteExtra(draft, of, stranger.ref(), now);
      return;
    }
    if (of != null && of.active()) {
      // Jobs are removed by their key, so one that is ours would go with it.
      return;
    }
    Resource record =
        record(
                swept,
                idOf(stranger.key(), stranger.ref(), now),
                stranger.type(),
                Resource.State.IN_DOUBT,
                stranger.ref())
            .looked()
            .unclearSince(now);
    draft.put(record);
    Map<String, Object> told = told(record);
    told.put("type", stranger.type().word());
    told.put("id", stranger.ref().id());
    draft.event("resource.unknown", record, Event.SERVER, told);
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
    draft.event("resource.swept", stranger, Event.SERVER, told(stranger));
    ResourceLife.sweep(draft, stranger, now);
  }
}
