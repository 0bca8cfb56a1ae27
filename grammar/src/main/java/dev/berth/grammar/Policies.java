package dev.berth.grammar;

import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ServerConfiguration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The policies in the server's file: what others may run, and what is meant where they are silent.
 */
final class Policies {
  private static final Shape<List<String>> PATTERNS =
      new Patterns(ListShape.of(Words.NOT_EMPTY, 1, Integer.MAX_VALUE));

  private static final Shape<List<String>> FOLDERS =
      new Patterns(
          ListShape.of(
              Words.pattern(
                  "/(?!\\.\\.(/|$))(?!.*/\\.\\.(/|$)).*",
                  "an absolute path without '..', such as /data or /data/*"),
              1,
              Integer.MAX_VALUE));

  static final RecordShape<PolicyRule.Allow> ALLOW =
      RecordShape.of(PolicyRule.Allow.class)
          .with(patterns("backends", "the only backends, by name or type"))
          .with(patterns("regions", "the only regions"))
          .with(patterns("instance-types", "the only instance types"))
          .with(patterns("images", "the only images that runs may name"))
          .with(patterns("volumes", FOLDERS, "the only folders of machines that may be mounted"));

  static final RecordShape<PolicyRule.Deny> DENY =
      RecordShape.of(PolicyRule.Deny.class)
          .with(patterns("backends", "backends that may not be used, by name or type"))
          .with(patterns("regions", "regions that may not be used"))
          .with(patterns("instance-types", "instance types that may not be used"))
          .with(patterns("images", "images that may not be used"))
          .with(flag("privileged", "whether containers may not be privileged"))
          .with(flag("docker", "whether Docker may not be used inside containers"))
          .with(flag("spot", "whether interruptible machines may not be used"))
          .with(flag("volumes", "whether folders of machines may not be mounted"));

  static final RecordShape<PolicyRule.Limit> LIMIT =
      RecordShape.of(PolicyRule.Limit.class)
          .with(
              new Field<>("max-price", Profiles.PRICE, "dollars an hour of one node at most")
                  .nullable())
          .with(
              new Field<>("max-duration", Durations.DURATION, "how long a run lasts at most")
                  .nullable())
          .with(
              new Field<>(
                      "nodes",
                      Scalars.integer(1, Integer.MAX_VALUE),
                      "how many nodes a run or fleet has at most")
                  .nullable())
          .with(
              new Field<>(
                      "gpus",
                      Scalars.integer(0, Integer.MAX_VALUE),
                      "how many accelerators a node has at most")
                  .nullable());

  static final RecordShape<PolicyRule> RULE =
      RecordShape.of(PolicyRule.class)
          .with(new Field<>("name", Words.GROUP_NAME, "the name of the policy").required())
          .with(patterns("projects", "the projects that it concerns"))
          .with(patterns("users", "the users that it concerns"))
          .with(new Field<>("allow", ALLOW, "the only things that may be used").nullable())
          .with(new Field<>("deny", DENY, "what may not be used").nullable())
          .with(new Field<>("limit", LIMIT, "the most that may be asked for").nullable())
          .with(
              new Field<>(
                      "set",
                      new Unfilled<>(Profiles.PARAMS),
                      "what is meant where a file leaves a field out")
                  .nullable())
          .with(
              new Field<>("message", Words.NOT_EMPTY, "a sentence for those who are refused")
                  .nullable())
          .with(flag("dry-run", "whether it only tells what it would do"))
          .check(
              List.of("allow", "deny", "limit", "set"),
              (rule, findings) -> {
                if (rule.allow() == null
                    && rule.deny() == null
                    && rule.limit() == null
                    && rule.set() == null) {
                  findings.error(
                      Rule.POLICY_EMPTY,
                      "name",
                      "the policy does nothing; write 'allow', 'deny', 'limit' or 'set'");
                }
              })
          .schemaRule(
              Map.of(
                  "anyOf",
                  List.of(
                      SchemaRules.set("allow"),
                      SchemaRules.set("deny"),
                      SchemaRules.set("limit"),
                      SchemaRules.set("set"))));

  static final Shape<List<PolicyRule>> RULES = ListShape.of(RULE);

  private Policies() {}

  private static Field<List<String>> patterns(String name, String description) {
    return patterns(name, PATTERNS, description);
  }

  private static Field<List<String>> patterns(
      String name, Shape<List<String>> shape, String description) {
    return new Field<>(name, shape, description + "; * stands for any text")
        .nullable()
        .orElse(List.of());
  }

  private static Field<Boolean> flag(String name, String description) {
    return new Field<>(name, Scalars.BOOLEAN, description).orElse(false);
  }

  /** At least one, because an empty list could be taken for all as well as for none. */
  private record Patterns(ListShape<String> list) implements Shape<List<String>> {
    @Override
    public @Nullable List<String> read(Node node, Reading reading) {
      return list.read(node, reading);
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(list);
    }

    @Override
    public @Nullable Object write(List<String> value) {
      return value.isEmpty() ? null : list.write(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return list.schema(schemas);
    }
  }

  static void checkNames(ServerConfiguration server, Check.Findings findings) {
    List<PolicyRule> rules = server.policies();
    Set<String> names = new HashSet<>();
    for (PolicyRule rule : rules == null ? List.<PolicyRule>of() : rules) {
      if (!names.add(rule.name())) {
        findings.error(
            Rule.POLICY_NAMES,
            "policies",
            "the name '" + Text.abbreviate(rule.name()) + "' is used by two policies");
      }
    }
  }
}
