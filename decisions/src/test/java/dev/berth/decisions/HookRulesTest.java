package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.ResourceVector;
import dev.berth.model.Webhook;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class HookRulesTest {
  private final Scenario scenario =
      Scenario.with(
          Machines.machine("m1", new ResourceVector(4, 4, 8_192, 20_000, Set.of()), List.of()));

  private Optional<Webhook> hook() {
    return scenario.memory.find(Webhook.class, "chat");
  }

  @Test
  void aWebhookBeginsOnceAndGoesOnFromWhereItWas() {
    scenario.tell(new Message.Hook.Begun("chat", 40));
    scenario.tell(new Message.Hook.Sent("chat", 42, 0));
    scenario.tell(new Message.Hook.Begun("chat", 90));
    assertThat(hook().orElseThrow().seq()).isEqualTo(42);
    // Word of an older server that comes late.
    scenario.tell(new Message.Hook.Sent("chat", 41, 0));
    assertThat(hook().orElseThrow().seq()).isEqualTo(42);
  }

  @Test
  void whatIsGivenUpIsCounted() {
    scenario.tell(new Message.Hook.Begun("chat", 40));
    scenario.tell(new Message.Hook.Sent("chat", 42, 1));
    scenario.tell(new Message.Hook.Sent("chat", 45, 2));
    assertThat(hook().orElseThrow().skipped()).isEqualTo(3);
  }

  @Test
  void oneThatIsGoneIsForgottenAndDoesNotComeBackByLateWord() {
    scenario.tell(new Message.Hook.Begun("chat", 40));
    scenario.tell(new Message.Hook.Gone("chat"));
    scenario.tell(new Message.Hook.Sent("chat", 42, 0));
    assertThat(hook()).isEmpty();
    scenario.tell(new Message.Hook.Begun("chat", 50));
    assertThat(hook().orElseThrow().seq()).isEqualTo(50);
  }
}
