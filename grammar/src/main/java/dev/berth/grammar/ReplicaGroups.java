package dev.berth.grammar;

import dev.berth.model.config.Range;
import dev.berth.model.config.ReplicaGroup;
import dev.berth.model.config.ScalingSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** Groups of a service's replicas that differ from each other. */
final class ReplicaGroups {
  static final Shape<Range<Integer>> REPLICAS = new ServiceChoices.ReplicasShape(false);

  static final RecordShape<ReplicaGroup> GROUP =
      RecordShape.of(ReplicaGroup.class)
          .with(
              new Field<>("name", Words.GROUP_NAME, "the name of the group; its position otherwise")
                  .nullable())
          .with(
              new Field<>("replicas", REPLICAS, "how many replicas, such as 2 or 1..4").required())
          .with(
              new Field<>(
                      "scaling",
                      ServiceParts.SCALING,
                      "how the number of replicas follows the load")
                  .nullable())
          .with(
              new Field<>("resources", Resources.RESOURCES, "what each replica needs of a machine")
                  .orEmptyMapping())
          .with(new Field<>("spot_policy", Profiles.SPOT, "spot, on-demand or auto").nullable())
          .with(
              new Field<>("reservation", Scalars.TEXT, "an existing reservation to use").nullable())
          .with(
              new Field<>("commands", Runs.COMMANDS, "the commands of each replica")
                  .orElse(List.of()))
          .with(new Field<>("image", Scalars.TEXT, "the container image").nullable())
          .with(
              new Field<>("python", Words.PYTHON, "the Python version of the default image")
                  .nullable())
          .with(
              new Field<>("nvcc", Scalars.BOOLEAN, "use an image with the CUDA compiler")
                  .nullable())
          .with(
              new Field<>("docker", Scalars.BOOLEAN, "run Docker inside the container").nullable())
          .with(
              new Field<>("privileged", Scalars.BOOLEAN, "run the container in privileged mode")
                  .nullable())
          .with(
              new Field<>("router", ServiceParts.ROUTER, "run the service's router in this group")
                  .nullable())
          .check(
              ImageSources.FIELDS,
              (group, findings) ->
                  new ImageSources(group.image(), group.python(), group.nvcc(), group.docker())
                      .check(findings))
          .check(
              List.of("docker", "privileged"),
              (value, findings) -> {
                if (Boolean.TRUE.equals(value.docker())
                    && Boolean.FALSE.equals(value.privileged())) {
                  findings.error(
                      Rule.PRIVILEGED_DOCKER,
                      "privileged",
                      "'docker: true' needs privileged mode; remove 'privileged: false'");
                }
              })
          .check(
              List.of("replicas", "scaling"),
              (value, findings) -> checkScaling(value.replicas(), value.scaling(), findings))
          .schemaRules(ImageSources.schemaRules())
          .schemaRule(
              SchemaRules.excludes(
                  SchemaRules.is("docker", true), SchemaRules.is("privileged", false)))
          .schemaRule(SchemaRules.excludes(SchemaRules.set("router"), notOneReplica()));

  private ReplicaGroups() {}

  private static Map<String, Object> notOneReplica() {
    return SchemaRules.has("replicas", Map.of("type", "integer", "not", Map.of("const", 1)));
  }

  /**
   * Groups written in the old spelling of dstack: a list under replicas, with count for the number.
   * Rewritten before the service is read.
   */
  static Node.Mapping withGroups(Node.Mapping service, Reading reading) {
    Node.Mapping.Entry replicas = service.entries().get("replicas");
    boolean listed = replicas != null && replicas.value() instanceof Node.Sequence;
    Node.Mapping.Entry groups = listed ? replicas : service.entries().get("groups");
    if (groups == null
        || !(groups.value() instanceof Node.Sequence sequence)
        || (listed && service.entries().containsKey("groups"))) {
      return service;
    }
    if (listed) {
      reading
          .field("replicas")
          .warning(
              Rule.FIELD_DEPRECATED,
              groups.keyPosition(),
              "a list of groups is called 'groups' now");
    }
    List<Node> renamed = new ArrayList<>();
    for (Node group : sequence.items()) {
      Node known = withReplicas(group);
      if (!known.equals(group) && !listed) {
        reading
            .field("groups")
            .item(renamed.size())
            .warning(Rule.FIELD_DEPRECATED, group.position(), "'count' is called 'replicas' now");
      }
      renamed.add(known);
    }
    SequencedMap<String, Node.Mapping.Entry> entries = new LinkedHashMap<>(service.entries());
    if (listed) {
      entries.remove("replicas");
    }
    entries.put(
        "groups",
        new Node.Mapping.Entry(
            groups.keyPosition(), new Node.Sequence(sequence.position(), renamed)));
    return new Node.Mapping(service.position(), entries);
  }

  private static Node withReplicas(Node group) {
    if (!(group instanceof Node.Mapping mapping)
        || mapping.entries().get("count") == null
        || mapping.entries().containsKey("replicas")) {
      return group;
    }
    SequencedMap<String, Node.Mapping.Entry> entries = new LinkedHashMap<>();
    mapping
        .entries()
        .forEach((name, entry) -> entries.put(name.equals("count") ? "replicas" : name, entry));
    return new Node.Mapping(mapping.position(), entries);
  }

  static void checkScaling(
      Range<Integer> replicas, @Nullable ScalingSpec scaling, Check.Findings findings) {
    if (!replicas.isSingleValue() && scaling == null) {
      findings.error(Rule.SCALING_AND_RANGE, "replicas", "a range of replicas needs 'scaling'");
    }
    if (replicas.isSingleValue() && scaling != null) {
      findings.error(
          Rule.SCALING_AND_RANGE,
          "scaling",
          "'scaling' needs a range of replicas, such as replicas: 1..4");
    }
  }

  static ReplicaGroup named(ReplicaGroup group, String name) {
    return new ReplicaGroup(
        name,
        group.replicas(),
        group.scaling(),
        group.resources(),
        group.spotPolicy(),
        group.reservation(),
        group.commands(),
        group.image(),
        group.python(),
        group.nvcc(),
        group.docker(),
        group.privileged(),
        group.router());
  }
}
