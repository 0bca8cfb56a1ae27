package dev.berth.grammar;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What our reader refuses and JSON Schema cannot, with the reason. A test keeps the list short. */
final class BeyondSchema {
  private static final String SUM = "JSON Schema cannot add";
  private static final String ORDER = "JSON Schema cannot compare two values";
  private static final String ONE_KEY = "uniqueItems compares whole items, not one key of them";
  private static final String UNITS = "JSON Schema cannot compare durations in different units";
  private static final String REFERENCES = "references depend on their place and on other fields";

  private static final String PARTS = "parts stand in any order";
  private static final String PRIVATE = "which addresses are private is a long table";
  private static final String KIND_OF_ADDRESS = "the limit depends on the kind of address";

  /** Broken before there is a JSON value, or a kind whose schema could judge it. */
  private static final Set<Rule> NO_VALUE = EnumSet.range(Rule.TOO_LARGE, Rule.PRESET_REFUSED);

  private static final Map<Rule, String> RULES =
      Map.ofEntries(
          Map.entry(Rule.GROUPS_TOTAL, SUM),
          Map.entry(Rule.NODES_CHARACTERS, SUM),
          Map.entry(Rule.RANGE_ORDER, ORDER),
          Map.entry(Rule.FLEET_NODES, ORDER),
          Map.entry(Rule.SCALING_AND_RANGE, ORDER),
          Map.entry(Rule.SCHEDULE_WITHOUT_REPLICAS, ORDER),
          Map.entry(Rule.SCALING_WINDOW, UNITS),
          Map.entry(Rule.UTILIZATION_WINDOW, UNITS),
          Map.entry(Rule.PROBE_TIMES, UNITS),
          Map.entry(Rule.OIDC_LIFETIME, UNITS),
          Map.entry(Rule.RETENTION, UNITS),
          Map.entry(Rule.CATALOG_REFRESH, UNITS),
          Map.entry(Rule.GROUP_NAMES, ONE_KEY),
          Map.entry(Rule.PROFILE_NAMES, ONE_KEY),
          Map.entry(Rule.PROJECT_NAMES, ONE_KEY),
          Map.entry(Rule.WEBHOOK_NAMES, ONE_KEY),
          Map.entry(Rule.POLICY_NAMES, ONE_KEY),
          Map.entry(Rule.RATE_LIMIT_PREFIXES, ONE_KEY),
          Map.entry(Rule.BACKEND_OPTIONS_TWICE, ONE_KEY),
          Map.entry(Rule.ENVIRONMENT_DUPLICATE, "a name is only a part of the item"),
          Map.entry(Rule.INTERPOLATION_SYNTAX, REFERENCES),
          Map.entry(Rule.INTERPOLATION_UNKNOWN, REFERENCES));

  /** Single values of rules that a schema can express in part. */
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("(Schedule.cron) = \"0 0 * * fri-mon\"", ORDER),
          Map.entry("(Schedule.cron) = \"*/90 * * * *\"", ORDER),
          Map.entry("(Schedule.cron) = \"0 0 1-9/9 * *\"", ORDER),
          Map.entry("(Schedule.cron) = \"0 5/19 * * *\"", ORDER),
          Map.entry("(FleetConfiguration.nodes) = 1..1001", "a number inside of a text"),
          Map.entry("(ResourcesSpec.gpu) = A100:H100", PARTS),
          Map.entry("(ResourcesSpec.gpu) = nvidia:amd", PARTS),
          Map.entry("(ResourcesSpec.gpu) = A100:1:2", PARTS),
          Map.entry("(ResourcesSpec.gpu) = 40GB:80GB", PARTS),
          Map.entry("(SshConfig.network) = 8.8.8.0/24", PRIVATE),
          Map.entry("(SshConfig.network) = 192.168.0.0/15", PRIVATE),
          Map.entry("(SshConfig.network) = 10.0.0.0/33", KIND_OF_ADDRESS),
          Map.entry("(SshConfig.network) = 10.0.0.0/255.0.255.0", "a mask is a row of bits"),
          Map.entry("(SshHost.internal_ip) = 8.8.8.8", PRIVATE));

  /** Giants would only test the validator's patience. */
  private static final int LARGEST = 10_000;

  private BeyondSchema() {}

  /** The files that a validator can get to see; merge keys are gone in what it sees. */
  static Stream<Case> judgeable(Stream<Case> cases) {
    return cases
        .filter(one -> one.bytes().length <= LARGEST && !one.text().contains("<<:"))
        .filter(one -> one.expected().filter(bad -> NO_VALUE.contains(bad.rule())).isEmpty());
  }

  static boolean contains(Case one) {
    return one.expected().filter(bad -> RULES.containsKey(bad.rule())).isPresent()
        || VALUES.keySet().stream().anyMatch(one.label()::endsWith);
  }

  /** Entries that no case needs. */
  static List<String> unused(List<Case> cases) {
    Stream<String> rules =
        RULES.keySet().stream()
            .filter(
                rule ->
                    cases.stream()
                        .noneMatch(
                            one -> one.expected().filter(bad -> bad.rule() == rule).isPresent()))
            .map(Rule::name);
    Stream<String> values =
        VALUES.keySet().stream()
            .filter(value -> cases.stream().noneMatch(one -> one.label().endsWith(value)));
    return Stream.concat(rules, values).toList();
  }
}
