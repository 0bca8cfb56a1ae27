package dev.berth.decisions;

import dev.berth.model.Candidate;
import dev.berth.model.Container;
import dev.berth.model.Place;
import dev.berth.model.Placement;
import dev.berth.model.Wishes;
import dev.berth.model.config.CpuSpec;
import dev.berth.model.config.DiskSpec;
import dev.berth.model.config.GpuSpec;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.Range;
import dev.berth.model.config.ResourcesSpec;
import dev.berth.model.config.RunSettings;
import dev.berth.model.config.Size;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.TaskConfiguration;
import dev.berth.model.offers.OfferFilter;
import dev.berth.model.offers.OfferMatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which offer a run wants, and which of those that there are comes next. */
public final class Shopping {
  /** What containers run in where the file names no image. */
  private static final String DEFAULT_IMAGE = "ubuntu:24.04";

  private Shopping() {}

  /** An offer in the zone where it shall be taken. */
  record Choice(Candidate candidate, @Nullable String zone) {
    Place place() {
      return Place.of(candidate.item()).in(zone);
    }

    String key() {
      return place().key(candidate.backend());
    }
  }

  /** What a task wants, its defaults filled in. */
  public static Wishes wishes(TaskConfiguration task) {
    ProfileParams profile = task.profile();
    RunSettings run = task.run();
    String image = run.image();
    Container container =
        new Container(
            image == null ? DEFAULT_IMAGE : image,
            null,
            run.user() == null ? "root" : run.user(),
            null,
            List.of(),
            run.privileged(),
            List.of());
    return new Wishes(orEmpty(profile.backends()), filter(run.resources(), profile), container);
  }

  private static OfferFilter filter(ResourcesSpec resources, ProfileParams profile) {
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

  private static List<String> orEmpty(@Nullable List<String> words) {
    return words == null ? List.of() : words;
  }

  private static Set<String> setOf(@Nullable List<String> words) {
    return words == null ? Set.of() : Set.copyOf(words);
  }

  /** The offers that a run could have, the cheapest first. */
  public static List<Candidate> suitable(Market market, Wishes wishes) {
    Container container = wishes.container();
    return market.candidates().stream()
        .filter(candidate -> wishes.allow(candidate.backend(), candidate.type()))
        .filter(candidate -> container == null || !container.privileged() || candidate.privileged())
        .filter(candidate -> OfferMatch.matches(wishes.filter(), candidate.item()))
        .toList();
  }

  /** The cheapest that was not tried and can be had. */
  static Optional<Choice> next(Market market, Wishes wishes, Placement placement) {
    Set<String> tried = new HashSet<>(placement.tried());
    return suitable(market, wishes).stream()
        .filter(candidate -> candidate.availability().isUsable())
        .flatMap(candidate -> choices(candidate).stream())
        .filter(choice -> !tried.contains(choice.key()))
        .findFirst();
  }

  private static List<Choice> choices(Candidate candidate) {
    List<Choice> choices = new ArrayList<>();
    candidate.zones().forEach(zone -> choices.add(new Choice(candidate, zone)));
    if (choices.isEmpty()) {
      choices.add(new Choice(candidate, candidate.item().zone()));
    }
    return choices;
  }
}
