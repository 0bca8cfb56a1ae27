package dev.berth.simulation;

import dev.berth.control.Envelope;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Something that a user wants of a server, asked again under the same key until an answer comes.
 */
final class Request {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration SOON = Duration.ofSeconds(2);
  private static final Duration LATER = Duration.ofSeconds(10);

  private final World world;
  private final String name;
  private final IntFunction<Optional<Message>> message;
  private final Consumer<Reply> answer;
  private int tries;
  private boolean done;

  /**
   * A request that is not sent yet.
   *
   * @param name says what it is and is its key
   * @param message what is sent at the n-th try; empty where there is nothing to ask for yet
   */
  Request(
      World world, String name, IntFunction<Optional<Message>> message, Consumer<Reply> answer) {
    this.world = world;
    this.name = name;
    this.message = message;
    this.answer = answer;
  }

  boolean isDone() {
    return done;
  }

  /** Nobody waits for it any more. */
  void giveUp() {
    done = true;
  }

  void send() {
    int mine = ++tries;
    Optional<Server> server = world.users().chooseServer();
    Optional<Message> content = message.apply(mine);
    if (done) {
      return;
    }
    if (server.isEmpty() || content.isEmpty()) {
      again(LATER, mine);
      return;
    }
    world.note("  " + name + " at " + server.get().name() + ", try " + mine);
    CompletableFuture<Reply> reply = new CompletableFuture<>();
    // The request lives on where it fails: then it is sent again.
    var _ =
        reply.whenComplete(
            (given, failure) -> {
              if (given == null) {
                world.note("  no answer to " + name + ": " + failure.getClass().getSimpleName());
                again(SOON, mine);
              } else {
                comesBack(given);
              }
            });
    // What becomes of it is heard above.
    var _ =
        server
            .get()
            .steps()
            .send(
                new Envelope(
                    content.get(),
                    reply,
                    new Envelope.Idempotency(
                        Configurations.PROJECT + "/" + Configurations.USER,
                        key(),
                        "hash-" + key())));
    again(PATIENCE, mine);
  }

  private String key() {
    return name.replace(' ', '-');
  }

  private void comesBack(@Nullable Reply given) {
    if (given == null) {
      return;
    }
    world.answered(name, given);
    if (world.network().losesNextReply()) {
      world.note("  which is lost");
      return;
    }
    world.happens(
        world.network().usual(),
        "the answer to " + name + " arrives",
        () -> !done,
        () -> {
          done = true;
          answer.accept(given);
        });
  }

  private void again(Duration in, int after) {
    world.happens(in, name + " is sent again", () -> !done && tries == after, this::send);
  }
}
