package dev.berth.server;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Project;
import dev.berth.model.config.ServerConfiguration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Makes the projects that the server's file declares. One that it drops stays, with its runs. */
final class DeclaredProjects {
  private static final System.Logger LOG = System.getLogger(DeclaredProjects.class.getName());

  private final ControlPlane control;

  /** Why some cannot be, by name. Written by the watch of the server's file. */
  private volatile Map<String, String> refused = Map.of();

  DeclaredProjects(ControlPlane control) {
    this.control = control;
  }

  static List<String> of(ServerConfiguration file) {
    return file.projects().stream().map(ServerConfiguration.Project::name).toList();
  }

  /** Makes those that are not there, and tells of each that cannot be. */
  void apply(List<String> names) {
    Map<String, String> refusals = new LinkedHashMap<>();
    for (String name : names) {
      String refusal = refusal(name);
      if (refusal != null) {
        refusals.put(name, refusal);
        if (!refusal.equals(refused.get(name))) {
          LOG.log(
              System.Logger.Level.WARNING,
              "The declared project ''{0}'' was not created: {1}",
              name,
              refusal);
        }
      }
    }
    refused = Map.copyOf(refusals);
  }

  private @Nullable String refusal(String name) {
    if (!Project.NAME.matcher(name).matches()) {
      return "a name has 1 to 50 letters, digits, dashes and underscores, and begins with a letter"
          + " or a digit";
    }
    CompletableFuture<Reply> declared =
        control.send(Envelope.of(new Message.Access.DeclareProject(name)));
    // An engine that cannot go on would let us wait for ever.
    return switch (CompletableFuture.anyOf(declared, control.failure()).join()) {
      case Reply.Refused no -> no.message();
      case Throwable cause -> throw new IllegalStateException("the server cannot go on", cause);
      default -> null;
    };
  }

  /** The projects that were refused, and why. Safe for any thread. */
  Map<String, String> refused() {
    return refused;
  }
}
