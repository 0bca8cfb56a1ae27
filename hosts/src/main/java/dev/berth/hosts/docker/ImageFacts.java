package dev.berth.hosts.docker;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What an image says about itself.
 *
 * @param user empty for root
 * @param workingDirectory empty for the root of its files
 * @param architecture in the words of Go: amd64, arm64
 * @param tags the names that it has, with their tags; none where it is known by its digest only
 */
public record ImageFacts(
    String id,
    String user,
    List<String> entrypoint,
    List<String> command,
    String workingDirectory,
    String os,
    String architecture,
    List<String> tags) {
  public ImageFacts {
    tags = List.copyOf(tags);
    entrypoint = List.copyOf(entrypoint);
    command = List.copyOf(command);
  }

  /** Reads what {@code GET /images/NAME/json} answers. */
  static ImageFacts parse(JsonNode image) {
    JsonNode config = image.path("Config");
    return new ImageFacts(
        image.path("Id").asString(""),
        config.path("User").asString(""),
        words(config.path("Entrypoint")),
        words(config.path("Cmd")),
        config.path("WorkingDir").asString(""),
        image.path("Os").asString(""),
        image.path("Architecture").asString(""),
        words(image.path("RepoTags")));
  }

  private static List<String> words(JsonNode list) {
    List<String> words = new ArrayList<>();
    list.forEach(word -> words.add(word.asString("")));
    return words;
  }
}
