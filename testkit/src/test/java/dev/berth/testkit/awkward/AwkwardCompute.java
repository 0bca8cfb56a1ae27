package dev.berth.testkit.awkward;

import dev.berth.spi.Compute;
import dev.berth.spi.Identity;
import dev.berth.spi.Offers;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Reach;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** One account at the awkward cloud. */
record AwkwardCompute(AwkwardClient client, InstantSource clock, AwkwardProvisioner machines)
    implements Compute {
  /** How late lists may be. The cloud says four seconds; twice as much is on the safe side. */
  static final Duration VISIBLE_WITHIN = Duration.ofSeconds(8);

  static final Duration CALL_DEADLINE = Duration.ofMinutes(1);

  /** When nothing can come of a create any more, and lists show all that came of it. */
  static final Duration SETTLED_AFTER = CALL_DEADLINE.plus(VISIBLE_WITHIN);

  @Override
  public Traits traits() {
    return AwkwardBackendType.TRAITS;
  }

  @Override
  public Identity identity() {
    return machines.identity();
  }

  @Override
  public Reach reach() {
    return Reach.SSH;
  }

  @Override
  public Offers offers() {
    return new Offers.Live(new AwkwardOffers(client, clock));
  }

  @Override
  public Optional<Provisioner> provisioner() {
    return Optional.of(machines);
  }

  @Override
  public void close() {
    client.close();
  }
}
