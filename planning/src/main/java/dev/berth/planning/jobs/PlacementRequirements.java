package dev.berth.planning.jobs;

import dev.berth.model.JobSpec;
import dev.berth.model.Wishes;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.EntityReference;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.InstanceSelector;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.Size;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.offers.OfferFilter;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What runs and fleets require of a place, as their files say it. */
public final class PlacementRequirements {
  private PlacementRequirements() {}

  /** Which machines that are there may be used, and what becomes of new ones. */
  public static Wishes.Machines machines(ProfileParams profile) {
    TimeLimit idle = profile.idleDuration();
    return new Wishes.Machines(
        profile.creationPolicy() == CreationPolicy.REUSE,
        profile.fleets() == null
            ? List.of()
            : profile.fleets().stream().map(EntityReference::name).toList(),
        profile.instances() == null
            ? List.of()
            : profile.instances().stream().map(PlacementRequirements::nameOf).toList(),
        idle == null ? Wishes.Machines.DEFAULT_IDLE : idle.duration(),
        profile.reservation(),
        profile.tags() == null ? Map.of() : profile.tags());
  }

  private static String nameOf(InstanceSelector selector) {
    return switch (selector) {
      case InstanceSelector.ByName byName -> byName.name();
      case InstanceSelector.ByHostname byHostname -> byHostname.hostname();
      case InstanceSelector.ByFleet byFleet -> byFleet.fleet().name() + "-" + byFleet.instance();
    };
  }

  /** What an offer must have. */
  public static OfferFilter filter(ResourcesSpec resources, ProfileParams profile) {
    CpuSpec cpu = resources.cpu();
    DiskSpec disk = resources.disk();
    GpuSpec gpu = resources.gpu();
    Double most = profile.maxPrice();
    return new OfferFilter(
        Set.of(),
        setOf(profile.regions()),
        setOf(profile.availabilityZones()),
        Set.of(),
        setOf(profile.instanceTypes()),
        cpu == null ? null : cpu.count(),
        cpu == null ? null : cpu.arch(),
        Size.mib(resources.memory()),
        disk == null ? null : Size.mib(disk.size()),
        gpu == null ? OfferFilter.Gpu.ANY : OfferFilter.Gpu.of(gpu, Size.mib(gpu.memory())),
        spot(profile.spotPolicy()),
        most == null ? null : new Range<>(null, most),
        null,
        false);
  }

  private static @Nullable Boolean spot(@Nullable SpotPolicy policy) {
    return switch (policy) {
      case null -> false;
      case ON_DEMAND -> false;
      case SPOT -> true;
      case AUTO -> null;
    };
  }

  /** A list of the file; what is not written names nothing. */
  public static List<String> orEmpty(@Nullable List<String> words) {
    return words == null ? List.of() : words;
  }

  private static Set<String> setOf(@Nullable List<String> words) {
    return words == null ? Set.of() : new LinkedHashSet<>(words);
  }

  /**
   * What is reserved on a machine that is there by itself: only what was written, because defaults
   * are for places that cost money.
   *
   * @param written as the file has it; a part that it leaves out is null
   * @param filled the same with its defaults
   */
  static JobSpec.Requirements reserved(ResourcesSpec written, ResourcesSpec filled) {
    CpuSpec cpu = written.cpu() == null ? null : filled.cpu();
    Range<Size> memory = written.memory() == null ? null : filled.memory();
    DiskSpec disk = written.disk() == null ? null : filled.disk();
    GpuSpec gpu = written.gpu() == null ? null : filled.gpu();
    Range<Integer> cpus = cpu == null ? null : cpu.count();
    Integer gpus = gpu == null ? null : gpu.count().min();
    return new JobSpec.Requirements(
        cpus == null ? null : cpus.min(),
        least(memory),
        disk == null ? null : least(disk.size()),
        gpus == null ? 0 : gpus,
        gpu == null ? List.of() : gpu.name(),
        least(gpu == null ? null : gpu.memory()));
  }

  private static @Nullable Long least(@Nullable Range<Size> range) {
    Size min = range == null ? null : range.min();
    return min == null ? null : min.mib();
  }

  /** Whether a node with these resources needs a GPU. */
  public static boolean asksForGpus(ResourcesSpec resources) {
    GpuSpec gpu = resources.gpu();
    Integer least = gpu == null ? null : gpu.count().min();
    return least != null && least > 0;
  }
}
