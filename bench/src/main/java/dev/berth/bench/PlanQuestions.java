package dev.berth.bench;

import dev.berth.grammar.ConfigurationFile;
import dev.berth.grammar.ConfigurationReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tasks that people plan: what they need, and where, and at what price. */
final class PlanQuestions {
  private static final List<String> SPOT_POLICIES = List.of("on-demand", "spot", "auto");

  private static final List<String> GPUS =
      List.of(
          "A100",
          "A100:80GB:8",
          "H100",
          "H100:8",
          "H100,H200:8",
          "H200:8",
          "L4",
          "L4:4",
          "L40S",
          "T4",
          "T4:4",
          "V100:8",
          "B200:8",
          "A10G",
          "24GB",
          "16GB..24GB:4",
          "80GB..",
          "amd:8");

  private PlanQuestions() {}

  /** All of them in the normalised form, each different from all others. */
  static List<Map<String, @Nullable Object>> all() {
    List<String> profiles = new ArrayList<>();
    for (int i = 0; i < GPUS.size(); i++) {
      String spot = SPOT_POLICIES.get(i % SPOT_POLICIES.size());
      profiles.add("resources: {gpu: '%s'}".formatted(GPUS.get(i)));
      profiles.add(
          "resources: {gpu: '%s', disk: 200GB..}, spot_policy: %s".formatted(GPUS.get(i), spot));
    }
    for (String spot : SPOT_POLICIES) {
      for (String resources :
          List.of("cpu: 2..", "cpu: 8..", "cpu: 32..", "memory: 16GB", "memory: 64GB..256GB")) {
        profiles.add("resources: {%s}, spot_policy: %s, max_price: 5".formatted(resources, spot));
      }
    }
    profiles.add("resources: {cpu: 'arm:4..'}");
    profiles.add("regions: [us-central1-a, us-central1-b]");
    profiles.add("resources: {gpu: 'A100,H100'}, regions: [europe-west4-a]");
    profiles.add("backends: [%s]".formatted(CatalogCloud.BACKEND));
    return profiles.stream().map(PlanQuestions::task).toList();
  }

  private static Map<String, @Nullable Object> task(String profile) {
    String text = "{type: task, commands: [python train.py], %s}".formatted(profile);
    ConfigurationFile file =
        ConfigurationReader.read(
            text.getBytes(StandardCharsets.UTF_8), ConfigurationReader.Defaults.AS_WRITTEN);
    return ConfigurationReader.normalise(
        file.configuration()
            .orElseThrow(() -> new IllegalStateException(text + ": " + file.errors())));
  }
}
