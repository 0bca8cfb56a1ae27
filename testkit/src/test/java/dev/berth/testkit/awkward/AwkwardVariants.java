package dev.berth.testkit.awkward;

import dev.berth.model.Place;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Identity;
import dev.berth.spi.Listing;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.broken.Variant;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** Backends of the awkward cloud with one fault each, as authors make them. */
public final class AwkwardVariants {
  private AwkwardVariants() {}

  public static List<Variant> all() {
    return List.of(
        calls("list-shows-every-page", FirstPageOnly::new),
        calls("lost-answer-makes-nothing-twice", AsksAgainBlindly::new),
        calls("rate-limit-reaches-the-caller", TakesTooManyForTheEnd::new),
        calls("rate-limit-reaches-the-caller", ForgetsTheDelay::new),
        machines("refused-create-leaves-nothing", NoRollBack::new),
        machines("refused-create-leaves-nothing", TriesToRollBack::new),
        machines("failed-create-is-found-and-deleted", ListsOnlyMachines::new),
        machines("nothing-is-left-at-the-provider", DeletesTheMachineOnly::new),
        machines("nothing-is-left-at-the-provider", ForgetsTheAddress::new),
        machines("gone-is-gone-at-the-provider", DescribesTheMachineOnly::new),
        machines("gone-is-gone-at-the-provider", ForgetsTheAddress::new),
        machines("failed-delete-forgets-nothing", DeletesInSilence::new),
        machines("failed-read-hides-nothing", TakesFailureForGone::new),
        machines("lookup-delay-is-kept", IgnoresTheLag::new),
        machines("list-shows-what-was-made", IgnoresTheLag::new),
        machines("delete-while-it-is-made", DropsEarlyDeletions::new),
        machines("create-keeps-the-tags", EchoesTags::new),
        machines("list-hides-what-others-own", ListsEverybody::new));
  }

  private static Variant calls(String check, Function<AwkwardConfig, AwkwardClient> broken) {
    return variant(check, broken, AwkwardProvisioner::new);
  }

  private interface Machines {
    AwkwardProvisioner make(AwkwardClient client, Owner own, InstantSource clock);
  }

  private static Variant machines(String check, Machines broken) {
    return variant(check, AwkwardClient::new, broken);
  }

  private static Variant variant(
      String check, Function<AwkwardConfig, AwkwardClient> clients, Machines machines) {
    AwkwardBackendType broken =
        new AwkwardBackendType() {
          @Override
          public Compute open(AwkwardConfig config, BackendContext context) {
            AwkwardClient client = clients.apply(config);
            return new AwkwardCompute(
                client, context.clock(), machines.make(client, context.owner(), context.clock()));
          }
        };
    return new Variant(check, AwkwardSetup.sound(), new AwkwardSetup(broken));
  }

  private static final class FirstPageOnly extends AwkwardClient {
    FirstPageOnly(AwkwardConfig config) {
      super(config);
    }

    @Override
    List<JsonNode> all(String kind) {
      List<JsonNode> first = new ArrayList<>();
      get("/v1/" + kind).path(kind).forEach(first::add);
      return first;
    }
  }

  private static final class AsksAgainBlindly extends AwkwardClient {
    AsksAgainBlindly(AwkwardConfig config) {
      super(config);
    }

    @Override
    JsonNode call(String method, String path, String body) {
      try {
        return super.call(method, path, body);
      } catch (BackendException.Transient e) {
        return super.call(method, path, body);
      }
    }
  }

  private static final class TakesTooManyForTheEnd extends AwkwardClient {
    TakesTooManyForTheEnd(AwkwardConfig config) {
      super(config);
    }

    @Override
    List<JsonNode> all(String kind) {
      try {
        return super.all(kind);
      } catch (BackendException.RateLimited e) {
        return List.of();
      }
    }
  }

  private static final class ForgetsTheDelay extends AwkwardClient {
    ForgetsTheDelay(AwkwardConfig config) {
      super(config);
    }

    @Override
    JsonNode call(String method, String path, String body) {
      try {
        return super.call(method, path, body);
      } catch (BackendException.RateLimited e) {
        throw new BackendException.RateLimited("too many requests", Duration.ofSeconds(1));
      }
    }
  }

  private static final class NoRollBack extends AwkwardProvisioner {
    NoRollBack(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    void rollBack(List<String> made, BackendException refusal) {}
  }

