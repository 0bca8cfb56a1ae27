package dev.berth.planning.policy;

import dev.berth.model.PolicyBound;
import dev.berth.model.PolicyNote;
import dev.berth.model.Wildcards;
import dev.berth.model.config.FleetNodes;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.PolicyRule;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TimeLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One look of some policies at one configuration. */
final class PolicyPass {
  private final PolicyEnforcement.Scope scope;
  private final boolean dryRun;
  private final boolean folders;
  private final List<PolicyBound> bounds = new ArrayList<>();
  private final List<PolicyEnforcement.Refusal> refusals = new ArrayList<>();
  private final List<PolicyNote> notes = new ArrayList<>();
  private PolicySubject subject;

  /**
   * Begins with a configuration.
   *
   * @param dryRun whether what happens is told as what would happen
   * @param folders whether some rule names the folders that may be mounted
   */
  PolicyPass(
      PolicySubject subject, PolicyEnforcement.Scope scope, boolean dryRun, boolean folders) {
    this.subject = subject;
    this.scope = scope;
    this.dryRun = dryRun;
    this.folders = folders;
  }

  PolicySubject subject() {
    return subject;
  }

  List<PolicyBound> bounds() {
    return bounds;
  }

  List<PolicyEnforcement.Refusal> refusals() {
    return refusals;
  }

  List<PolicyNote> notes() {
    return notes;
  }

  void pass(List<PolicyRule> rules) {
    rules.forEach(this::set);
    for (PolicyRule rule : rules) {
      limitPrice(rule);
      limitDuration(rule);
      limitNodes(rule);
      limitGpus(rule);
      checkContainer(rule);
      checkSpot(rule);
      bind(rule);
    }
    checkBackends(rules);
    checkWords(rules, "regions", subject.profile().regions(), PolicyPass::permitsRegion, "region");
    checkWords(
        rules,
        "instance_types",
        subject.profile().instanceTypes(),
        (rule, word) ->
            isAllowed(rule.allowed().instanceTypes(), word)
                && !Wildcards.anyMatches(rule.denied().instanceTypes(), word),
        "instance type");
  }

  private void refuse(PolicyRule rule, String path, String sentence) {
    if (dryRun) {
      notes.add(
          new PolicyNote(
              rule.name(), path + ": would be refused: " + sentence, rule.message(), true));
      return;
    }
    String message = rule.message();
    refusals.add(
        new PolicyEnforcement.Refusal(
            path,
            "refused by the policy '"
                + rule.name()
                + "': "
                + sentence
                + (message == null ? "" : ". " + message)));
  }

  private void note(PolicyRule rule, String verb, String rest) {
    notes.add(
        new PolicyNote(
            rule.name(),
            (dryRun ? "would " + verb : verb + "s") + " " + rest,
            rule.message(),
            dryRun));
  }

  private void override(ProfileParams changes) {
    subject = subject.with(new ProfileDefaults().fill(changes, subject.profile()));
  }

  private void set(PolicyRule rule) {
    ProfileParams set = rule.set();
    if (set == null) {
      return;
    }
    ProfileDefaults defaults = new ProfileDefaults();
    PolicySubject filled = subject.with(defaults.fill(subject.profile(), set));
    List<String> fields =
        defaults.filled().stream()
            .filter(field -> subject.isRun() || PolicySubject.FLEET_FIELDS.contains(field))
            .toList();
    subject = filled;
    if (!fields.isEmpty()) {
      note(rule, "set", String.join(", ", fields));
    }
  }

  private void limitPrice(PolicyRule rule) {
    Double most = rule.limits().maxPrice();
    Double own = subject.profile().maxPrice();
    if (most != null && (own == null || own > most)) {
      override(ProfileDefaults.only(null, null, most));
      note(rule, "limit", "max_price to " + most);
    }
  }

