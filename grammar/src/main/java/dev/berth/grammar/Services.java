package dev.berth.grammar;

import dev.berth.model.config.HttpsMode;
import dev.berth.model.config.ProbeSpec;
import dev.berth.model.config.Range;
import dev.berth.model.config.RateLimit;
import dev.berth.model.config.ReplicaGroup;
import dev.berth.model.config.ServiceConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Services: replicas, scaling, probes, limits and models. */
final class Services {
  private static final int MAX_PROBES = 10;
  private static final Range<Integer> ONE_REPLICA = Range.exactly(1);

  static final RecordShape<ServiceConfiguration> SERVICE =
      RecordShape.of(ServiceConfiguration.class)
          .constant("type", "service")
          .inline("run", Runs.SETTINGS)
          .inline("profile", Profiles.PARAMS)
          .with(
              new Field<>(
                      "commands",
                      Runs.COMMANDS,
                      "the commands, run one after the other until one fails")
                  .orElse(List.of()))
          .with(
              new Field<>(
                      "port", Shorthands.SERVICE_PORT, "the port that the application listens on")
                  .required())
          .with(
              new Field<>(
                      "gateway",
                      new ServiceChoices.GatewayShape(),
                      "the gateway: its name, true for the default one, false for none")
                  .nullable())
          .with(
              new Field<>("strip_prefix", Scalars.BOOLEAN, "strip the proxy's path prefix")
                  .orElse(true))
          .with(
              new Field<>("model", ServiceParts.MODEL, "the language model that is served")
                  .nullable())
          .with(
              new Field<>("https", new ServiceChoices.HttpsShape(), "true, false or auto")
                  .nullable()
                  .filledWith(HttpsMode.TRUE))
          .with(new Field<>("auth", Scalars.BOOLEAN, "ask clients for a token").orElse(true))
          .with(
              new Field<>(
                      "scaling",
                      ServiceParts.SCALING,
                      "how the number of replicas follows the load")
                  .nullable())
          .with(
              new Field<>(
                      "rate_limits",
                      ListShape.of(ServiceParts.RATE_LIMIT),
                      "how many requests clients may make")
                  .orElse(List.of()))
          .with(
              new Field<>(
                      "probes",
                      ListShape.of(ServiceParts.PROBE),
                      "requests that tell whether a replica is ready")
                  .nullable())
          .with(
              new Field<>(
                      "replicas",
                      new ServiceChoices.ReplicasShape(true),
                      "how many replicas, such as 2 or 1..4")
                  .nullable())
          .with(
              new Field<>(
                      "groups",
                      new NamedGroups<>(
                          ListShape.of(ReplicaGroups.GROUP, 0, Counts.MOST_GROUPS),
                          ReplicaGroup::name,
                          ReplicaGroups::named),
                      "groups of different replicas")
                  .nullable())
          .check(
              List.of("replicas", "scaling", "groups"),
              (value, findings) -> {
                if (value.replicas() != null) {
                  ReplicaGroups.checkScaling(value.replicas(), value.scaling(), findings);
                } else if (value.scaling() != null && value.groups() == null) {
                  findings.warning(
                      Rule.SCALING_WITHOUT_REPLICAS,
                      "scaling",
                      "'scaling' has no effect on one replica; write a range, such as replicas:"
                          + " 1..4");
                }
              })
          .check(
              List.of("replicas", "groups"),
              (value, findings) -> {
                if (value.replicas() != null && value.groups() != null) {
                  findings.error(
                      Rule.REPLICAS_OR_GROUPS,
                      "replicas",
                      "'replicas' and 'groups' are mutually exclusive; write the number of replicas"
                          + " in each group");
                }
              })
          .check(List.of("rate_limits"), Services::checkPrefixes)
          .check(List.of("probes"), Services::checkProbes)
          .check(
              List.of("env", "probes"),
              (service, findings) ->
                  Interpolation.checkVariables("probes", service.run().env(), findings))
          .check(
              List.of("groups", "commands", "scaling"),
              (value, findings) -> {
                Runs.refuseWithGroups(
                    value.groups() != null && value.scaling() != null, "scaling", findings);
                Runs.refuseWithGroups(
                    value.groups() != null && !value.commands().isEmpty(), "commands", findings);
              })
          .check(List.of("groups", "commands", "image"), Services::checkRunsSomething)
          .check(
              List.of(
                  "groups",
                  "image",
                  "docker",
                  "python",
                  "nvcc",
                  "privileged",
                  "spot_policy",
                  "reservation"),
              GroupConflicts::check)
          .check(List.of("groups"), Services::checkRouter)
          .check(List.of("groups"), Counts::checkReplicas)
          .check(List.of("groups", "replicas", "schedule"), Services::checkSchedule)
          .check(List.of("groups", "commands", "replicas"), Services::checkCommands)
          .schemaRule(SchemaRules.excludes("replicas", "groups"))
          .schemaRule(
              Map.of(
                  "anyOf",
                  List.of(
                      SchemaRules.filled("commands"),
                      SchemaRules.set("image"),
                      SchemaRules.set("groups"),
                      SchemaRules.has("replicas", Map.of("type", "array")))))
          .schemaRule(
              SchemaRules.ifNot(
                  SchemaRules.set("image"),
                  SchemaRules.property(
                      "groups",
                      Map.of(
                          "items",
                          Map.of(
                              "anyOf",
                              List.of(SchemaRules.filled("commands"), SchemaRules.set("image")))))))
          .schemaRule(
              SchemaRules.property("probes", Map.of("maxItems", MAX_PROBES, "uniqueItems", true)))
          .schemaRule(
              SchemaRules.property(
                  "groups",
                  Map.of(
                      "contains", SchemaRules.set("router"), "minContains", 0, "maxContains", 1)))
          .schemaRule(GroupConflicts.schemaRule())
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.set("groups"),
                  "then",
                  Map.of(
                      "not",
                      SchemaRules.set("scaling"),
                      "properties",
                      Map.of("commands", Map.of("maxItems", 0)))))
          .filling(Services::filled)
          .removed("openai", "use 'model' instead")
          .removed("ports", "a service has one 'port'");

  private Services() {}

  private static void checkPrefixes(ServiceConfiguration service, Check.Findings findings) {
    Set<String> prefixes = new HashSet<>();
    for (RateLimit limit : service.rateLimits()) {
      if (!prefixes.add(limit.prefix())) {
        findings.error(
            Rule.RATE_LIMIT_PREFIXES,
            "rate_limits",
            "the prefix '" + Text.abbreviate(limit.prefix()) + "' has two limits; keep one");
      }
    }
  }

  private static void checkProbes(ServiceConfiguration service, Check.Findings findings) {
    List<ProbeSpec> probes = service.probes();
    if (probes == null) {
      return;
    }
    if (new HashSet<>(probes).size() < probes.size()) {
      findings.error(Rule.PROBES_UNIQUE, "probes", "two probes are the same; keep one");
    }
    if (probes.size() > MAX_PROBES) {
      findings.error(
          Rule.LIST_LENGTH,
          "probes",
          "a service has at most " + MAX_PROBES + " probes, found " + probes.size());
    }
  }

  private static void checkRunsSomething(ServiceConfiguration service, Check.Findings findings) {
    boolean hasImage = service.run().image() != null;
    List<ReplicaGroup> groups = service.groups();
    if (groups == null) {
      Runs.checkRunsSomething(service.commands(), hasImage, findings);
      return;
    }
    groups.stream()
        .filter(group -> group.commands().isEmpty() && group.image() == null && !hasImage)
        .forEach(
            group ->
                Runs.groupRunsNothing(group.name(), "write 'commands' or an 'image'", findings));
  }

  private static void checkRouter(ServiceConfiguration service, Check.Findings findings) {
    List<ReplicaGroup> groups = service.groups();
    if (groups == null) {
      return;
    }
    List<ReplicaGroup> routers = groups.stream().filter(group -> group.router() != null).toList();
    if (routers.size() > 1) {
      findings.error(Rule.ROUTER_GROUP, "groups", "only one group may have a 'router'");
    }
    routers.stream()
        .filter(group -> !group.replicas().equals(ONE_REPLICA))
        .forEach(
            group ->
                findings.error(
                    Rule.ROUTER_GROUP,
                    "groups",
                    "the group '"
                        + group.name()
                        + "' has a 'router' and so must have replicas: 1"));
  }

  private static void checkSchedule(ServiceConfiguration service, Check.Findings findings) {
    if (service.profile().schedule() == null) {
      return;
    }
    List<ReplicaGroup> groups = service.groups();
    Range<Integer> replicas = service.replicas();
    boolean none =
        groups == null
            ? replicas != null && Integer.valueOf(0).equals(replicas.min())
            : groups.stream().allMatch(group -> Integer.valueOf(0).equals(group.replicas().min()));
    if (none) {
      findings.error(
          Rule.SCHEDULE_WITHOUT_REPLICAS,
          "schedule",
          "a scheduled service needs at least one replica that always runs");
    }
  }

  private static void checkCommands(ServiceConfiguration service, Check.Findings findings) {
    List<ReplicaGroup> groups = service.groups();
    Range<Integer> replicas = service.replicas();
    List<Integer> sizes =
        groups == null
            ? List.of(replicas == null ? 1 : least(replicas))
            : groups.stream().map(group -> least(group.replicas())).toList();
    CommandCheck check = new CommandCheck("replicas", sizes);
    check.commands(findings.node("commands"), findings.at("commands"));
    check.groups(findings.node("groups"), findings.at("groups"));
  }

  private static int least(Range<Integer> replicas) {
    Integer min = replicas.min();
    return min == null ? 0 : min;
  }

  private static ServiceConfiguration filled(ServiceConfiguration service) {
    boolean oneReplica = service.replicas() == null && service.groups() == null;
    Range<Integer> replicas = oneReplica ? ONE_REPLICA : service.replicas();
    List<ProbeSpec> probes =
        service.probes() == null ? ModelProbe.of(service.model()) : service.probes();
    return new ServiceConfiguration(
        service.run(),
        service.profile(),
        service.commands(),
        service.port(),
        service.gateway(),
        service.stripPrefix(),
        service.model(),
        service.https(),
        service.auth(),
        // dstack takes scaling without replicas, and then keeps the one replica that there is.
        oneReplica ? null : service.scaling(),
        service.rateLimits(),
        probes,
        replicas,
        service.groups());
  }
}
