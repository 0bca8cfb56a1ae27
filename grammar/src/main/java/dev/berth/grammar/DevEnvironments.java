package dev.berth.grammar;

import dev.berth.model.config.DevEnvironmentConfiguration;
import dev.berth.model.config.Ide;
import dev.berth.model.config.TimeLimit;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Dev environments: a place to work in with an editor or a shell. */
final class DevEnvironments {
  private static final String WINDSURF_VERSION = ".+@[a-f0-9]+";

  static final RecordShape<DevEnvironmentConfiguration> DEV_ENVIRONMENT =
      RecordShape.of(DevEnvironmentConfiguration.class)
          .constant("type", "dev-environment")
          .inline("run", Runs.SETTINGS)
          .inline("profile", Profiles.PARAMS)
          .with(new Field<>("ports", Runs.PORTS, "ports that are forwarded").orElse(List.of()))
          .with(
              new Field<>(
                      "ide",
                      new IdeShape(),
                      "the editor to make ready: vscode, cursor, windsurf, zed or none")
                  .nullable())
          .with(new Field<>("version", Scalars.TEXT, "the version of the editor").nullable())
          .with(
              new Field<>("init", Runs.COMMANDS, "commands that run at the start")
                  .orElse(List.of()))
          .with(
              new Field<>(
                      "inactivity_duration",
                      Durations.LIMIT,
                      "how long nobody may be connected before it is stopped")
                  .nullable()
                  .filledWith(TimeLimit.OFF))
          .check(List.of("ide", "version"), DevEnvironments::checkIdeVersion)
          .check(
              List.of("entrypoint"),
              (value, findings) -> {
                if (value.run().entrypoint() != null) {
                  findings.error(
                      Rule.ENTRYPOINT_OF_DEV_ENVIRONMENT,
                      "entrypoint",
                      "a dev environment has no 'entrypoint'; use 'init'");
                }
              })
          .check(
              List.of("dstack", "inactivity_duration"),
              (value, findings) -> {
                TimeLimit inactivity = value.inactivityDuration();
                if (value.run().dstack() && inactivity != null && !inactivity.isOff()) {
                  findings.error(
                      Rule.SERVER_ACCESS_AND_INACTIVITY,
                      "inactivity_duration",
                      "'inactivity_duration' does not work with 'dstack: true', whose connection"
                          + " counts as activity");
                }
              })
          .schemaRule(Map.of("not", SchemaRules.set("entrypoint")))
          .schemaRule(
              Map.of(
                  "if",
                  Map.of(
                      "required",
                      List.of("version"),
                      "properties",
                      Map.of(
                          "version", Map.of("type", List.of("string", "number"), "minLength", 1))),
                  "then",
                  SchemaRules.set("ide")))
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.is("ide", "windsurf"),
                  "then",
                  SchemaRules.property(
                      "version",
                      Map.of(
                          "type", List.of("string", "null"), "pattern", "^$|" + WINDSURF_VERSION))))
          .schemaRule(
              SchemaRules.excludes(
                  SchemaRules.is("dstack", true),
                  SchemaRules.has("inactivity_duration", SchemaRules.A_TIME)))
          .removed("commands", "use 'init' for commands that run at the start");

  private DevEnvironments() {}

  private static void checkIdeVersion(
      DevEnvironmentConfiguration environment, Check.Findings findings) {
    String version = environment.version();
    if (version == null || version.isEmpty()) {
      return;
    }
    if (environment.ide() == null) {
      findings.error(
          Rule.IDE_VERSION, "version", "'version' is the version of the editor; write 'ide' too");
    } else if (environment.ide() == Ide.WINDSURF && !version.matches(WINDSURF_VERSION)) {
      findings.error(
          Rule.IDE_VERSION,
          "version",
          "the version of windsurf is written version@commit, found '"
              + Text.abbreviate(version)
              + "'");
    }
  }

  /** An editor, or none. */
  private static final class IdeShape implements Shape<Ide> {
    private static final Shape<Ide> CHOICE = Scalars.choice(Ide.class);

    @Override
    public @Nullable Ide read(Node node, Reading reading) {
      return node instanceof Node.Scalar scalar && scalar.text().equals("none")
          ? null
          : CHOICE.read(node, reading);
    }

    @Override
    public @Nullable Object write(Ide value) {
      return CHOICE.write(value);
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(List.of(CHOICE.schema(schemas), Map.of("const", "none")));
    }
  }
}
