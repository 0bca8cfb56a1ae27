package dev.berth.decisions;

import dev.berth.model.Resource;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
    Set<String> seen = new HashSet<>();
    for (Message.Swept.Stranger stranger : swept.strangers()) {
      String id = idOf(stranger);
      seen.add(id);
      Resource known = draft.find(Resource.class, id).orElse(null);
      if (known == null) {
        meet(draft, swept.backend(), stranger, id, now);
      } else if (isStranger(known) && known.phase() == Resource.State.IN_DOUBT) {
        again(draft, known.looked(), now);
      }
    }
    for (Resource resource : List.copyOf(draft.active(Resource.class))) {
      boolean vanished =
          resource.backend().equals(swept.backend())
              && isStranger(resource)
              && resource.phase() == Resource.State.IN_DOUBT
              && !seen.contains(resource.id());
      if (vanished) {
        ResourceLife.gone(draft, resource);
      }
    }
  }

  private static String idOf(Message.Swept.Stranger stranger) {
    return stranger.key() + "~" + stranger.ref().id();
  }

  private static boolean isStranger(Resource resource) {
    return resource.ownerId().isEmpty();
  }

  private static void meet(
      Draft draft, String backend, Message.Swept.Stranger stranger, String id, Instant now) {
    Resource of = draft.find(Resource.class, stranger.key()).orElse(null);
    if (of != null && of.active() && of.phase() != Resource.State.PRESENT) {
      // It may be what is asked for, or looked for, right now.
      return;
    }
    if (of != null && of.active() && stranger.type() != Resource.Type.JOB) {
      ResourceLife.deleteExtra(draft, of, stranger.ref(), now);
      return;
    }
    Resource record =
        new Resource(
            id,
            "",
            "",
            backend,
            stranger.type(),
            Resource.State.IN_DOUBT,
            stranger.ref(),
            null,
            null,
            1,
            now);
    draft.put(record);
    draft.event(
        "resource.unknown",
        record,
        Event.SERVER,
        Map.of("backend", backend, "type", stranger.type().word(), "id", stranger.ref().id()));
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
