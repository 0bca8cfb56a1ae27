package dev.berth.model.config;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A rule of the server's operator about what others may run.
 *
 * @param projects patterns of the projects that it concerns; empty for all
 * @param users patterns of the users that it concerns; empty for all
 * @param set what is meant where a file leaves a field out
 * @param message a sentence for those who are refused
 * @param dryRun whether it only tells what it would do
 */
public record PolicyRule(
    String name,
    List<String> projects,
    List<String> users,
    @Nullable Allow allow,
    @Nullable Deny deny,
    @Nullable Limit limit,
    @Nullable ProfileParams set,
    @Nullable String message,
    boolean dryRun) {
  public PolicyRule {
    projects = List.copyOf(projects);
    users = List.copyOf(users);
  }

  /**
   * The only ones that may be used, as patterns; where a list is empty, all.
   *
   * @param volumes folders of machines that may be mounted
   */
  public record Allow(
      List<String> backends,
      List<String> regions,
      List<String> instanceTypes,
      List<String> images,
      List<String> volumes) {
    public static final Allow ALL =
        new Allow(List.of(), List.of(), List.of(), List.of(), List.of());

    public Allow {
      backends = List.copyOf(backends);
      regions = List.copyOf(regions);
      instanceTypes = List.copyOf(instanceTypes);
      images = List.copyOf(images);
      volumes = List.copyOf(volumes);
    }
  }

  /**
   * What may not be used; lists are of patterns.
   *
   * @param volumes folders of machines
   */
  public record Deny(
      List<String> backends,
      List<String> regions,
      List<String> instanceTypes,
      List<String> images,
      boolean privileged,
      boolean docker,
      boolean spot,
      boolean volumes) {
    public static final Deny NOTHING =
        new Deny(List.of(), List.of(), List.of(), List.of(), false, false, false, false);

    public Deny {
      backends = List.copyOf(backends);
      regions = List.copyOf(regions);
      instanceTypes = List.copyOf(instanceTypes);
      images = List.copyOf(images);
    }
  }

  /**
   * The most that may be asked for.
   *
   * @param maxPrice dollars an hour of one node
   * @param nodes of one run or one fleet
   * @param gpus of one node
   */
  public record Limit(
      @Nullable Double maxPrice,
      @Nullable Duration maxDuration,
      @Nullable Integer nodes,
      @Nullable Integer gpus) {
    public static final Limit NONE = new Limit(null, null, null, null);
  }

  public Allow allowed() {
    return allow == null ? Allow.ALL : allow;
  }

  public Deny denied() {
    return deny == null ? Deny.NOTHING : deny;
  }

  public Limit limits() {
    return limit == null ? Limit.NONE : limit;
  }
}
