package dev.berth.testkit.checks;

import dev.berth.testkit.Check;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Every check there is. */
public final class AllChecks {
  /** By area, and within an area in the order of their class. */
  public static final List<Check> IN_ORDER =
      Stream.of(
              ConfigChecks.ALL,
              SetUpChecks.ALL,
              OfferChecks.ALL,
              CreateChecks.ALL,
              DiskChecks.ALL,
              BootChecks.ALL,
              IdentityChecks.ALL,
              ListChecks.ALL,
              DescribeChecks.ALL,
              DeleteChecks.ALL,
              JobChecks.ALL,
              JobKeyChecks.ALL,
              FileChecks.ALL,
              LogChecks.ALL,
              CancelChecks.ALL,
              RemoveChecks.ALL,
              ReleaseChecks.ALL,
              GroupChecks.ALL,
              VolumeChecks.ALL,
              PlacementChecks.ALL,
              GatewayChecks.ALL,
              BehaviourChecks.ALL,
              GpuMetricsChecks.ALL,
              UsageChecks.ALL,
              ConnectionChecks.ALL,
              ContainerChecks.ALL,
              SharingChecks.ALL,
              ErrorChecks.ALL,
              SecretChecks.ALL,
              LeftoverChecks.ALL,
              LeakChecks.ALL,
              FailureChecks.ALL,
              JobFailureChecks.ALL)
          .flatMap(List::stream)
          .sorted(Comparator.comparing(Check::area))
          .toList();

  private AllChecks() {}
}
