package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Message;
import dev.berth.ledger.ActionRow;
import dev.berth.ledger.ActionState;
import dev.berth.ledger.Body;
import dev.berth.ledger.Commit;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.RealmStatus;
import dev.berth.ledger.Tenure;
import dev.berth.model.RunStatus;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A newer version wrote fields that this one does not know; they are still there afterwards. */
@ParameterizedClass
@EnumSource(Storage.class)
final class UnknownFieldsTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final EntityKey RUN = new EntityKey("run", "r1");
  private static final EntityKey JOB = new EntityKey("job", "r1-0-0");
  private static final EntityKey MACHINE = new EntityKey("instance", "m1");

  private final Storage storage;
  @TempDir Path folder;
  private LoopBench bench;

  UnknownFieldsTest(Storage storage) {
    this.storage = storage;
  }

  @BeforeEach
  void open() {
    bench = new LoopBench(storage, folder);
    bench.settle(Samples.machine(32));
    bench.running("r1");
    for (EntityKey key : List.of(RUN, JOB, MACHINE)) {
      change(key, body -> body.put("newer", "kept"));
    }
    change(JOB, body -> ((ObjectNode) body.get("spec")).putObject("network").put("mode", "none"));
    change(
        MACHINE,
        body -> ((ObjectNode) body.get("allocations").get("r1-0-0-1")).put("bandwidth", 7));
    bench.restart();
  }

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void theySurviveAChange() {
    bench.settle(Samples.submit("r2", "other"));
    bench.settle(Samples.stop("r1"));
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.TERMINATING);
    assertThat(body(RUN).get("newer").asString()).isEqualTo("kept");
    assertThat(body(JOB).get("newer").asString()).isEqualTo("kept");
    assertThat(body(JOB).get("spec").get("network").get("mode").asString()).isEqualTo("none");
    assertThat(body(MACHINE).get("newer").asString()).isEqualTo("kept");
    assertThat(body(MACHINE).get("allocations").get("r1-0-0-1").get("bandwidth").asInt())
        .isEqualTo(7);
    assertThat(body(MACHINE).get("allocations").get("r2-0-0-1").has("bandwidth")).isFalse();
  }

  @Test
  void theySurviveTheEndAndDoNotBringBackWhatHasGone() {
    bench.settle(new Message.Observed("r1-0-0-1", Samples.exited(0, bench.clock.instant())));
    assertThat(bench.run("r1").status()).isEqualTo(RunStatus.DONE);
    assertThat(body(RUN).get("newer").asString()).isEqualTo("kept");
    assertThat(body(MACHINE).get("newer").asString()).isEqualTo("kept");
    assertThat(body(MACHINE).get("allocations").isEmpty()).isTrue();
  }

  @Test
  void theySurviveAChangeOfAnAction() {
    bench.settle(Samples.submit("r2", "other"));
    String start = Samples.attemptId("r2") + "-start";
    ActionRow row = bench.ledger.findAction(LoopBench.REALM, start).orElseThrow().row();
    put(row, row.kind(), body -> body.put("newer", "kept"));
    bench.restart();
    assertThat(bench.handedOverIds()).containsExactly(start);
    bench.failed("r2", "start");
    ActionRow changed = bench.ledger.findAction(LoopBench.REALM, start).orElseThrow().row();
    assertThat(changed.state()).isEqualTo(ActionState.PENDING);
    assertThat(JSON.readTree(changed.body().json()).path("newer").asString()).isEqualTo("kept");
  }

  @Test
  void anActionOfAnUnknownTypeIsLeftAsItIs() {
    bench.settle(Samples.submit("r2", "other"));
    String start = Samples.attemptId("r2") + "-start";
    ActionRow row = bench.ledger.findAction(LoopBench.REALM, start).orElseThrow().row();
    put(row, "PAUSE_JOB", body -> body.put("type", "PAUSE_JOB"));
    bench.restart();
    assertThat(bench.handedOverIds()).isEmpty();
    bench.settle(Samples.submit("r3", "third"));
    assertThat(bench.ledger.findAction(LoopBench.REALM, start).orElseThrow().row().kind())
        .isEqualTo("PAUSE_JOB");
  }

  private void put(ActionRow row, String type, Consumer<ObjectNode> change) {
    ObjectNode body = (ObjectNode) JSON.readTree(row.body().json());
    change.accept(body);
    commit(
        Commit.builder()
            .action(
                new ActionRow(
                    row.id(),
                    type,
                    row.entity(),
                    row.resourceKey(),
                    row.state(),
                    row.due(),
                    row.deadline(),
                    row.attempts(),
                    row.finishedAt(),
                    new Body(1, body.toString()))));
  }

  private JsonNode body(EntityKey key) {
    return JSON.readTree(row(key).body().json());
  }

  private EntityRow row(EntityKey key) {
    return bench.ledger.find(LoopBench.REALM, key).orElseThrow().row();
  }

  private void change(EntityKey key, Consumer<ObjectNode> change) {
    EntityRow row = row(key);
    ObjectNode body = (ObjectNode) JSON.readTree(row.body().json());
    change.accept(body);
    EntityRow changed = row.with(new Body(1, body.toString()));
    commit(Commit.builder().put(changed));
  }

  private void commit(Commit.Builder commit) {
    Ledger ledger = bench.ledger.inner();
    RealmStatus realm = ledger.findRealm(LoopBench.REALM).orElseThrow();
    ledger.commit(
        new Tenure(realm.realm(), realm.owner(), realm.epoch(), realm.seq()), commit.build());
  }
}
