package dev.berth.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.decisions.Message;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.ForwardingLedger;
import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Stored;
import dev.berth.model.Resource;
import dev.berth.model.ResourceType;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a sweep makes of the listing of a provider: parts of machines, and regions not seen. */
final class ListedResourcesTest {
  private static final Instant NOW = Instant.parse("2026-11-01T12:00:00Z");
  private static final String KEY = "r1-0-0-1";

  private final List<Message> swept = new ArrayList<>();
  private Listing listing = Listing.all(List.of());

  /** The machine that the ledger knows. */
  private final Resource machine =
      new Resource(
          KEY,
          "main",
          KEY,
          "cloud",
          ResourceType.INSTANCE,
          Resource.State.PRESENT,
          new Resource.Ref("i-1", "eu-1", Map.of()),
          null,
          null);

  private static Found found(ResourceType type, String key, String id) {
    return Found.of(
        new ResourceRef(type, key, id, "eu-1", Map.of()), Found.State.READY, NOW.minusSeconds(60));
  }

  private Message.Swept sweep() {
    new Sweeper(
            new Sweeper.Place(
                "cloud", null, Optional.of(new Listed()), Optional::empty, () -> false),
            new Owner("tests"),
            new OneMachine(),
            "main",
            () -> 0,
            swept::add,
            Instruments.NONE,
            NOW)
        .step(NOW);
    return (Message.Swept) swept.getLast();
  }

  @Test
  void partsOfAKnownMachineAreKnown() {
    listing =
        Listing.all(
            List.of(
                found(ResourceType.INSTANCE, KEY, "i-1"),
                found(ResourceType.DISK, KEY, "d-1").partOf("i-1"),
                found(ResourceType.ADDRESS, KEY, "a-1").partOf("i-1")));
    assertThat(sweep().strangers()).isEmpty();
  }

  @Test
  void aPartOfAnUnknownMachineIsUnknown() {
    listing =
        Listing.all(
            List.of(
                found(ResourceType.DISK, KEY, "d-2").partOf("i-2"),
                found(ResourceType.DISK, "other", "d-3").partOf("i-1")));
    assertThat(sweep().strangers())
        .extracting(stranger -> stranger.ref().id())
        .containsExactly("d-2", "d-3");
  }

  @Test
  void regionsThatWereNotSeenAreToldWithTheRest() {
    listing =
        new Listing(
            List.of(found(ResourceType.INSTANCE, "other", "i-9")),
            Map.of("us-1", "the account may not use it"));
    assertThat(sweep().strangers()).hasSize(1);
    assertThat(sweep().unseen()).containsExactly("us-1");
  }

  private final class OneMachine extends ForwardingLedger {
    OneMachine() {
      super(new InMemoryLedger());
    }

    @Override
    public Optional<Stored<EntityRow>> find(String realm, EntityKey key) {
      return key.id().equals(KEY)
          ? Optional.of(new Stored<>(1, Codec.row(machine, null)))
          : Optional.empty();
    }
  }

  private final class Listed implements Provisioner {
    @Override
    public Listing list(Owner owner) {
      return listing;
    }

    @Override
    public Found create(CreateRequest request) {
      throw new UnsupportedOperationException("nothing is made here");
    }

    @Override
    public void delete(ResourceRef ref) {
      throw new UnsupportedOperationException("nothing is deleted here");
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      throw new UnsupportedOperationException("nobody looks here");
    }

    @Override
    public boolean powerOffEndsBilling() {
      return true;
    }
  }
}
