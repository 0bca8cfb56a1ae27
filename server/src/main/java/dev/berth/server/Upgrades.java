package dev.berth.server;

import dev.berth.model.api.StreamChannel;
import dev.berth.model.api.StreamOutcome;
import io.javalin.config.JavalinConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.servlet.JavalinWsServletContext;
import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Turns requests that were let in into WebSockets, on which conversations go on. */
final class Upgrades {
  private static final System.Logger LOG = System.getLogger(Upgrades.class.getName());
  private static final String OPENED = "berth.conversation";
  private static final int SWITCHING = 101;

  private Upgrades() {}

  /** A conversation with its connection, once it is there. */
  private static final class Opened {
    private final Conversation conversation;
    private final BooleanSupplier allowed;

    /** Written when the connection is there, before anything else happens on it. */
    private volatile @Nullable JettyFrames frames;

    Opened(Conversation conversation, BooleanSupplier allowed) {
      this.conversation = conversation;
      this.allowed = allowed;
    }

    void begin(JettyFrames socket) {
      frames = socket;
      socket.watch(allowed, conversation::close);
      conversation.begin(socket);
    }

    void close() {
      JettyFrames socket = frames;
      if (socket != null) {
        socket.closed();
      }
      conversation.close();
    }
  }

  /** What all of them have in common: nobody is cut off for being silent, or slow. */
  static void configure(JavalinConfig config) {
    config.jetty.modifyWebSocketServletFactory(
        factory -> {
          factory.setMaxBinaryMessageSize(StreamChannel.LARGEST_MESSAGE + 1);
          factory.setIdleTimeout(Duration.ZERO);
        });
  }

  /**
   * Adds the WebSocket of a route.
   *
   * @param handler lets a request in, and calls {@link #talk}; what it throws is answered by {@link
   *     Refusal}
   */
  static void add(JavalinConfig config, String path, Handler handler, Refusal refusal) {
    config.routes.wsBeforeUpgrade(
        path,
        context -> {
          try {
            handler.handle(context);
          } catch (Exception e) {
            write(context, refusal.of(e, context));
            context.skipRemainingHandlers();
          }
        });
    config.routes.ws(path, Upgrades::talk);
  }

  /** What is answered to a request that is refused. */
  interface Refusal {
    Answer of(Exception failure, Context context);
  }

  /** Javalin writes no body of a refused upgrade, so it is done here. */
  private static void write(Context context, Answer answer) throws IOException {
    context.status(answer.status());
    answer.headers().forEach(context::header);
    context.contentType(answer.contentType());
    context.res().getOutputStream().write(answer.body());
  }

  /** Whether a request asks to become a connection. */
  static boolean isAsked(Context context) {
    return context instanceof JavalinWsServletContext;
  }

  /** What goes on when the request has become a connection. */
  static void keep(Context context, Conversation conversation, BooleanSupplier allowed) {
    context.attribute(OPENED, new Opened(conversation, allowed));
  }

  /** Ends what was begun for a request that became no connection. */
  static void answered(Context context) {
    Opened opened = context.attribute(OPENED);
    if (opened != null && context.statusCode() != SWITCHING) {
      opened.close();
    }
  }

  private static void talk(WsConfig config) {
    config.onConnect(context -> opened(context).begin(new JettyFrames(context.session)));
    config.onBinaryMessage(context -> received(opened(context), context.data()));
    config.onMessage(context -> refuse(opened(context), "messages are binary, and this is text"));
    config.onClose(context -> opened(context).close());
    config.onError(
        context -> {
          LOG.log(System.Logger.Level.DEBUG, "A stream to a job broke", context.error());
          opened(context).close();
        });
  }

  private static Opened opened(WsContext context) {
    Opened opened = context.attribute(OPENED);
    if (opened == null) {
      throw new IllegalStateException("a connection came up for which nothing was opened");
    }
    return opened;
  }

  private static void received(Opened opened, ByteBuffer message) {
    StreamChannel channel =
        message.hasRemaining() ? StreamChannel.find(message.get()).orElse(null) : null;
    if (channel == null) {
      refuse(
          opened, "a message begins with the number of its channel: 0 for input, 255 for its end");
      return;
    }
    try {
      opened.conversation.received(channel, message);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "Input of a stream to a job goes nowhere", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      opened.close();
    }
  }

  private static void refuse(Opened opened, String sentence) {
    JettyFrames frames = opened.frames;
    if (frames != null) {
      frames.end(StreamOutcome.failed(sentence));
    }
    opened.close();
  }
}
