package dev.berth.planning.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.RepoSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.UtilizationPolicy;
import dev.berth.planning.Unsupported;
import dev.berth.planning.testing.TaskBuilder;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Fields that cannot be honoured are refused with a sentence each. */
final class TaskPlannerTest {
  static Stream<Arguments> onHosts() {
    return Stream.of(
        refused(
            "image",
            "this machine runs commands without containers; remove 'image', or use a backend that"
                + " runs containers",
            task -> task.image = "ubuntu"),
        refused(
            "nvcc",
            "this machine runs commands without containers, so there is no image with nvcc",
            task -> task.nvcc = true),
        refused(
            "docker",
            "this machine runs commands without containers, so Docker is not available inside one",
            task -> task.docker = true),
        refused(
            "registry_auth",
            "this machine runs commands without containers, so no registry is used",
            task -> task.registryAuth = new RegistryAuth("ann", "secret")),
        refused(
            "privileged",
            "this machine runs commands without containers",
            task -> task.privileged = true),
        refused(
            "entrypoint",
            "this machine runs commands without containers; move the entrypoint to 'commands'",
            task -> task.entrypoint = "/bin/sh"),
        refused(
            "user",
            "this machine runs commands as the user of the server",
            task -> task.user = "1000"),
        refused(
            "volumes",
            "volumes are not mounted on this machine; use its folders in the commands directly",
            task -> task.volumes.add(new MountPoint.InstanceMount("/data", "/data", false))));
  }

  private static Arguments repository(
      String field,
      String message,
      @Nullable String url,
      @Nullable String hash,
      @Nullable String token,
      @Nullable String key) {
    return refused(
        "repos[0]" + field,
        message,
        task ->
            task.repos.add(
                new RepoSpec(
                    url == null ? "." : null,
                    url,
                    null,
                    hash,
                    ".",
                    RepoSpec.IfExists.ERROR,
                    null,
                    token,
                    key)));
  }

  private static Arguments webCredentials(String url) {
    return repository(
        ".url",
        "an address with credentials would be stored with the run. Remove them, save the token with"
            + " 'berth secret set NAME' and write token: ${{ secrets.NAME }}, or token: USER:${{"
            + " secrets.NAME }} if a user name is needed",
        url,
        null,
        null,
        null);
  }

  static Stream<Arguments> yet() {
    return Stream.of(
        repository(
            "",
            "'local_path' only works with berth apply; other clients send 'url', 'hash' and an"
                + " upload of the 'changes'",
            null,
            null,
            null,
            null),
        repository(
            ".url",
            "an address with a password would be stored with the run. Save the password with 'berth"
                + " secret set NAME' and write token: ${{ secrets.NAME }}",
            "ssh://ann:p@ss@git.example/train.git",
            null,
            null,
            null),
        webCredentials("https://ann:word@git.example/train.git"),
        webCredentials("https://ghp_word@git.example/train.git"),
        webCredentials("https://ann:p@ss@git.example/train.git"),
        webCredentials("HTTP://word@git.example/train.git"),
        webCredentials("https::https://word@git.example/train.git"),
        repository(
            ".hash",
            "expected a commit hash of 4 to 64 hexadecimal digits",
            "https://git.example/train.git",
            "--upload-pack=evil",
            null,
            null),
        repository(
            ".token",
            "credentials are not stored with runs; save it with 'berth secret set NAME' and write"
                + " ${{ secrets.NAME }} here",
            "https://git.example/train.git",
            null,
            "word",
            null),
        repository(
            ".token",
            "'token' only works with http(s) addresses; use 'ssh_key' for this one",
            "git@git.example:train.git",
            null,
            "${{ secrets.git }}",
            null),
        repository(
            ".ssh_key",
            "'ssh_key' only works with SSH addresses; use 'token' for this one",
            "https://git.example/train.git",
            null,
            null,
            "${{ secrets.git }}"),
        refused(
            "dstack",
            "access to the server from inside jobs is not supported yet",
            task -> task.dstack = true),
        refused(
            "utilization_policy",
            "the policy needs a GPU, but no node requests one; add one to 'resources' or remove the"
                + " policy",
            task -> task.utilization = new UtilizationPolicy(10, Duration.ofHours(1))),
        refused(
            "env.TOKEN",
            "the variable has no value; set it in your environment or with -e TOKEN=VALUE",
            task -> task.environment.add(new EnvironmentVariable("TOKEN", null))),
        refused(
            "commands[0]",
            "a secret is used inside single quotes, where shells expand nothing; use double quotes,"
                + " or assign it to a variable in 'env' and use that",
            task -> task.commands = List.of("echo 'it is ${{ secrets.token }}'")));
  }

  private static Arguments refused(String path, String message, Consumer<TaskBuilder> change) {
    TaskBuilder task = TaskBuilder.task();
    change.accept(task);
    return Arguments.of(path, message, task);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("onHosts")
  void whatNeedsAContainerIsRefusedOnHosts(String path, String message, TaskBuilder task) {
    assertThat(task.plan().unsupported().onHosts()).containsExactly(new Unsupported(path, message));
    assertThat(task.plan().unsupported().anywhere()).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("yet")
  void whatIsNotThereYetIsRefusedEverywhere(String path, String message, TaskBuilder task) {
    assertThat(task.plan().unsupported().anywhere())
        .containsExactly(new Unsupported(path, message));
    assertThat(task.plan().unsupported().onHosts()).isEmpty();
  }

  @Test
  void aPlainTaskIsRefusedNothing() {
    TaskBuilder task = TaskBuilder.task().cpus(2).memory(1_000).gpus(1);
    task.utilization = new UtilizationPolicy(10, Duration.ofHours(1));
    task.nodes = 1;
    task.retry = RetryPolicy.OFF;
    task.nvcc = false;
    task.docker = false;
    task.environment.add(new EnvironmentVariable("COLOUR", "blue"));
    assertThat(task.plan().unsupported().anywhere()).isEmpty();
    assertThat(task.plan().unsupported().onHosts()).isEmpty();
  }

  @Test
  void allThatIsWrongIsToldTogether() {
    TaskBuilder task = TaskBuilder.task();
    task.image = "ubuntu";
    task.user = "root";
    task.dstack = true;
    assertThat(task.plan().unsupported().onHosts())
        .extracting(Unsupported::path)
        .containsExactly("image", "user");
    assertThat(task.plan().unsupported().anywhere())
        .extracting(Unsupported::path)
        .containsExactly("dstack");
  }
}
