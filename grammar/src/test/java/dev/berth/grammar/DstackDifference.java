package dev.berth.grammar;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The differences from dstack that {@code docs/guides/coming-from-dstack.md} lists, each with the
 * signs that it is known by and a file that shows it. A sign is one line of {@link #signs}.
 */
enum DstackDifference {
  DUPLICATE_KEYS("type: task\ncommands: [a]\ncommands: [b]\n", "stricter DUPLICATE_KEY .*"),
  DUPLICATE_NAMES(
      "profiles: [{name: a}, {name: a}]\n", "stricter (PROFILE_NAMES|PROJECT_NAMES) .*"),
  SCALARS_AS_TYPED(
      "type: task\ncommands: [a]\nenv: {DEBUG: on}\n",
      "laxer .*input_value=.*\\b(True|False|datetime\\.\\w+)\\b.*",
      "laxer .*Input should be a valid (dictionary|string).*input_type=(int|float)\\].*",
      "laxer TypeError: expected string or bytes-like object, got '(bool|int|float|datetime.date)'",
      "laxer .*Cannot parse the duration -?[0-9.]+ \\[.*input_type=str\\].*",
      "laxer ValueError: (year|month|day|hour|minute|second) .*must be in .*",
      "stricter .*found '(?i:yes|no|on|off|true|false|y|n|0x[0-9a-f]+|0\\d+|\\d+:\\d+)'.*",
      "stricter .*found '[-+]?\\.(inf|nan)'.*",
      "stricter CPU_SYNTAX .*: '(0x[0-9a-f]+|0\\d+)' is neither .*",
      "stricter GPU_SYNTAX .*: the count is given twice.*",
      "stricter EXPECTED_CHOICE at (.*\\.)?python: .*found '3.1'.*",
      "other .*: dstack has (-?[0-9.]+(e[+-]?\\d+)?|-?inf|nan|True|False), Berth has"
          + " ([-+0-9.]*[_+xo:a-zA-Z].*|\\.\\d+|\\d+\\.|-?0\\d+|\\d+\\.\\d*0)"),
  UNUSUAL_NUMBERS(
      "type: volume\nbackend: aws\nregion: eu\nsize: -1\n",
      "stricter (SIZE|RANGE|COMPUTE_CAPABILITY)_SYNTAX .*found '(-.*|\\.\\d+|\\d+\\.)'.*",
      "stricter (EXPECTED_NUMBER|EXPECTED_INTEGER|EXPECTED_BOOLEAN) .*found"
          + " '(-.*|\\.\\d+|\\d+\\.0*)'.*",
      "stricter NUMBER_BOUNDS .*: (-.*|\\.inf) is out of bounds.*",
      "stricter NUMBER_BOUNDS at ssh_config\\..*port: \\d+ is out of bounds; expected 1 to 65535"),
  SPACES(
      "type: task\ncommands: [a]\nmax_duration: ' 5m'\n",
      "laxer .*Value error, Cannot parse the duration (\\s.*|.*\\s) \\[.*",
      "stricter SIZE_SYNTAX .*found '.*[gmtGMT] [bB]'.*"),
  GPU_NAMES(
      "type: task\ncommands: [a]\nresources: {gpu: {name: 'A100, H100'}}\n",
      "other (.*\\.)?gpu\\.name(\\[\\d+\\])?: dstack has \\[?.*[ ,].*, Berth has .*"),
  NULL_VALUES(
      "type: service\nport: 80\nimage: a\nmodel: {name: a, format: openai, prefix: ~}\n",
      "laxer .*input_value=None, input_type=NoneType.*"),
  CRON_STEPS(
      "type: task\ncommands: [a]\nschedule: {cron: '0 0 * * mon/-fri'}\n",
      "stricter CRON_SYNTAX .*'[a-z]{3}/.*' is not a (weekday|month).*"),
  EMPTY_SSH_FLEETS(
      "type: fleet\nssh_config: {user: a, identity_file: b, hosts: []}\n",
      "stricter SSH_HOSTS at ssh_config.hosts: the list of hosts is empty"),
  ENV_WITHOUT_VALUE(
      "type: task\ncommands: [a]\nenv: {TOKEN: ~}\n",
      "laxer .*\\.env\\.dict\\[str,union\\[str,EnvSentinel\\]\\].*input_value=None.*"),
  REFERENCES(
      "type: task\ncommands: [a]\nenv: {TOKEN: '${{ secret.x }}'}\n",
      "stricter INTERPOLATION_(UNKNOWN|SYNTAX) at (env|volumes|repos|domain).*"),
  BACKEND_NAMES(
      "type: gateway\nname: gw\nbackend: our-aws\nregion: eu\n",
      "laxer .*\\bbackends?(\\.\\d+)?: Input should be 'amddevcloud', 'aws'.*",
      "laxer .*VolumeConfiguration: Input tag .* found using 'backend' does not match.*",
      "laxer .*`load_balancer: \\{ type: alb \\}` is supported for `aws` and `gcp` backends only"),
  BACKEND_SETTINGS(
      "type: volume\nbackend: aws\nsize: 10GB\n",
      "laxer projects\\.\\d+\\.backends\\..*",
      "laxer .*backend_options\\..*",
      "laxer (aws|gcp|runpod|kubernetes|daytona|lium)\\.\\w+:"
          + " (Field required|Extra inputs are not permitted) .*",
      "stricter FIELD_REQUIRED at (.*\\.)?backend_options.*",
      "other (.*\\.)?backend_options.*",
      "other (region|read_only|access_modes): dstack has .*, Berth has null"),
  OWN_FIELDS(
      "type: task\ncommands: [a]\nafter: [other]\n",
      "laxer .*\\.(after|token|ssh_key|changes|archive): Extra inputs are not permitted.*"),
  SERVER_FILE(
      "default_permissions: {allow_managers_manage_secrets: true}\n",
      "laxer projects: (Field required|Input should be a valid list) .*",
      "other default_permissions\\.allow_non_admins_create_projects: dstack has true, .*"),
  IMAGES(
      "type: task\ncommands: [a]\nresources: {cpu: arm}\n",
      "laxer ServerClientError: `image` must be set when .*",
      "laxer ServerClientError: .*`image`.* (vendor|GPU).*",
      "laxer ServerClientError: `docker: true` is not supported on ARM CPU"),
  SCALING_WITHOUT_REPLICAS(
      "type: service\nport: 80\ncommands: [a]\nscaling: {metric: rps, target: 1}\n",
      "laxer .*ReplicaGroup: Value error, To use `scaling`, `replicas` must be set to a range.*"),
  UTILIZATION_WINDOW(
      "{type: task, commands: [a],"
          + " utilization_policy: {min_gpu_utilization: 1, time_window: 2h}}",
      "laxer ServerClientError: Maximum utilization_policy.time_window is 3600s"),
  COUNTS(
      "type: task\ncommands: [a]\nnodes: 5000\n",
      "stricter (NUMBER_BOUNDS|RANGE_SYNTAX|GROUPS_TOTAL) .*\\b([01] to 1000|at most 1000)\\b.*",
      "stricter LIST_LENGTH at groups: .*\\b100\\b.*"),
  PRESETS("type: preset\nmodel: x\n", "stricter PRESET_REFUSED .*");

  /** Where a field may be one of several things, dstack also says that it is none of the others. */
  private static final Pattern OTHER_BRANCH =
      Pattern.compile(
          "(?s)[^:]*\\.(str|bool|int|list\\[[^.]*\\]|dict\\[[^.]*\\]): Input should be"
              + " .*input_type=(dict|list)\\].*");

  final String example;
  private final List<Pattern> patterns;

  DstackDifference(String example, String... patterns) {
    this.example = example;
    this.patterns = Stream.of(patterns).map(text -> Pattern.compile(text, Pattern.DOTALL)).toList();
  }

  /** The id in the guide. */
  String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  boolean explains(String sign) {
    return patterns.stream().anyMatch(pattern -> pattern.matcher(sign).matches());
  }

  static Optional<DstackDifference> of(String sign) {
    return Stream.of(values()).filter(one -> one.explains(sign)).findFirst();
  }

  /**
   * How the two judge a file differently, one line each: {@code stricter} for what only Berth
   * refuses, {@code laxer} for what only dstack refuses, {@code other} for fields that mean
   * something else. None where they agree.
   */
  static List<String> signs(String file, DstackPeer.Answer dstack) {
    ConfigurationFile berth =
        ConfigurationReader.read(
            file.getBytes(java.nio.charset.StandardCharsets.UTF_8),
            ConfigurationReader.Defaults.FILLED);
    boolean accepted = berth.configuration().isPresent();
    String refusal = dstack.refused();
    if (refusal != null) {
      return accepted ? refusals(refusal).map(line -> "laxer " + line).toList() : List.of();
    }
    if (!accepted) {
      return berth.errors().stream()
          .map(error -> "stricter " + error.rule() + " at " + error.path() + ": " + error.message())
          .toList();
    }
    return DstackMeaning.differences(file, java.util.Objects.requireNonNull(dstack.config()))
        .stream()
        .map(line -> "other " + line)
        .toList();
  }

  /** dstack's errors, each as the field and the sentence about it. */
  private static Stream<String> refusals(String refusal) {
    List<String> found =
        Pattern.compile("(?m)^(\\S.*)\\n {2}(\\S.*)$")
            .matcher(refusal)
            .results()
            .map(match -> match.group(1) + ": " + match.group(2))
            .toList();
    if (found.isEmpty()) {
      return Stream.of(refusal);
    }
    List<String> telling =
        found.stream().filter(line -> !OTHER_BRANCH.matcher(line).matches()).toList();
    return telling.isEmpty() ? found.stream() : telling.stream();
  }
}
