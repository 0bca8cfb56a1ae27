package dev.berth.decisions;

import dev.berth.model.BackendKey;
import dev.berth.model.Instance;
import dev.berth.model.Resource;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a backend that comes or goes means for what is on it. */
final class BackendLife {
  private BackendLife() {}

  /** Takes a backend's machines away, unless something of ours may still be there. */
  static Reply remove(Draft draft, Message.BackendRemoved removed) {
    String backend = removed.backend();
    long live =
        draft.active(Resource.class).stream()
            .filter(resource -> resource.backend().equals(backend))
            .count();
    if (live > 0) {
      return new Reply.Refused(
          Reply.Code.NOT_FINISHED,
          "the backend '"
              + BackendKey.name(backend)
              + "' has "
              + live
              + (live == 1 ? " resource" : " resources")
              + " in use; stop the runs on it first");
    }
    for (Instance instance : List.copyOf(draft.active(Instance.class))) {
      if (instance.backend().equals(backend)) {
        // It was never made, so it does not end either: its backend may show it again.
        draft.delete(instance);
        draft.event("instance.removed", instance, removed.actor(), Map.of("name", instance.name()));
      }
    }
    return new Reply.None();
  }

  /** A machine that its backend shows no longer takes nobody until it is found again. */
  static void read(Draft draft, Message.InventoryRead read) {
    for (Instance instance : List.copyOf(draft.active(Instance.class))) {
      if (instance.backend().equals(read.backend())
          && instance.purchase() == null
          && instance.status().isReady()
          && !read.instanceIds().contains(instance.id())) {
        Instance gone = instance.unreachable();
        draft.put(gone);
        draft.event("instance.unreachable", gone, Event.SERVER, Map.of("name", instance.name()));
      }
    }
  }

  /** Backends are kept by the server and not in the ledger's nouns; who changed them is. */
  static Reply told(Draft draft, Message.BackendTold told) {
    draft.event(
        new Event(
            told.event(),
            "backend",
            told.backend(),
            Objects.requireNonNullElse(BackendKey.project(told.backend()), ""),
            told.actor(),
            told.before().isEmpty()
                ? AccessRules.after(told.after())
                : told.after().isEmpty()
                    ? AccessRules.before(told.before())
                    : AccessRules.change(told.before(), told.after())));
    return new Reply.None();
  }
}