  private void limitDuration(PolicyRule rule) {
    Duration most = rule.limits().maxDuration();
    if (most == null || !subject.isRun()) {
      return;
    }
    TimeLimit own = subject.profile().maxDuration();
    if (own == null) {
      override(ProfileDefaults.only(null, TimeLimit.of(most), null));
      note(rule, "limit", "max_duration to " + words(most));
      return;
    }
    Duration asked = own.duration();
    if (asked == null || asked.compareTo(most) > 0) {
      refuse(
          rule,
          "max_duration",
          "runs last "
              + words(most)
              + " at most, and this one "
              + (asked == null ? "has no limit" : "asks for " + words(asked)));
    }
  }

  private void limitNodes(PolicyRule rule) {
    Integer most = rule.limits().nodes();
    if (most == null) {
      return;
    }
    FleetNodes machines = subject.machines();
    int asked = machines == null ? subject.nodes() : Math.max(machines.min(), machines.target());
    if (asked > most) {
      refuse(
          rule, "nodes", "at most " + most + " nodes are allowed, but " + asked + " are requested");
    } else if (machines != null && (machines.max() == null || machines.max() > most)) {
      subject = subject.with(new FleetNodes(machines.min(), machines.target(), most));
      note(rule, "limit", "nodes to " + most);
    }
  }

  private void limitGpus(PolicyRule rule) {
    Integer most = rule.limits().gpus();
    if (most == null) {
      return;
    }
    List<ResourcesSpec> limited = new ArrayList<>();
    for (ResourcesSpec resources : subject.resources()) {
      GpuSpec gpu = resources.gpu();
      Range<Integer> count = gpu == null ? null : gpu.count();
      int least = count == null ? 0 : Objects.requireNonNullElse(count.min(), 0);
      if (least > most) {
        refuse(
            rule,
            "resources.gpu",
            "at most " + most + " GPUs per node are allowed, but " + least + " are requested");
        return;
      }
      limited.add(gpu == null ? resources : withAtMost(resources, gpu, most));
    }
    if (!limited.equals(subject.resources())) {
      subject = subject.with(limited);
      note(rule, "limit", "resources.gpu.count to " + most);
    }
  }

  private static ResourcesSpec withAtMost(ResourcesSpec resources, GpuSpec gpu, int most) {
    Integer max = gpu.count().max();
    return new ResourcesSpec(
        resources.cpu(),
        resources.memory(),
        resources.shmSize(),
        new GpuSpec(
            gpu.vendor(),
            gpu.name(),
            new Range<>(gpu.count().min(), max == null ? most : Math.min(max, most)),
            gpu.memory(),
            gpu.totalMemory(),
            gpu.computeCapability()),
        resources.disk());
  }

  private void checkContainer(PolicyRule rule) {
    RunSettings run = subject.container();
    if (run == null) {
      return;
    }
    PolicyRule.Deny denied = rule.denied();
    if (denied.privileged() && run.privileged()) {
      refuse(rule, "privileged", "containers may not be privileged");
    }
    boolean docker = Boolean.TRUE.equals(run.docker());
    if (docker && (denied.docker() || denied.privileged())) {
      refuse(
          rule,
          "docker",
          denied.docker()
              ? "Docker may not be used inside containers"
              : "Docker inside a container requires a privileged container, which is not allowed");
    }
    MountRules.refusal(rule, run, folders).ifPresent(why -> refuse(rule, "volumes", why));
    String image = run.image();
    if (image == null) {
      // The server's own choice of an image is not the user's.
      return;
    }
    ImageName name = ImageName.of(image);
    if (!rule.allowed().images().isEmpty() && !name.isMeantBy(rule.allowed().images())) {
      refuse(
          rule,
          "image",
          "the image '"
              + image
              + "' is not allowed; allowed are "
              + String.join(", ", rule.allowed().images()));
    } else if (name.isMeantBy(denied.images())) {
      refuse(rule, "image", "the image '" + image + "' is not allowed");
    }
  }

