package dev.berth.decisions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.config.EnvironmentVariable;
import dev.berth.model.config.MountPoint;
import dev.berth.model.config.RegistryAuth;
import dev.berth.model.config.RepoSpec;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.UtilizationPolicy;
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
final class JobPlannerTest {
  static Stream<Arguments> onHosts() {
    return Stream.of(
        refused(
            "image",
            "this machine runs commands without an image; remove it, or use a backend that runs"
                + " containers",
            task -> task.image = "ubuntu"),
        refused(
            "nvcc",
            "this machine runs commands without an image, so there is none with nvcc",
            task -> task.nvcc = true),
        refused(
            "docker",
            "this machine runs commands without an image, so there is no Docker inside of one",
            task -> task.docker = true),
        refused(
            "registry_auth",
            "this machine runs commands without an image, so there is no registry to log in to",
            task -> task.registryAuth = new RegistryAuth("ann", "secret")),
        refused(
            "privileged",
            "this machine runs commands without a container",
            task -> task.privileged = true),
        refused(
            "entrypoint",
            "this machine runs commands without an image; put it into 'commands'",
            task -> task.entrypoint = "/bin/sh"),
        refused(
            "user",
            "this machine runs commands as the user of the server",
            task -> task.user = "1000"),
        refused(
            "volumes",
            "volumes are not mounted on this machine; name its folders in the commands",
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
        "an address with a user, a token or a password in it would be kept with the run; write it"
            + " without that, keep the token with 'berth secret set NAME', and write token: ${{"
            + " secrets.NAME }}, or token: USER:${{ secrets.NAME }} where a user belongs to it",
        url,
        null,
        null,
        null);
  }

  static Stream<Arguments> yet() {
    return Stream.of(
        repository(
            "",
            "the folder was not looked at; berth apply does that, and others name its 'url', 'hash'"
                + " and an upload of the 'changes'",
            null,
            null,
            null,
            null),
        repository(
            ".url",
            "an address with a password in it would be kept with the run; keep the password with"
                + " 'berth secret set NAME', and write token: ${{ secrets.NAME }}",
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
            "a commit is named by 4 to 64 hexadecimal digits",
            "https://git.example/train.git",
            "--upload-pack=evil",
            null,
            null),
        repository(
            ".token",
            "credentials are not kept with runs; keep it with 'berth secret set NAME', and write"
                + " ${{ secrets.NAME }} here",
            "https://git.example/train.git",
            null,
            "word",
            null),
        repository(
            ".token",
            "only http addresses take a token; use 'ssh_key' for this one",
            "git@git.example:train.git",
            null,
            "${{ secrets.git }}",
            null),
        repository(
            ".ssh_key",
            "only SSH addresses take a key; use 'token' for this one",
            "https://git.example/train.git",
            null,
            null,
            "${{ secrets.git }}"),
        refused(
            "dstack",
            "the server is not reachable inside jobs in this version",
            task -> task.dstack = true),
        refused(
            "utilization_policy",
            "no node of the run asks for a GPU, so there is none that could idle; ask for one in"
                + " 'resources', or remove the policy",
            task -> task.utilization = new UtilizationPolicy(10, Duration.ofHours(1))),
        refused(
            "env.TOKEN",
            "the variable has no value; set it in your environment or with -e TOKEN=VALUE",
            task -> task.environment.add(new EnvironmentVariable("TOKEN", null))),
        refused(
            "commands[0]",
            "a secret stands between single quotes, where shells put nothing in; use double quotes,"
                + " or give it to a variable in 'env', and use that",
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
    assertThat(JobPlanner.unsupportedOnHosts(task.build()))
        .containsExactly(new JobPlanner.Unsupported(path, message));
    assertThat(JobPlanner.unsupportedYet(task.build())).isEmpty();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("yet")
  void whatIsNotThereYetIsRefusedEverywhere(String path, String message, TaskBuilder task) {
    assertThat(JobPlanner.unsupportedYet(task.build()))
        .containsExactly(new JobPlanner.Unsupported(path, message));
    assertThat(JobPlanner.unsupportedOnHosts(task.build())).isEmpty();
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
    assertThat(JobPlanner.unsupportedYet(task.build())).isEmpty();
    assertThat(JobPlanner.unsupportedOnHosts(task.build())).isEmpty();
  }

  @Test
  void allThatIsWrongIsToldTogether() {
    TaskBuilder task = TaskBuilder.task();
    task.image = "ubuntu";
    task.user = "root";
    task.dstack = true;
    assertThat(JobPlanner.unsupportedOnHosts(task.build()))
        .extracting(JobPlanner.Unsupported::path)
        .containsExactly("image", "user");
    assertThat(JobPlanner.unsupportedYet(task.build()))
        .extracting(JobPlanner.Unsupported::path)
        .containsExactly("dstack");
  }
}
