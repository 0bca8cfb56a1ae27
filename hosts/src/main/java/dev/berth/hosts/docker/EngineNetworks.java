package dev.berth.hosts.docker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The calls of an engine's API about networks. They throw as those of {@link Engine} do. */
public final class EngineNetworks {
  private static final String PATH = "/networks/";

  private final EngineCalls calls;

  EngineNetworks(EngineCalls calls) {
    this.calls = calls;
  }

  /** A network as its engine shows it. */
  public record Network(String id, String name, Map<String, String> labels) {
    public Network {
      labels = Map.copyOf(labels);
    }
  }

  /** Makes a network on the engine's machine. One of the same name is a failure. */
  public void create(String name, Map<String, String> labels) {
    ObjectNode body = EngineJson.object();
    body.put("Name", name).put("Driver", "bridge").put("CheckDuplicate", true);
    ObjectNode marks = body.putObject("Labels");
    labels.forEach(marks::put);
    calls.json(EngineRequest.of("POST", PATH + "create").json(body.toString()), EngineCalls.SLOW);
  }

  public Optional<Network> find(String name) {
    return EngineCalls.present(
        () ->
            parse(
                calls.json(
                    EngineRequest.of("GET", PATH + EngineCalls.path(name)), EngineCalls.QUICK)));
  }

  /** All networks with a label. */
  public List<Network> list(String label, String value) {
    String filters = EngineCalls.filters(Map.of("label", List.of(label + "=" + value)));
    List<Network> found = new ArrayList<>();
    calls
        .json(EngineRequest.of("GET", "/networks?filters=" + filters), EngineCalls.QUICK)
        .forEach(one -> found.add(parse(one)));
    return found;
  }

  /** Removes a network; false where a container uses it. One that is gone is as good. */
  public boolean remove(String id) {
    try {
      calls.json(EngineRequest.of("DELETE", PATH + EngineCalls.path(id)), EngineCalls.SLOW);
      return true;
    } catch (EngineException failure) {
      if (failure.isAbsent()) {
        return true;
      }
      if (isInUse(failure)) {
        return false;
      }
      throw failure;
    }
  }

  /** Docker says forbidden, and Podman says it in words only. */
  private static boolean isInUse(EngineException failure) {
    String words = failure.words().toLowerCase(Locale.ROOT);
    return words.contains("active endpoints") || words.contains("being used");
  }

  private static Network parse(JsonNode network) {
    Map<String, String> labels = new LinkedHashMap<>();
    network
        .path("Labels")
        .properties()
        .forEach(entry -> labels.put(entry.getKey(), entry.getValue().asString("")));
    return new Network(network.path("Id").asString(""), network.path("Name").asString(""), labels);
  }
}
