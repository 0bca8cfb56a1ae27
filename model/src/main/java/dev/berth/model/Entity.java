package dev.berth.model;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A noun that the ledger keeps: it has an identity, a state, and perhaps a time at which it wants
 * to be looked at again.
 */
public sealed interface Entity
    permits Run,
        Job,
        Attempt,
        Placement,
        Resource,
        Instance,
        Fleet,
        User,
        Project,
        Member,
        Token,
        StoredSecret,
        Webhook {
  Kind kind();

  String id();

  /** The project it belongs to; empty for what belongs to the whole installation. */
  String project();

  /** The state as a word, for queries and people. */
  String state();

  /** Whether its life still goes on. */
  boolean active();

  /** When something must be decided about it even if nothing happens, or null. */
  default @Nullable Instant due() {
    return null;
  }

  /** The id of the noun that this one belongs to, or null. */
  default @Nullable String parent() {
    return null;
  }

  /** A name that no other active noun of its kind and project may have, or null. */
  default @Nullable String uniqueName() {
    return null;
  }

  /** The kinds of nouns, by the word that the ledger keeps. */
  enum Kind {
    RUN(Run.class),
    JOB(Job.class),
    ATTEMPT(Attempt.class),
    PLACEMENT(Placement.class),
    RESOURCE(Resource.class),
    INSTANCE(Instance.class),
    FLEET(Fleet.class),
    USER(User.class),
    PROJECT(Project.class),
    MEMBER(Member.class),
    TOKEN(Token.class),
    SECRET(StoredSecret.class),
    WEBHOOK(Webhook.class);

    private final Class<? extends Entity> type;

    Kind(Class<? extends Entity> type) {
      this.type = type;
    }

    /** What nouns of this kind are. */
    public Class<? extends Entity> type() {
      return type;
    }

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
