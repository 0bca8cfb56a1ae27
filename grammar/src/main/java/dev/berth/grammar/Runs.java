package dev.berth.grammar;

import dev.berth.grammar.Interpolation.Place;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.NodeGroup;
import dev.berth.model.config.PortMapping;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.TaskConfiguration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks, and what all runs share. */
final class Runs {
  static final Shape<List<String>> COMMANDS = ListShape.of(Scalars.TEXT);
  static final Shape<List<PortMapping>> PORTS = ListShape.of(Shorthands.PORT);
  static final Shape<Boolean> FLAG = Scalars.BOOLEAN;

  static final RecordShape<RegistryAuth> REGISTRY_AUTH =
      RecordShape.of(RegistryAuth.class)
          .with(new Field<>("username", Scalars.TEXT, "the user name").required())
          .with(new Field<>("password", Scalars.TEXT, "the password or token").required())
          .check(
              List.of("username", "password"),
              (value, findings) -> {
                Interpolation.check(
                    value.username(),
                    Place.CREDENTIALS,
                    findings.node("username"),
                    findings.at("username"));
                Interpolation.check(
                    value.password(),
                    Place.CREDENTIALS,
                    findings.node("password"),
                    findings.at("password"));
              });

  static final RecordShape<RunSettings> SETTINGS =
      RecordShape.of(RunSettings.class)
          .with(
              new Field<>("name", Words.NAME, "the name of the run; a random one otherwise")
                  .nullable())
          .with(new Field<>("image", Scalars.TEXT, "the container image").nullable())
          .with(
              new Field<>(
                      "user", Words.USER, "the user in the container, such as ubuntu or 1000:1000")
                  .nullable())
          .with(
              new Field<>("privileged", FLAG, "run the container in privileged mode").orElse(false))
          .with(
              new Field<>("entrypoint", Scalars.TEXT, "the entrypoint of the container").nullable())
          .with(
              new Field<>("working_dir", Scalars.TEXT, "the absolute path of the working directory")
                  .nullable())
          .with(
              new Field<>("registry_auth", REGISTRY_AUTH, "credentials for a private image")
                  .nullable())
          .with(
              new Field<>("python", Words.PYTHON, "the Python version of the default image")
                  .nullable())
          .with(new Field<>("nvcc", FLAG, "use an image with the CUDA compiler").nullable())
          .with(new Field<>("single_branch", FLAG, "clone only the current branch").nullable())
          .with(new Field<>("env", Maps.ENVIRONMENT, "environment variables").orElse(List.of()))
          .with(
              new Field<>(
                      "shell",
                      Words.SHELL,
                      "the shell of the commands: sh, bash or an absolute path")
                  .nullable())
          .with(
              new Field<>("resources", Resources.RESOURCES, "what the job needs of a machine")
                  .orEmptyMapping())
          .with(
              new Field<>(
                      "priority", Scalars.integer(0, 100), "0 to 100; higher runs are placed first")
                  .nullable()
                  .filledWith(0))
          .with(
              new Field<>("volumes", ListShape.of(Mounts.MOUNT), "what is mounted into the job")
                  .orElse(List.of()))
          .with(new Field<>("docker", FLAG, "run Docker inside the container").nullable())
          .with(
              new Field<>(
                      "repos", ListShape.of(Shorthands.REPO, 0, 1), "the git repository of the run")
                  .orElse(List.of()))
          .with(
              new Field<>(
                      "files", ListShape.of(Shorthands.FILE), "files and folders that the job gets")
                  .orElse(List.of()))
          .with(
              new Field<>("dstack", FLAG, "make the server's API reachable inside the job")
                  .orElse(false))
          .with(
              new Field<>("home_dir", Scalars.TEXT, "without effect since dstack 0.18.31")
                  .deprecated("remove it"))
          .with(
              new Field<>("setup", COMMANDS, "without effect since dstack 0.18.31")
                  .deprecated("put the commands at the start of 'commands' or 'init'"))
          .check(
              ImageSources.FIELDS,
              (run, findings) ->
                  new ImageSources(run.image(), run.python(), run.nvcc(), run.docker())
                      .check(findings))
          .check(List.of("env"), Runs::checkEnvironment)
          .check(List.of("volumes"), Runs::checkVolumeNames)
          .check(
              List.of("env", "registry_auth"),
              (run, findings) -> Interpolation.checkVariables("registry_auth", run.env(), findings))
          .schemaRules(ImageSources.schemaRules())
          .removed("build", "write the build steps as 'commands', or build an 'image'")
          .removed("cache", "mount a volume with 'volumes' instead")
          .removed("run_name", "use 'name' instead")
          .removed("repo_dir", "use 'path' of an item in 'repos' instead")
          .removed("gpu", "write it under 'resources'")
          .removed("workflows", "write one file per run with 'type: task'");

