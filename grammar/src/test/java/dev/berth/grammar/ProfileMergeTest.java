package dev.berth.grammar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.grammar.ConfigurationReader.Defaults;
import dev.berth.model.config.Profile;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ProfilesConfiguration;
import dev.berth.model.config.RunConfiguration;
import dev.berth.model.config.TaskConfiguration;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a profile says counts where the file says nothing. */
final class ProfileMergeTest {
  private static final String ALL =
      """
      backends: [aws]
      regions: [eu-1, us-1]
      availability_zones: [eu-1-a]
      instance_types: [large]
      reservation: cr-1
      spot_policy: auto
      retry: {on_events: [error], duration: 2h}
      max_duration: 3h
      stop_duration: 4m
      max_price: 1.5
      creation_policy: reuse
      idle_duration: 6m
      utilization_policy: {min_gpu_utilization: 7, time_window: 8m}
      startup_order: workers-first
      stop_criteria: master-done
      schedule: {cron: "0 9 * * *"}
      fleets: [lab]
      instances: [one]
      tags: {team: red}
      backend_options: [{type: kubernetes, namespace: work}]
      """;

  private static final String OTHERS =
      """
      backends: []
      regions: [asia-1]
      availability_zones: [asia-1-a]
      instance_types: [small]
      reservation: cr-2
      spot_policy: spot
      retry: false
      max_duration: off
      stop_duration: off
      max_price: 2.5
      creation_policy: reuse-or-create
      idle_duration: off
      utilization_policy: {min_gpu_utilization: 70, time_window: 80m}
      startup_order: any
      stop_criteria: all-done
      schedule: {cron: "0 10 * * *"}
      fleets: [cloud]
      instances: [two]
      tags: {owner: blue}
      backend_options: []
      """;

  private static final List<ProfileParams> SOURCES = List.of(params(ALL), params(OTHERS));
  private static final TaskConfiguration TASK = task();

  private static ProfileParams params(String text) {
    String file = "type: task\ncommands: [ls]\n" + text;
    ConfigurationFile read =
        ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), Defaults.AS_WRITTEN);
    assertThat(read.errors()).isEmpty();
    return ((RunConfiguration) read.configuration().orElseThrow()).profile();
  }

  private static TaskConfiguration task() {
    String file = "type: task\nname: mine\ncommands: [ls]\n";
    return (TaskConfiguration)
        ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), Defaults.AS_WRITTEN)
            .configuration()
            .orElseThrow();
  }

  @Test
  void eachFieldOfTheFileWinsAndEachOfTheProfileFills() {
    ProfileParams nothing = params("");
    ProfileParams all = params(ALL);
    ProfileParams others = params(OTHERS);
    RecordAccess<ProfileParams> access = new RecordAccess<>(ProfileParams.class);
    assertThat(components().map(name -> access.read(all, name))).doesNotContainNull();
    assertThat(components().map(name -> access.read(others, name))).doesNotContainNull();
    assertThat(ProfileMerge.merge(nothing, all)).isEqualTo(all);
    assertThat(ProfileMerge.merge(all, nothing)).isEqualTo(all);
    assertThat(ProfileMerge.merge(all, others)).isEqualTo(all);
    assertThat(ProfileMerge.merge(others, all)).as("off is written, too").isEqualTo(others);
  }

  private static Stream<String> components() {
    return Stream.of(ProfileParams.class.getRecordComponents()).map(RecordComponent::getName);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "type: task\ncommands: [ls]",
        "type: service\ncommands: [ls]\nport: 80",
        "type: dev-environment\nide: vscode",
      })
  void runsOfAllKindsAreMergedAndKeepTheRest(String file) {
    RunConfiguration run =
        (RunConfiguration)
            ConfigurationReader.read(file.getBytes(StandardCharsets.UTF_8), Defaults.AS_WRITTEN)
                .configuration()
                .orElseThrow();
    RunConfiguration merged = ProfileMerge.merge(run, params(ALL));
    assertThat(merged.profile()).isEqualTo(params(ALL));
    assertThat(merged.with(run.profile())).isEqualTo(run);
  }

  /** As the merge was defined first: on the normalised forms, where null may mean off. */
  @Test
  void theNormalisedFormsMergedByNameGiveTheSame() {
    for (int seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      TaskConfiguration task = TASK.with(some(random));
      ProfileParams profile = some(random);
      Map<String, @Nullable Object> tree = new LinkedHashMap<>(ConfigurationReader.normalise(task));
      profileTree(profile)
          .forEach(
              (name, value) -> {
                boolean off = name.endsWith("_duration") || name.equals("retry");
                if (!name.equals("name")
                    && !name.equals("default")
                    && tree.get(name) == null
                    && !(tree.containsKey(name) && off)) {
                  tree.put(name, value);
                }
              });
      assertThat(ProfileMerge.merge(task, profile))
          .as("seed %d", seed)
          .isEqualTo(ConfigurationReader.readNormalised(Kind.TASK, tree, Defaults.AS_WRITTEN));
    }
  }

  @SuppressWarnings("unchecked")
  private static Map<String, @Nullable Object> profileTree(ProfileParams profile) {
    Object profiles =
        Objects.requireNonNull(
            ConfigurationReader.normalise(
                    new ProfilesConfiguration(List.of(new Profile("other", false, profile))))
                .get("profiles"));
    return ((List<Map<String, @Nullable Object>>) profiles).getFirst();
  }

  /** Each field as one of the files has it, or not at all. */
  private static ProfileParams some(Random random) {
    RecordAccess<ProfileParams> access = new RecordAccess<>(ProfileParams.class);
    Map<String, @Nullable Object> values = new HashMap<>();
    components()
        .forEach(
            name -> {
              int source = random.nextInt(3);
              values.put(name, source == 2 ? null : access.read(SOURCES.get(source), name));
            });
    return access.construct(values);
  }
}