  private void checkSpot(PolicyRule rule) {
    SpotPolicy own = subject.profile().spotPolicy();
    if (!rule.denied().spot() || own == null || own == SpotPolicy.ON_DEMAND) {
      return;
    }
    if (own == SpotPolicy.SPOT) {
      refuse(rule, "spot_policy", "spot machines may not be used");
    } else {
      override(ProfileDefaults.only(SpotPolicy.ON_DEMAND, null, null));
      note(rule, "limit", "spot_policy to on-demand");
    }
  }

  private void bind(PolicyRule rule) {
    PolicyRule.Allow allowed = rule.allowed();
    PolicyRule.Deny denied = rule.denied();
    PolicyBound bound =
        new PolicyBound(
            rule.name(),
            allowed.backends(),
            allowed.regions(),
            allowed.instanceTypes(),
            denied.backends(),
            denied.regions(),
            denied.instanceTypes(),
            denied.spot(),
            rule.limits().maxPrice(),
            rule.limits().gpus());
    if (bound.bindsAnything()) {
      bounds.add(bound);
    }
    keep(rule, "to the backends", allowed.backends());
    keep(rule, "to the regions", allowed.regions());
    keep(rule, "to the instance types", allowed.instanceTypes());
    keep(rule, "from the backends", denied.backends());
    keep(rule, "from the regions", denied.regions());
    keep(rule, "from the instance types", denied.instanceTypes());
  }

  private void keep(PolicyRule rule, String which, List<String> patterns) {
    if (!patterns.isEmpty()) {
      note(rule, "keep", "it " + which + " " + String.join(", ", patterns));
    }
  }

  /** Names the policy after which no backend is left that could take it. */
  private void checkBackends(List<PolicyRule> rules) {
    List<String> words = subject.profile().backends();
    List<String> left =
        scope.backends().keySet().stream()
            .filter(name -> words == null || words.isEmpty() || isOneOf(words, name))
            .toList();
    for (PolicyRule rule : rules) {
      List<String> before = left;
      left =
          before.stream()
              .filter(
                  name ->
                      bounds.stream()
                          .filter(bound -> bound.policy().equals(rule.name()))
                          .allMatch(bound -> bound.permitsBackend(name, typeOf(name))))
              .toList();
      if (left.isEmpty() && !before.isEmpty()) {
        refuse(
            rule,
            "backends",
            before.size() == 1
                ? "the backend '" + before.getFirst() + "' may not be used"
                : "none of the backends " + String.join(", ", before) + " may be used");
      }
    }
  }

  private String typeOf(String name) {
    return Objects.requireNonNullElse(scope.backends().get(name), name);
  }

  private boolean isOneOf(List<String> words, String name) {
    return words.contains(name) || words.contains(typeOf(name));
  }

  private interface Permission {
    boolean isGiven(PolicyRule rule, String word);
  }

  private void checkWords(
      List<PolicyRule> rules,
      String path,
      @Nullable List<String> words,
      Permission permission,
      String noun) {
    List<String> left = words == null ? List.of() : words;
    for (PolicyRule rule : rules) {
      Predicate<String> isGiven = word -> permission.isGiven(rule, word);
      List<String> before = left;
      left = before.stream().filter(isGiven).toList();
      if (left.isEmpty() && !before.isEmpty()) {
        refuse(
            rule,
            path,
            before.size() == 1
                ? "the " + noun + " '" + before.getFirst() + "' may not be used"
                : "none of the " + noun + "s " + String.join(", ", before) + " may be used");
      }
    }
  }

  /** Files may name a zone where a region is asked for, and zones begin as their region does. */
  private static boolean permitsRegion(PolicyRule rule, String word) {
    List<String> allowed = rule.allowed().regions();
    return (isAllowed(allowed, word)
            || allowed.stream().anyMatch(pattern -> Wildcards.matches(pattern + "*", word)))
        && !Wildcards.anyMatches(rule.denied().regions(), word);
  }

  private static boolean isAllowed(List<String> patterns, String word) {
    return patterns.isEmpty() || Wildcards.anyMatches(patterns, word);
  }

  private static String words(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds > 0 && seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds > 0 && seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds > 0 && seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