  static final RecordShape<NodeGroup> NODE_GROUP =
      RecordShape.of(NodeGroup.class)
          .with(
              new Field<>("name", Words.GROUP_NAME, "the name of the group; its position otherwise")
                  .nullable())
          .with(
              new Field<>("nodes", Scalars.integer(1, Counts.MOST_NODES), "how many nodes")
                  .orElse(1))
          .with(
              new Field<>("resources", Resources.RESOURCES, "what each node needs of a machine")
                  .orEmptyMapping())
          .with(new Field<>("commands", COMMANDS, "the commands of each node").orElse(List.of()))
          .with(new Field<>("ports", PORTS, "ports that are forwarded").orElse(List.of()));

  static final RecordShape<TaskConfiguration> TASK =
      RecordShape.of(TaskConfiguration.class)
          .constant("type", "task")
          .inline("run", SETTINGS)
          .inline("profile", Profiles.PARAMS)
          .with(
              new Field<>(
                      "commands", COMMANDS, "the commands, run one after the other until one fails")
                  .orElse(List.of()))
          .with(new Field<>("ports", PORTS, "ports that are forwarded").orElse(List.of()))
          .with(
              new Field<>("nodes", Scalars.integer(1, Counts.MOST_NODES), "how many nodes")
                  .nullable())
          .with(
              new Field<>(
                      "groups",
                      new NamedGroups<>(
                          ListShape.of(NODE_GROUP, 0, Counts.MOST_GROUPS),
                          NodeGroup::name,
                          Runs::named),
                      "groups of different nodes")
                  .nullable())
          .with(
              new Field<>(
                      "after",
                      ListShape.of(Words.NAME),
                      "names of runs that must succeed before this one begins")
                  .orElse(List.of()))
          .check(
              List.of("nodes", "groups"),
              (value, findings) -> {
                if (value.nodes() != null && value.groups() != null) {
                  findings.error(
                      Rule.NODES_OR_GROUPS,
                      "nodes",
                      "'nodes' and 'groups' are mutually exclusive; write the number of nodes in"
                          + " each group");
                }
              })
          .check(List.of("groups", "commands", "ports", "entrypoint"), Runs::checkTaskTopLevel)
          .check(List.of("groups", "commands", "image"), Runs::checkTaskRunsSomething)
          .check(List.of("groups", "commands"), Runs::checkTaskCommands)
          .check(List.of("groups"), Counts::checkNodes)
          .check(List.of("nodes", "groups", "commands", "env"), Counts::checkCharacters)
          .schemaRule(SchemaRules.excludes("nodes", "groups"))
          .schemaRule(
              Map.of(
                  "anyOf",
                  List.of(
                      SchemaRules.filled("commands"),
                      SchemaRules.set("image"),
                      SchemaRules.set("groups"))))
          .schemaRule(
              SchemaRules.ifNot(
                  SchemaRules.set("image"),
                  SchemaRules.property("groups", Map.of("items", SchemaRules.filled("commands")))))
          .schemaRule(
              Map.of(
                  "if",
                  SchemaRules.set("groups"),
                  "then",
                  Map.of(
                      "properties",
                      Map.of(
                          "commands",
                          Map.of("maxItems", 0),
                          "ports",
                          Map.of("maxItems", 0),
                          "entrypoint",
                          Map.of("type", "null")))))
          .filling(Runs::oneNode);

