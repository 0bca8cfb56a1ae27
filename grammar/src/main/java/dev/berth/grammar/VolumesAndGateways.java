package dev.berth.grammar;

import dev.berth.grammar.Interpolation.Place;
import dev.berth.model.config.GatewayConfiguration;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.config.VolumeConfiguration;
import java.util.List;
import java.util.Map;

/** Volumes and gateways: things that live at one backend. */
final class VolumesAndGateways {
  /** Backends whose volumes are everywhere and grow as they are filled. */
  private static final List<String> UNSIZED = List.of("daytona", "lium");

  private static final List<String> FIELDS_OF_SIZED =
      List.of("region", "availability_zone", "size");

  static final RecordShape<VolumeConfiguration> VOLUME =
      RecordShape.of(VolumeConfiguration.class)
          .constant("type", "volume")
          .with(new Field<>("name", Words.NAME, "the name of the volume").nullable())
          .with(new Field<>("backend", Words.NOT_EMPTY, "the backend that holds it").required())
          .with(new Field<>("region", Scalars.TEXT, "the region").nullable())
          .with(new Field<>("availability_zone", Scalars.TEXT, "the zone").nullable())
          .with(
              new Field<>("size", Sizes.SIZE, "the size of a new volume")
                  .nullable()
                  .normalised("size_mib"))
          .with(new Field<>("volume_id", Scalars.TEXT, "the id of an existing volume").nullable())
          .with(new Field<>("claim_name", Scalars.TEXT, "the name of an existing claim").nullable())
          .with(
              new Field<>("storage_class_name", Scalars.TEXT, "the storage class of a new claim")
                  .nullable())
          .with(
              new Field<>("access_modes", Profiles.TEXTS, "the access modes of a new claim")
                  .nullable())
          .with(new Field<>("read_only", Scalars.BOOLEAN, "mount it read-only").nullable())
          .with(
              new Field<>(
                      "auto_cleanup_duration",
                      Durations.IDLE_LIMIT,
                      "how long an unused volume is kept")
                  .nullable()
                  .filledWith(TimeLimit.OFF))
          .with(new Field<>("tags", Maps.TAGS, "tags for the volume").nullable())
          .check(
              List.of("backend", "size", "volume_id", "claim_name"),
              (value, findings) -> {
                if (!UNSIZED.contains(value.backend())
                    && value.size() == null
                    && value.volumeId() == null
                    && value.claimName() == null) {
                  findings.error(
                      Rule.VOLUME_SOURCE,
                      "size",
                      "a volume needs a 'size' to be created, or 'volume_id' or 'claim_name' of an"
                          + " existing one");
                }
              })
          .check(
              List.of("backend"),
              (value, findings) -> {
                if (UNSIZED.contains(value.backend())) {
                  FIELDS_OF_SIZED.stream()
                      .filter(findings::isWritten)
                      .forEach(
                          field ->
                              findings.error(
                                  Rule.VOLUME_FIELDS,
                                  field,
                                  "a volume of "
                                      + value.backend()
                                      + " has no '"
                                      + field
                                      + "'; remove it"));
                }
              })
          .check(
              List.of("volume_id", "claim_name", "auto_cleanup_duration"),
              (value, findings) -> {
                TimeLimit cleanup = value.autoCleanupDuration();
                if ((value.volumeId() != null || value.claimName() != null)
                    && cleanup != null
                    && !cleanup.isOff()) {
                  findings.error(
                      Rule.VOLUME_CLEANUP,
                      "auto_cleanup_duration",
                      "an existing volume is never deleted, so it has no 'auto_cleanup_duration'");
                }
              })
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.has("backend", Map.of("enum", UNSIZED)),
                  "then",
                  Map.of(
                      "not",
                      Map.of("anyOf", FIELDS_OF_SIZED.stream().map(SchemaRules::set).toList())),
                  "else",
                  Map.of(
                      "anyOf",
                      List.of(
                          SchemaRules.set("size"),
                          SchemaRules.set("volume_id"),
                          SchemaRules.set("claim_name")))))
          .schemaRule(
              SchemaRules.excludes(
                  Map.of(
                      "anyOf",
                      List.of(SchemaRules.set("volume_id"), SchemaRules.set("claim_name"))),
                  SchemaRules.has("auto_cleanup_duration", SchemaRules.A_TIME)));

  static final RecordShape<GatewayConfiguration> GATEWAY =
      RecordShape.of(GatewayConfiguration.class)
          .constant("type", "gateway")
          .with(new Field<>("name", Words.NAME, "the name of the gateway").nullable())
          .with(
              new Field<>("default", Scalars.BOOLEAN, "whether services use it that name none")
                  .component("isDefault")
                  .nullable())
          .with(new Field<>("backend", Words.NOT_EMPTY, "the backend that runs it").required())
          .with(new Field<>("region", Scalars.TEXT, "the region").required())
          .with(new Field<>("instance_type", Words.NOT_EMPTY, "the instance type").nullable())
          .with(
              new Field<>("domain", Scalars.TEXT, "the wildcard domain, such as example.com")
                  .nullable())
          .with(new Field<>("public_ip", Scalars.BOOLEAN, "give it a public address").orElse(true))
          .with(
              new Field<>(
                      "load_balancer",
                      GatewayCertificates.LOAD_BALANCER,
                      "a load balancer in front of it")
                  .nullable())
          .with(
              new Field<>(
                      "certificate",
                      GatewayCertificates.CERTIFICATE,
                      "who issues its certificate; null for none")
                  .orElse(GatewayCertificates.LETS_ENCRYPT)
                  .keepingNull())
          .with(
              new Field<>(
                      "replicas", Scalars.integer(1, Counts.MOST_GATEWAYS), "how many instances")
                  .nullable()
                  .filledWith(1))
          .with(new Field<>("tags", Maps.TAGS, "tags for the gateway").nullable())
          .check(
              List.of("domain"),
              (value, findings) -> {
                if (value.domain() != null) {
                  Interpolation.check(
                      value.domain(),
                      Place.GATEWAY_DOMAIN,
                      findings.node("domain"),
                      findings.at("domain"));
                }
              })
          .check(
              List.of("backend", "public_ip", "load_balancer", "certificate", "replicas"),
              GatewayCertificates::check)
          .schemaRules(GatewayCertificates.schemaRules())
          .removed("wildcard_domain", "use 'domain' instead");

  private VolumesAndGateways() {}
}
