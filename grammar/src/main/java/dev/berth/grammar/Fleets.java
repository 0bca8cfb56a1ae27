package dev.berth.grammar;

import dev.berth.model.config.Blocks;
import dev.berth.model.config.FleetConfiguration;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.FleetPlacement;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.SshConfig;
import dev.berth.model.config.SshHost;
import dev.berth.model.config.SshProxy;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Fleets: machines created in a cloud, or reached over SSH. */
final class Fleets {
  private static final TimeLimit IDLE_DURATION = TimeLimit.of(Duration.ofDays(3));
  private static final Shape<Integer> PORT = Scalars.integer(1, Shorthands.MAX_PORT);
  private static final List<String> CLOUD_FIELDS =
      List.of(
          "nodes",
          "reservation",
          "resources",
          "backends",
          "regions",
          "availability_zones",
          "instance_types",
          "spot_policy",
          "retry",
          "max_price",
          "idle_duration",
          "tags",
          "backend_options");

  static final Shape<Blocks> BLOCKS = new BlocksShape();

  static final RecordShape<SshProxy> PROXY =
      RecordShape.of(SshProxy.class)
          .with(new Field<>("hostname", Scalars.TEXT, "the proxy's name or address").required())
          .with(new Field<>("port", PORT, "the proxy's SSH port").nullable())
          .with(new Field<>("user", Scalars.TEXT, "the user on the proxy").required())
          .with(
              new Field<>("identity_file", Scalars.TEXT, "the private key for the proxy")
                  .required());

  static final RecordShape<SshHost> HOST_RECORD =
      RecordShape.of(SshHost.class)
          .with(new Field<>("hostname", Scalars.TEXT, "the host's name or address").required())
          .with(new Field<>("port", PORT, "the SSH port of this host").nullable())
          .with(new Field<>("user", Scalars.TEXT, "the user on this host").nullable())
          .with(
              new Field<>("identity_file", Scalars.TEXT, "the private key for this host")
                  .nullable())
          .with(new Field<>("proxy_jump", PROXY, "the proxy that leads to this host").nullable())
          .with(
              new Field<>(
                      "internal_ip",
                      Addresses.PRIVATE_ADDRESS,
                      "the address that other hosts of the fleet use")
                  .nullable())
          .with(new Field<>("blocks", BLOCKS, "how many parts the host is split into").nullable());

  static final Shape<SshHost> HOST =
      new Shorthands.OneLine<>(
          HOST_RECORD,
          Scalars.TEXT.schema(new SchemaBuilder()),
          (text, node, reading) -> new SshHost(text, null, null, null, null, null, null));

