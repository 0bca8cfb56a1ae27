package dev.berth.control;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.berth.decisions.Event;
import dev.berth.decisions.Reply;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Body;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.EventRow;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.Job;
import dev.berth.model.Member;
import dev.berth.model.Placement;
import dev.berth.model.Project;
import dev.berth.model.Resource;
import dev.berth.model.Run;
import dev.berth.model.Secret;
import dev.berth.model.StoredSecret;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.Webhook;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns nouns into the bodies that the ledger keeps, and back. Fields that this version does not
 * know are kept.
 */
public final class Codec {
  static final int VERSION = 1;

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          // What components imply is not stored with them.
          .changeDefaultVisibility(
              visible -> visible.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
          .addMixIn(Entity.class, WithoutImplied.class)
          .addModule(new SimpleModule().addSerializer(Secret.class, new Refusal()))
          .build();
  private static final Map<String, Class<? extends Entity>> TYPES =
      Map.ofEntries(
          Map.entry("run", Run.class),
          Map.entry("job", Job.class),
          Map.entry("attempt", Attempt.class),
          Map.entry("placement", Placement.class),
          Map.entry("resource", Resource.class),
          Map.entry("instance", Instance.class),
          Map.entry("fleet", Fleet.class),
          Map.entry("user", User.class),
          Map.entry("project", Project.class),
          Map.entry("member", Member.class),
          Map.entry("token", Token.class),
          Map.entry("secret", StoredSecret.class),
          Map.entry("webhook", Webhook.class));

  private static final Set<String> ACTIONS =
      Stream.of(Action.Type.values()).map(Enum::name).collect(Collectors.toUnmodifiableSet());

  private Codec() {}

  /** What other components of a noun imply is not stored twice. */
  @JsonIgnoreProperties({"kind", "state", "active", "parent", "unique_name"})
  private interface WithoutImplied {}

  /** Secrets are put in when a call is made; a body that holds one must never be stored. */
  private static final class Refusal extends ValueSerializer<Secret> {
    @Override
    public void serialize(Secret value, JsonGenerator out, SerializationContext context) {
      throw new IllegalStateException("a secret must not be stored");
    }
  }

  /** A stored body that has fields without a component here, and what this version made of it. */
  record Unknown(ObjectNode stored, ObjectNode known) {
    /** Puts the unknown fields into a body, also into the objects within that are still there. */
    void keepIn(ObjectNode body) {
      keep(body, stored, known);
    }

    private static void keep(ObjectNode body, ObjectNode stored, ObjectNode known) {
      stored
          .properties()
          .forEach(
              field -> {
                JsonNode read = known.get(field.getKey());
                JsonNode now = body.get(field.getKey());
                if (read == null && now == null) {
                  body.set(field.getKey(), field.getValue());
                } else if (field.getValue() instanceof ObjectNode inner
                    && read instanceof ObjectNode innerRead
                    && now instanceof ObjectNode innerNow) {
                  keep(innerNow, inner, innerRead);
                }
              });
    }
  }

  static EntityRow row(Entity entity, @Nullable Unknown unknown) {
    return new EntityRow(
        new EntityKey(entity.kind().word(), entity.id()),
        entity.project(),
        entity.uniqueName(),
        entity.parent(),
        entity.state(),
        entity.active(),
        entity.due(),
        sortKey(entity),
        new Body(VERSION, json(entity, unknown)));
  }

  private static String json(Object noun, @Nullable Unknown unknown) {
    if (unknown == null) {
      return MAPPER.writeValueAsString(noun);
    }
    ObjectNode body = tree(noun);
    unknown.keepIn(body);
    return body.toString();
  }

  /** Whether a row is of a kind that this version has. */
  static boolean knows(EntityRow row) {
    return TYPES.containsKey(row.key().kind());
  }

  public static Entity entity(EntityRow row) {
    requireKnown(row.body(), row.key().kind());
    return MAPPER.readValue(row.body().json(), type(row));
  }

  /** The fields of a stored body that this version has no component for, or null. */
  static @Nullable Unknown unknownFields(EntityRow row) {
    return unknownFields(row.body(), entity(row));
  }

  private static @Nullable Unknown unknownFields(Body body, Object noun) {
    ObjectNode stored = (ObjectNode) MAPPER.readTree(body.json());
    Unknown unknown = new Unknown(stored, tree(noun));
    ObjectNode kept = unknown.known().deepCopy();
    unknown.keepIn(kept);
    return kept.equals(unknown.known()) ? null : unknown;
  }

  /** A body of a later version may mean something else by the same fields. */
  private static void requireKnown(Body body, String kind) {
    if (body.version() > VERSION) {
      throw new IllegalStateException(
          "the ledger holds a "
              + kind
              + " of version "
              + body.version()
              + ", but this server reads up to version "
              + VERSION
              + "; start the newer server again");
    }
  }

  private static Class<? extends Entity> type(EntityRow row) {
    Class<? extends Entity> type = TYPES.get(row.key().kind());
    if (type == null) {
      throw new IllegalStateException(
          "the ledger holds a " + row.key().kind() + ", which this version does not know");
    }
    return type;
  }

  private static ObjectNode tree(Object noun) {
    return MAPPER.valueToTree(noun);
  }

  static ActionRow row(Action action, @Nullable Unknown unknown, Instant now) {
    boolean finished = action.state().finished();
    return new ActionRow(
        action.id(),
        action.type().name(),
        new EntityKey("resource", action.resourceId()),
        action.resourceId(),
        ActionState.valueOf(action.state().name()),
        action.due(),
        action.deadline(),
        action.attempts(),
        finished ? now : null,
        new Body(VERSION, json(StoredAction.of(action), unknown)));
  }

  /** Whether an action is of a type that this version can carry out. */
  static boolean knows(ActionRow row) {
    return ACTIONS.contains(row.kind());
  }

  /** The fields of a stored action that this version has no component for, or null. */
  static @Nullable Unknown unknownFields(ActionRow row) {
    return unknownFields(row.body(), StoredAction.of(action(row)));
  }

  public static Action action(ActionRow row) {
    requireKnown(row.body(), "action");
    return MAPPER.readValue(row.body().json(), StoredAction.class).toAction();
  }

  static EventRow row(Event event, Instant now) {
    return new EventRow(
        now,
        event.kind(),
        new EntityKey(event.entityKind(), event.entityId()),
        event.project(),
        event.actor(),
        new Body(VERSION, MAPPER.writeValueAsString(event.data())));
  }

  /**
   * How a reply is kept.
   *
   * @param answer kept with one that accepts, or null
   */
  public static String reply(Reply reply, @Nullable String answer) {
    return MAPPER.writeValueAsString(
        new StoredReply(
            reply instanceof Reply.Accepted accepted ? accepted : null,
            reply instanceof Reply.Refused refused ? refused : null,
            reply instanceof Reply.Accepted ? answer : null));
  }

  /** The answer that was kept with a reply. */
  public static Optional<String> findAnswer(String reply) {
    return Optional.ofNullable(MAPPER.readValue(reply, StoredReply.class).answer());
  }

  static Reply reply(String json) {
    StoredReply stored = MAPPER.readValue(json, StoredReply.class);
    return stored.accepted() != null
        ? stored.accepted()
        : stored.refused() != null ? stored.refused() : new Reply.None();
  }

  private record StoredReply(
      Reply.@Nullable Accepted accepted,
      Reply.@Nullable Refused refused,
      @Nullable String answer) {}

  /** Listings show the newest first, and who waits keeps the order of arrival over a restart. */
  private static long sortKey(Entity entity) {
    return switch (entity) {
      case Run run -> run.submittedAt().toEpochMilli();
      case Attempt attempt -> attempt.submittedAt().toEpochMilli();
      case Placement placement -> placement.since().toEpochMilli();
      case Fleet fleet -> fleet.submittedAt().toEpochMilli();
      case User user -> user.createdAt().toEpochMilli();
      case Project project -> project.createdAt().toEpochMilli();
      case Member member -> member.since().toEpochMilli();
      case Token token -> token.createdAt().toEpochMilli();
      case StoredSecret secret -> secret.createdAt().toEpochMilli();
      case Webhook hook -> hook.since().toEpochMilli();
      case Job job -> job.rank();
      case Resource _, Instance _ -> 0;
    };
  }
}
