package dev.berth.server.webhooks;

import dev.berth.model.config.ServerConfiguration.Webhook;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The webhooks that the server's file names, each with its sender. */
public final class Webhooks implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(Webhooks.class.getName());
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);

  private final HookEvents events;
  private final Patience patience;
  private final HookCounts counts;
  private final InstantSource clock;
  private final HttpClient http =
      HttpClient.newBuilder()
          .connectTimeout(CONNECT_WITHIN)
          // Whoever is elsewhere is not the one that the file names.
          .followRedirects(HttpClient.Redirect.NEVER)
          .build();
  private final HookPost post;

  /** By name. Guarded by this. */
  private final Map<String, HookSender> senders = new LinkedHashMap<>();

  private boolean closed;

  /**
   * Sends nothing yet.
   *
   * @param folder where files of secrets are that are not named from the root
   * @param installation makes ids of events different from those of other installations
   */
  public Webhooks(
      HookEvents events,
      Path folder,
      String installation,
      Patience patience,
      HookCounts counts,
      InstantSource clock) {
    this.events = events;
    this.patience = patience;
    this.counts = counts;
    this.clock = clock;
    this.post = new HookPost(http, folder, installation, patience.answerWithin(), clock);
  }

  /** Sends to exactly these from now on; those that stay as they were are not disturbed. */
  public synchronized void apply(List<Webhook> wanted) throws InterruptedException {
    if (closed) {
      return;
    }
    for (HookSender sender : new ArrayList<>(senders.values())) {
      if (!sender.isFor(wanted)) {
        senders.remove(sender.hook().name());
        sender.close();
      }
    }
    Set<String> names = wanted.stream().map(Webhook::name).collect(Collectors.toSet());
    forgetAllBut(names);
    for (Webhook hook : wanted) {
      if (!senders.containsKey(hook.name())) {
        HookSender sender = new HookSender(hook, events, post, patience, counts, clock);
        senders.put(hook.name(), sender);
        sender.start();
      }
    }
  }

  private void forgetAllBut(Set<String> names) throws InterruptedException {
    try {
      for (dev.berth.model.Webhook kept : events.kept()) {
        if (!names.contains(kept.name())) {
          events.forget(kept.name());
        }
      }
    } catch (RuntimeException e) {
      // The others must be able to work; the next start is the retry.
      LOG.log(System.Logger.Level.WARNING, "Webhooks that are gone could not be forgotten", e);
    }
  }

  /** What is wrong with each webhook that has trouble, by name. */
  public synchronized Map<String, String> troubles() {
    Map<String, String> troubles = new TreeMap<>();
    senders.forEach(
        (name, sender) -> {
          String trouble = sender.trouble();
          if (trouble != null) {
            troubles.put(name, trouble);
          }
        });
    return troubles;
  }

  @Override
  public synchronized void close() {
    closed = true;
    senders.values().forEach(HookSender::close);
    senders.clear();
    http.shutdownNow();
  }
}
