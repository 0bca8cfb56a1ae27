package dev.berth.hosts.docker;

import static dev.berth.hosts.docker.EngineCalls.QUICK;
import static dev.berth.hosts.docker.EngineCalls.SLOW;
import static dev.berth.hosts.docker.EngineCalls.path;
import static dev.berth.hosts.docker.EngineCalls.query;

import dev.berth.spi.DuplexChannel;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The calls of an engine's API about images. They throw as those of {@link Engine} do. */
public final class EngineImages {
  private final EngineCalls calls;

  EngineImages(EngineCalls calls) {
    this.calls = calls;
  }

  /** An image that is there; empty where it must be pulled. */
  public Optional<ImageFacts> find(String image) {
    return EngineCalls.present(
        () ->
            ImageFacts.parse(
                calls.json(EngineRequest.of("GET", "/images/" + path(image) + "/json"), QUICK)));
  }

  /** Deletes an image by its name; false where the engine says that it is in use. */
  public boolean remove(String image) {
    try {
      calls.text(EngineRequest.of("DELETE", "/images/" + path(image) + "?force=false"), SLOW);
      return true;
    } catch (EngineException failure) {
      if (failure.isConflict()) {
        return false;
      }
      if (failure.isAbsent()) {
        return true;
      }
      throw failure;
    }
  }

  /** A name and password at a registry. */
  public record Login(String username, String password, String registry) {
    String header() {
      ObjectNode login = EngineJson.object();
      login.put("username", username).put("password", password).put("serveraddress", registry);
      return Base64.getUrlEncoder()
          .encodeToString(login.toString().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public String toString() {
      return "Login[" + username + "]";
    }
  }

  /**
   * Pulls an image; the caller reads the lines of {@link PullProgress} to their end, which is when
   * the image is there.
   *
   * @param opened is told the connection before anything is sent; closing it ends the pull
   */
  public EngineResponse pull(
      ImageName image, @Nullable Login login, Consumer<DuplexChannel> opened) {
    EngineRequest request =
        EngineRequest.of(
            "POST",
            "/images/create?fromImage="
                + query(image.repository())
                + "&tag="
                + query(image.reference()));
    if (login != null) {
      request = request.with("X-Registry-Auth", login.header());
    }
    // Some engines answer only when the registry did.
    return calls.stream(request, Duration.ofMinutes(5), opened);
  }

  /** Makes an image of one layer out of a tar, with what its configuration says. */
  public void importTar(InputStream tar, ImageName image, List<String> changes) {
    StringBuilder path = new StringBuilder("/images/create?fromSrc=-");
    // Podman does not look at the parameter for the tag.
    path.append("&repo=").append(query(image.repository() + ":" + image.reference()));
    changes.forEach(change -> path.append("&changes=").append(query(change)));
    String answer =
        calls.text(EngineRequest.of("POST", path.toString()).tar(tar), Duration.ofMinutes(5));
    PullProgress progress = new PullProgress(image.repository());
    answer.lines().forEach(progress::line);
    progress
        .failure()
        .ifPresent(
            failure -> {
              throw new EngineException(500, failure, null);
            });
  }
}