  static final RecordShape<SshConfig> SSH =
      RecordShape.of(SshConfig.class)
          .with(new Field<>("user", Scalars.TEXT, "the user on all hosts").nullable())
          .with(new Field<>("port", PORT, "the SSH port of all hosts").nullable())
          .with(
              new Field<>("identity_file", Scalars.TEXT, "the private key for all hosts")
                  .nullable())
          .with(new Field<>("proxy_jump", PROXY, "the proxy that leads to all hosts").nullable())
          .with(new Field<>("hosts", ListShape.of(HOST), "the hosts").required())
          .with(
              new Field<>(
                      "network",
                      Addresses.PRIVATE_NETWORK,
                      "the private network of the hosts, such as 10.0.0.0/16")
                  .nullable())
          .check(List.of("hosts", "network"), Fleets::checkInternalAddresses)
          .check(List.of("hosts", "user", "identity_file"), Fleets::checkAccess)
          .schemaRule(SchemaRules.property("hosts", Map.of("minItems", 1)))
          .schemaRule(
              SchemaRules.ifNot(
                  SchemaRules.set("user"), SchemaRules.property("hosts", allHostsWith("user"))))
          .schemaRule(
              SchemaRules.ifNot(
                  SchemaRules.set("identity_file"),
                  SchemaRules.property("hosts", allHostsWith("identity_file"))))
          .schemaRule(
              SchemaRules.property(
                  "hosts",
                  Map.of("anyOf", List.of(noHostWith("internal_ip"), allHostsWith("internal_ip")))))
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.set("network"),
                  "then",
                  SchemaRules.property("hosts", noHostWith("internal_ip"))));

  static final RecordShape<FleetNodes> NODES_RECORD =
      RecordShape.of(FleetNodes.class)
          .with(
              new Field<>(
                      "min", Scalars.integer(0, Counts.MOST_NODES), "how many instances are kept")
                  .nullable()
                  .orElse(0))
          .with(
              new Field<>(
                      "target",
                      Scalars.integer(0, Counts.MOST_NODES),
                      "how many instances are created at first; min otherwise")
                  .nullable()
                  .orElse(-1))
          .with(
              new Field<>(
                      "max",
                      Scalars.integer(0, Counts.MOST_NODES),
                      "how many instances there may be")
                  .nullable());

  static final RecordShape<FleetConfiguration> FLEET =
      RecordShape.of(FleetConfiguration.class)
          .constant("type", "fleet")
          .with(new Field<>("name", Words.NAME, "the name of the fleet").nullable())
          .with(
              new Field<>("placement", Scalars.choice(FleetPlacement.class), "any or cluster")
                  .nullable()
                  .filledWith(FleetPlacement.ANY))
          .with(
              new Field<>("blocks", BLOCKS, "how many parts each instance is split into, or auto")
                  .orElse(Blocks.WHOLE))
          .with(
              new Field<>(
                      "nodes",
                      new NodesShape(),
                      "how many instances, such as 2, 1..4 or a mapping of min, target, max")
                  .nullable())
          .with(
              new Field<>("reservation", Scalars.TEXT, "an existing reservation to use").nullable())
          .with(
              new Field<>("resources", Resources.RESOURCES, "what each instance must have")
                  .nullable())
          .with(new Field<>("backends", Profiles.TEXTS, "the backends that may be used").nullable())
          .with(new Field<>("regions", Profiles.TEXTS, "the regions that may be used").nullable())
          .with(
              new Field<>("availability_zones", Profiles.TEXTS, "the zones that may be used")
                  .nullable())
          .with(
              new Field<>("instance_types", Profiles.TEXTS, "the instance types that may be used")
                  .nullable())
          .with(
              new Field<>("spot_policy", Profiles.SPOT, "spot, on-demand or auto")
                  .nullable()
                  .filledWith(SpotPolicy.ON_DEMAND))
          .with(
              new Field<>("retry", Profiles.RETRY, "whether creating instances is tried again")
                  .nullable()
                  .filledWith(RetryPolicy.OFF))
          .with(
              new Field<>("max_price", Profiles.PRICE, "the highest price per hour, in dollars")
                  .nullable())
          .with(
              new Field<>(
                      "idle_duration", Durations.IDLE_LIMIT, "how long an idle instance is kept")
                  .nullable()
                  .filledWith(IDLE_DURATION))
          .with(new Field<>("tags", Maps.TAGS, "tags for the fleet and its instances").nullable())
          .with(
              new Field<>("backend_options", Profiles.BACKEND_OPTIONS, "settings for one backend")
                  .nullable())
          .with(new Field<>("ssh_config", SSH, "the hosts of an SSH fleet").nullable())
          .with(
              new Field<>(
                      "env", Maps.ENVIRONMENT, "environment variables of every job on an SSH fleet")
                  .orElse(List.of()))
          .check(
              List.of("nodes", "ssh_config"),
              (value, findings) -> {
                if ((value.nodes() == null) == (value.sshConfig() == null)) {
                  findings.error(
                      Rule.FLEET_KIND,
                      "nodes",
                      value.nodes() == null
                          ? "a fleet needs either 'nodes' or 'ssh_config'"
                          : "'nodes' and 'ssh_config' are mutually exclusive; keep one");
                }
              })
          .check(List.of("ssh_config"), Fleets::checkKindOfFields)
          .schemaRule(
              Map.of("oneOf", List.of(SchemaRules.set("nodes"), SchemaRules.set("ssh_config"))))
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.set("ssh_config"),
                  "then",
                  Map.of("properties", nothingAtCloudFields()),
                  "else",
                  SchemaRules.property("env", Map.of("maxItems", 0, "maxProperties", 0))))
          .removed("instances", "use 'nodes', or 'ssh_config' with 'hosts'")
          .removed("termination_policy", "use 'idle_duration' instead (off for dont-destroy)")
          .removed("termination_idle_time", "use 'idle_duration' instead")
          .removed("retry_policy", "use 'retry' instead");

  private Fleets() {}

  private static Map<String, Object> noHostWith(String field) {
    return Map.of(
        "items", Map.of("not", Map.of("type", "object", "allOf", List.of(SchemaRules.set(field)))));
  }

  private static Map<String, Object> allHostsWith(String field) {
    return Map.of("items", Map.of("type", "object", "allOf", List.of(SchemaRules.set(field))));
  }

  private static Map<String, Object> nothingAtCloudFields() {
    Map<String, Object> properties = new LinkedHashMap<>();
    CLOUD_FIELDS.forEach(field -> properties.put(field, Map.of("type", "null")));
    return properties;
  }

  private static void checkKindOfFields(FleetConfiguration fleet, Check.Findings findings) {
    if (fleet.sshConfig() != null) {
      CLOUD_FIELDS.stream()
          .filter(field -> !field.equals("nodes") && findings.isWritten(field))
          .forEach(
              field ->
                  findings.error(
                      Rule.FLEET_FIELDS,
                      field,
                      "'"
                          + field
                          + "' is for fleets with 'nodes'; hosts of 'ssh_config' are used as they"
                          + " are"));
    } else if (findings.isWritten("env") && !fleet.env().isEmpty()) {
      findings.error(
          Rule.FLEET_FIELDS,
          "env",
          "'env' is for fleets with 'ssh_config'; write it in the run's file");
    }
  }

  private static void checkInternalAddresses(SshConfig ssh, Check.Findings findings) {
    long given = ssh.hosts().stream().filter(host -> host.internalIp() != null).count();
    if (given != 0 && given != ssh.hosts().size()) {
      findings.error(
          Rule.SSH_HOSTS,
          "hosts",
          "only some hosts have 'internal_ip'; set it for all of them or for none");
    }
    if (given > 0 && ssh.network() != null) {
      findings.error(
          Rule.SSH_HOSTS,
          "network",
          "'network' and 'internal_ip' are mutually exclusive; keep one");
    }
    if (ssh.hosts().isEmpty()) {
      findings.error(Rule.SSH_HOSTS, "hosts", "the list of hosts is empty");
    }
  }

  private static void checkAccess(SshConfig ssh, Check.Findings findings) {
    if (ssh.user() == null) {
      everyHostHas("user", SshHost::user, ssh, findings);
    }
    if (ssh.identityFile() == null) {
      everyHostHas("identity_file", SshHost::identityFile, ssh, findings);
    }
  }

  private static void everyHostHas(
      String field,
      Function<SshHost, @Nullable String> value,
      SshConfig ssh,
      Check.Findings findings) {
    ssh.hosts().stream()
        .filter(host -> value.apply(host) == null)
        .findFirst()
        .ifPresent(
            host ->
                findings.error(
                    Rule.SSH_HOSTS,
                    "hosts",
                    "the host '"
                        + Text.abbreviate(host.hostname())
                        + "' has no '"
                        + field
                        + "'; write it for the host or for all of them"));
  }

  /** {@code auto}, or a number of blocks. */
  private static final class BlocksShape implements Shape<Blocks> {
    private static final Shape<Integer> COUNT = Scalars.integer(1, Integer.MAX_VALUE);

    @Override
    public @Nullable Blocks read(Node node, Reading reading) {
      if (node instanceof Node.Scalar scalar && scalar.text().equals("auto")) {
        return Blocks.AUTO;
      }
      Integer count = COUNT.read(node, reading);
      return count == null ? null : new Blocks(count);
    }

    @Override
    public Object write(Blocks value) {
      Integer count = value.count();
      return count == null ? "auto" : count;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(Map.of("const", "auto"), COUNT.schema(schemas)));
    }
  }

  /** {@code 2}, {@code 1..4}, {@code 0..}, or a mapping of min, target and max. */
  private static final class NodesShape implements Shape<FleetNodes> {
    private static final RangeShape<Integer> COUNT = RangeShape.upTo(Counts.MOST_NODES);

    @Override
    public @Nullable FleetNodes read(Node node, Reading reading) {
      if (node instanceof Node.Scalar) {
        var range = COUNT.read(node, reading);
        if (range == null) {
          return null;
        }
        Integer min = range.min();
        return new FleetNodes(min == null ? 0 : min, min == null ? 0 : min, range.max());
      }
      FleetNodes nodes = NODES_RECORD.read(node, reading);
      if (nodes == null) {
        return null;
      }
      FleetNodes targeted =
          nodes.target() < 0 ? new FleetNodes(nodes.min(), nodes.min(), nodes.max()) : nodes;
      Integer max = targeted.max();
      if (targeted.target() < targeted.min()
          || (max != null && (max < targeted.min() || max < targeted.target()))) {
        reading.error(
            Rule.FLEET_NODES,
            node,
            "expected min <= target <= max, found "
                + targeted.min()
                + ", "
                + targeted.target()
                + ", "
                + (max == null ? "no max" : max));
        return null;
      }
      return targeted;
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(NODES_RECORD);
    }

    @Override
    public Object write(FleetNodes value) {
      Map<String, @Nullable Object> written = new LinkedHashMap<>();
      written.put("min", value.min());
      written.put("target", value.target());
      written.put("max", value.max());
      return written;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      Map<String, Object> line =
          Map.of(
              "type",
              "string",
              "pattern",
              "^" + COUNT.syntax() + "$",
              "not",
              Map.of("pattern", "^\\s*\\.\\.\\s*$"));
      return SchemaBuilder.anyOf(
          List.of(COUNT.bound().numberSchema(), line, NODES_RECORD.schema(schemas)));
    }
  }
}