  private Runs() {}

  private static void checkEnvironment(RunSettings run, Check.Findings findings) {
    Reading at = findings.at("env");
    switch (findings.node("env")) {
      case Node.Mapping mapping ->
          mapping
              .entries()
              .forEach(
                  (name, entry) ->
                      checkReferences(entry.value(), Place.ENVIRONMENT, at.field(name)));
      case Node.Sequence sequence -> {
        int index = 0;
        for (Node item : sequence.items()) {
          checkReferences(item, Place.ENVIRONMENT, at.item(index++));
        }
      }
      case Node.Scalar _ -> {}
    }
  }

  private static void checkReferences(Node node, Place place, Reading reading) {
    if (node instanceof Node.Scalar scalar) {
      Interpolation.check(scalar.text(), place, node, reading);
    }
  }

  private static void checkVolumeNames(RunSettings run, Check.Findings findings) {
    if (!(findings.node("volumes") instanceof Node.Sequence sequence)) {
      return;
    }
    for (int index = 0; index < run.volumes().size(); index++) {
      Node item = sequence.items().get(index);
      Reading at = findings.at("volumes").item(index);
      if (run.volumes().get(index) instanceof MountPoint.VolumeMount volume) {
        volume.name().forEach(name -> Interpolation.check(name, Place.VOLUME_NAMES, item, at));
      }
    }
  }

  private static void checkTaskTopLevel(TaskConfiguration task, Check.Findings findings) {
    if (task.groups() == null) {
      return;
    }
    refuseWithGroups(!task.commands().isEmpty(), "commands", findings);
    refuseWithGroups(!task.ports().isEmpty(), "ports", findings);
    refuseWithGroups(task.run().entrypoint() != null, "entrypoint", findings);
  }

  static void refuseWithGroups(boolean written, String field, Check.Findings findings) {
    if (written) {
      findings.error(
          Rule.TOP_LEVEL_WITH_GROUPS,
          field,
          "'" + field + "' cannot be combined with 'groups'; write it in each group");
    }
  }

  private static void checkTaskRunsSomething(TaskConfiguration task, Check.Findings findings) {
    boolean hasImage = task.run().image() != null;
    List<NodeGroup> groups = task.groups();
    if (groups == null) {
      checkRunsSomething(task.commands(), hasImage, findings);
      return;
    }
    groups.stream()
        .filter(group -> group.commands().isEmpty() && !hasImage)
        .forEach(
            group ->
                groupRunsNothing(
                    group.name(), "write 'commands' in it, or an 'image' for the task", findings));
  }

  static void checkRunsSomething(List<String> commands, boolean hasImage, Check.Findings findings) {
    if (commands.isEmpty() && !hasImage) {
      findings.error(
          Rule.COMMANDS_OR_IMAGE,
          "commands",
          "there is nothing to run; write 'commands' or an 'image'");
    }
  }

  static void groupRunsNothing(@Nullable String name, String remedy, Check.Findings findings) {
    findings.error(
        Rule.GROUP_COMMANDS, "groups", "the group '" + name + "' has nothing to run; " + remedy);
  }

  private static void checkTaskCommands(TaskConfiguration task, Check.Findings findings) {
    List<NodeGroup> groups = task.groups();
    List<Integer> sizes =
        groups == null
            ? List.of(task.nodes() == null ? 1 : task.nodes())
            : groups.stream().map(NodeGroup::nodes).toList();
    CommandCheck check = new CommandCheck("nodes", sizes);
    check.commands(findings.node("commands"), findings.at("commands"));
    check.groups(findings.node("groups"), findings.at("groups"));
  }

  private static TaskConfiguration oneNode(TaskConfiguration task) {
    return task.nodes() != null || task.groups() != null
        ? task
        : new TaskConfiguration(
            task.run(), task.profile(), task.commands(), task.ports(), 1, null, task.after());
  }

  private static NodeGroup named(NodeGroup group, String name) {
    return new NodeGroup(name, group.nodes(), group.resources(), group.commands(), group.ports());
  }
}
