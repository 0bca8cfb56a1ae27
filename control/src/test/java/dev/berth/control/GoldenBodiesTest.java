package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.decisions.Reply;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Body;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.model.Action;
import dev.berth.model.Attempt;
import dev.berth.model.Boot;
import dev.berth.model.Container;
import dev.berth.model.Endpoint;
import dev.berth.model.Entity;
import dev.berth.model.Fleet;
import dev.berth.model.Instance;
import dev.berth.model.JobRequest;
import dev.berth.model.MachineRequest;
import dev.berth.model.Operation;
import dev.berth.model.Resource;
import dev.berth.model.Secret;
import dev.berth.model.User;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What version 0.1 wrote is read and written the same way by every later version. */
final class GoldenBodiesTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  static Stream<Entity> entities() {
    return GoldenValues.entities();
  }

  @ParameterizedTest
  @MethodSource("entities")
  void aStoredNounIsReadAndWrittenAsItWas(Entity entity) {
    String golden = golden(entity.kind().word());
    assertThat(Codec.entity(row(entity.kind().word(), golden))).isEqualTo(entity);
    EntityRow written = Codec.row(entity, null);
    assertThat(tree(written.body().json())).isEqualTo(tree(golden));
    assertThat(written.body().version()).isEqualTo(1);
    assertThat(Codec.unknownFields(written)).isNull();
  }

  @Test
  void wishesOfBeforeThereWerePoliciesHaveNone() {
    ObjectNode stored = (ObjectNode) tree(golden("fleet"));
    ((ObjectNode) stored.get("spec").get("wishes")).remove("bounds");
    Fleet read = (Fleet) Codec.entity(row("fleet", stored.toString()));
    assertThat(read.spec().wishes().bounds()).isEmpty();
  }

  @Test
  void containersOfBeforeTheirHostsDidMoreAskForNothing() {
    ObjectNode stored = (ObjectNode) tree(golden("fleet"));
    ((ObjectNode) stored.get("spec").get("wishes").get("container"))
        .remove(List.of("shm_mib", "host_ports", "run"));
    Fleet read = (Fleet) Codec.entity(row("fleet", stored.toString()));
    assertThat(read.spec().wishes().container())
        .isEqualTo(Container.of("ubuntu:24.04").withPorts(List.of(8_080)));
  }

  @Test
  void placesOfBeforeOffersWereToldApartAreKnownByTheirTypes() {
    ObjectNode stored = (ObjectNode) tree(golden("instance"));
    ((ObjectNode) stored.get("purchase").get("place")).remove("offer");
    Instance read = (Instance) Codec.entity(row("instance", stored.toString()));
    assertThat(read.bought().orElseThrow().place().offerKey("cloud"))
        .isEqualTo("cloud/eu-1/eu-1a/large/spot");
  }

  @Test
  void secretsOfBeforeFormerValuesWereKeptArePresent() {
    ObjectNode stored = (ObjectNode) tree(golden("secret"));
    stored.remove("replaced_at");
    assertThat(Codec.entity(row("secret", stored.toString())).active()).isTrue();
  }

  @Test
  void attemptsOfBeforeThereWereWarningsHaveNone() {
    ObjectNode stored = (ObjectNode) tree(golden("attempt"));
    stored.remove("warnings");
    assertThat(((Attempt) Codec.entity(row("attempt", stored.toString()))).warnings()).isEmpty();
  }

  @Test
  void whatIsOfBeforeBerthRanJobsOnMachinesIsRunByItsBackend() {
    ObjectNode resource = (ObjectNode) tree(golden("resource"));
    resource.remove("machine_id");
    assertThat(((Resource) Codec.entity(row("resource", resource.toString()))).machineId())
        .isNull();
    ObjectNode instance = (ObjectNode) tree(golden("instance"));
    ((ObjectNode) instance.get("purchase")).remove("equipped");
    assertThat(((Instance) Codec.entity(row("instance", instance.toString()))).isEquippedByUs())
        .isFalse();
  }

  @Test
  void machinesOfBeforePortsAndKeysWereStoredAreReachedAsRootOnTheUsualPort() {
    ObjectNode stored = (ObjectNode) tree(golden("instance"));
    ((ObjectNode) stored.get("purchase")).remove("endpoint");
    Instance read = (Instance) Codec.entity(row("instance", stored.toString()));
    assertThat(read.bought().orElseThrow().endpoint())
        .isEqualTo(new Endpoint("10.0.0.7", 22, "root", null, null, null));
  }

  @Test
  void usersOfBeforeLoginsWereBoundAreAnybodysWhoHasTheName() {
    ObjectNode stored = (ObjectNode) tree(golden("user"));
    stored.remove("identity");
    assertThat(((User) Codec.entity(row("user", stored.toString()))).identity()).isNull();
  }

  @ParameterizedTest
  @EnumSource(Entity.Kind.class)
  void everyKindOfNounHasAGoldenBody(Entity.Kind kind) {
    assertThat(entities().map(Entity::kind)).contains(kind);
  }

  @Test
  void aSecretIsNeverStored() {
    Container.Registry registry = new Container.Registry("me", Secret.of("canary"));
    Action action = GoldenValues.action();
    JobRequest request =
        action.job().orElseThrow().in(Container.of("private/image").withRegistry(registry));
    Action secret = action.with(new Operation.StartJob(request));
    assertThatThrownBy(() -> Codec.row(secret, null, GoldenValues.NOON))
        .hasMessageContaining("must not be stored")
        .hasMessageNotContaining("canary");
  }

  @Test
  void aVariableWithASecretIsNeverStored() {
    Action action = GoldenValues.action();
    JobRequest request =
        action.job().orElseThrow().with(Map.of("KEY", Secret.of("canary")), List.of());
    Action secret = action.with(new Operation.StartJob(request));
    assertThatThrownBy(() -> Codec.row(secret, null, GoldenValues.NOON))
        .hasMessageContaining("must not be stored")
        .hasMessageNotContaining("canary");
  }

  @Test
  void aStoredActionIsReadAndWrittenAsItWas() {
    String golden = golden("action");
    ActionRow written = Codec.row(GoldenValues.action(), null, GoldenValues.NOON);
    assertThat(tree(written.body().json())).isEqualTo(tree(golden));
    assertThat(Codec.action(written)).isEqualTo(GoldenValues.action());
    assertThat(written.state()).isEqualTo(ActionState.PENDING);
    assertThat(written.resourceKey()).isEqualTo("r1-0-0-1");
    assertThat(written.due()).isEqualTo(GoldenValues.action().due());
  }

  @Test
  void aStoredCreationIsReadAndWrittenAsItWas() {
    ActionRow written = Codec.row(GoldenValues.creation(), null, GoldenValues.NOON);
    assertThat(tree(written.body().json())).isEqualTo(tree(golden("creation")));
    assertThat(Codec.action(written)).isEqualTo(GoldenValues.creation());
  }

  @Test
  void creationsOfBeforeRequestsWerePinnedAskForNoMoreThanTheyDid() {
    ObjectNode stored = (ObjectNode) tree(golden("creation"));
    ((ObjectNode) stored.get("machine")).remove(List.of("offer", "boot", "seq"));
    MachineRequest read =
        Codec.action(before(GoldenValues.creation(), stored)).machine().orElseThrow();
    assertThat(read.offer()).isNull();
    assertThat(read.boot()).isEqualTo(Boot.NONE);
    assertThat(read.seq()).isZero();
  }

  @Test
  void jobsOfBeforeTheyHadVolumesHaveNone() {
    ObjectNode stored = (ObjectNode) tree(golden("action"));
    ((ObjectNode) stored.get("job")).remove("volumes");
    JobRequest read = Codec.action(before(GoldenValues.action(), stored)).job().orElseThrow();
    assertThat(read.volumes()).isEmpty();
  }

  /** An action with the body that an earlier version wrote. */
  private static ActionRow before(Action action, ObjectNode stored) {
    ActionRow written = Codec.row(action, null, GoldenValues.NOON);
    return new ActionRow(
        written.id(),
        written.kind(),
        written.entity(),
        written.resourceKey(),
        written.state(),
        written.due(),
        written.deadline(),
        written.attempts(),
        written.finishedAt(),
        new Body(1, stored.toString()));
  }

  @Test
  void columnsFollowTheNoun() {
    entities()
        .forEach(
            entity -> {
              EntityRow row = Codec.row(entity, null);
              assertThat(row.key()).isEqualTo(new EntityKey(entity.kind().word(), entity.id()));
              assertThat(row.project()).isEqualTo(entity.project());
              assertThat(row.name()).isEqualTo(entity.uniqueName());
              assertThat(row.parent()).isEqualTo(entity.parent());
              assertThat(row.state()).isEqualTo(entity.state());
              assertThat(row.active()).isEqualTo(entity.active());
              assertThat(row.due()).isEqualTo(entity.due());
            });
  }

  @Test
  void repliesSurviveTheirStorage() {
    for (Reply reply :
        new Reply[] {
          new Reply.Accepted("r1", "hello"),
          new Reply.Refused(Reply.Code.NAME_TAKEN, "taken"),
          new Reply.None()
        }) {
      String kept = Codec.reply(reply, "{}");
      assertThat(Codec.reply(kept)).isEqualTo(reply);
      assertThat(Codec.findAnswer(kept).isPresent()).isEqualTo(reply instanceof Reply.Accepted);
    }
  }

  @Test
  void aKindThatThisVersionDoesNotKnowIsNotGuessed() {
    assertThatThrownBy(() -> Codec.entity(row("gateway", "{}")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the ledger holds a gateway, which this version does not know");
  }

  @Test
  void aBodyOfALaterVersionIsNotGuessed() {
    EntityRow newer =
        new EntityRow(
            new EntityKey("run", "id"),
            "main",
            null,
            null,
            "any",
            true,
            null,
            0,
            new Body(2, golden("run")));
    assertThatThrownBy(() -> Codec.entity(newer))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the ledger holds a run of version 2, but this server reads up to version 1; start the"
                + " newer server again");
  }

  private static EntityRow row(String kind, String json) {
    return new EntityRow(
        new EntityKey(kind, "id"), "main", null, null, "any", true, null, 0, new Body(1, json));
  }

  private static JsonNode tree(String json) {
    return JSON.readTree(json);
  }

  private static String golden(String name) {
    String path = "/golden/0.1/" + name + ".json";
    try (InputStream file =
        Objects.requireNonNull(GoldenBodiesTest.class.getResourceAsStream(path), path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