  /** Says that nothing was made, whether it could be taken back or not. */
  private static final class TriesToRollBack extends AwkwardProvisioner {
    TriesToRollBack(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    void rollBack(List<String> made, BackendException refusal) {
      for (String part : made) {
        try {
          deletePart(part);
        } catch (BackendException e) {
          // The next part may go.
        }
      }
    }
  }

  private static final class ListsOnlyMachines extends AwkwardProvisioner {
    ListsOnlyMachines(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(
          super.list(owner).stream().filter(found -> found.access() != null).toList());
    }
  }

  /** Knows the disk and the address only as long as there is a machine. */
  private static class DescribesTheMachineOnly extends AwkwardProvisioner {
    DescribesTheMachineOnly(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return super.describe(ref)
          .filter(found -> found.access() != null || found.state() == Found.State.CREATING)
          .filter(found -> !look("/v1/disks/", ref.id()).map(this::isFree).orElse(true));
    }

    private boolean isFree(JsonNode disk) {
      return disk.path("status").asString().equals("available");
    }
  }

  private static final class DeletesTheMachineOnly extends DescribesTheMachineOnly {
    DeletesTheMachineOnly(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(
          super.list(owner).stream().filter(found -> describe(found.ref()).isPresent()).toList());
    }
  }

  private static final class ForgetsTheAddress extends AwkwardProvisioner {
    ForgetsTheAddress(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    void deletePart(String path) {
      if (!path.contains("/addresses/")) {
        super.deletePart(path);
      }
    }
  }

  private static final class DeletesInSilence extends AwkwardProvisioner {
    DeletesInSilence(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    void deletePart(String path) {
      try {
        super.deletePart(path);
      } catch (BackendException e) {
        // It will be gone somehow.
      }
    }
  }

  private static final class TakesFailureForGone extends AwkwardProvisioner {
    TakesFailureForGone(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    Optional<JsonNode> look(String path, String id) {
      try {
        return super.look(path, id);
      } catch (BackendException.Transient e) {
        return Optional.empty();
      }
    }
  }

  private static final class IgnoresTheLag extends AwkwardProvisioner {
    IgnoresTheLag(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    Identity identity() {
      return new Identity.Lookup(Duration.ZERO, AwkwardCompute.CALL_DEADLINE);
    }
  }

  private static final class DropsEarlyDeletions extends AwkwardProvisioner {
    DropsEarlyDeletions(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public void delete(ResourceRef ref) {
      if (describe(ref).filter(found -> found.state() == Found.State.CREATING).isEmpty()) {
        super.delete(ref);
      }
    }
  }

  /** Writes no sequence to the cloud, and shows the one that it was handed. */
  private static final class EchoesTags extends AwkwardProvisioner {
    EchoesTags(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public Found create(CreateRequest request) {
      CreateRequest.Machine machine = (CreateRequest.Machine) request;
      Marks marks = machine.marks();
      Place place = machine.place();
      Found made =
          super.create(
              new CreateRequest.Machine(
                  new Marks(marks.owner(), marks.key(), 0),
                  machine.labels(),
                  place,
                  machine.offer(),
                  machine.diskMib(),
                  machine.boot(),
                  machine.sshKeys(),
                  machine.volumes(),
                  machine.placementGroup()));
      Map<String, String> data = new HashMap<>(made.ref().data());
      data.put(Marks.SEQ, Long.toString(marks.seq()));
      return echoed(made, data);
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return super.describe(ref).map(found -> echoed(found, ref.data()));
    }

    private static Found echoed(Found found, Map<String, String> data) {
      Map<String, String> tags = new HashMap<>(found.tags());
      tags.computeIfPresent(Marks.SEQ, (_, seq) -> data.getOrDefault(Marks.SEQ, seq));
      ResourceRef ref = found.ref();
      return new Found(
          new ResourceRef(ref.type(), ref.key(), ref.id(), ref.region(), data),
          found.state(),
          tags,
          found.createdAt(),
          found.access(),
          found.members(),
          found.partOf(),
          found.detail(),
          found.interruptedAt(),
          found.refusal());
    }
  }

  private static final class ListsEverybody extends AwkwardProvisioner {
    ListsEverybody(AwkwardClient client, Owner own, InstantSource clock) {
      super(client, own, clock);
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(
          client.all("disks").stream().map(disk -> found(owner, disk, null, null)).toList());
    }
  }
}
