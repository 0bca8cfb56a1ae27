package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.things;

import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.Listing;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.testkit.SimSetup;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Backends that do not know keys again, and those that leave something behind. */
final class IdentityVariants {
  private IdentityVariants() {}

  static List<Variant> all() {
    AtomicInteger opened = new AtomicInteger();
    Map<String, Long> first = new ConcurrentHashMap<>();
    Map<String, CreateRequest> requests = new ConcurrentHashMap<>();
    Set<String> used = ConcurrentHashMap.newKeySet();
    SimSetup lookup = machines().identity("lookup");
    return List.of(
        things(
            "create-same-key-same-thing",
            machines(),
            Fault.create((sound, request) -> another(sound, request, !used.add(request.key())))),
        things(
            "create-same-key-when-ready",
            machines(),
            Fault.create(
                (sound, request) -> {
                  Found there = sound.create(request);
                  return another(sound, request, there.state() == Found.State.READY);
                })),
        things(
            "create-same-key-after-restart",
            machines(),
            provisioner -> {
              boolean restarted = opened.getAndIncrement() > 0;
              return Fault.create((sound, request) -> another(sound, request, restarted))
                  .apply(provisioner);
            }),
        things(
            "create-at-once-makes-one",
            machines(),
            Fault.create(
                (sound, request) -> {
                  long caller = Thread.currentThread().threadId();
                  Long firstCaller = first.putIfAbsent(request.key(), caller);
                  return another(sound, request, firstCaller != null && firstCaller != caller);
                })),
        things(
            "create-never-takes-what-others-own",
            machines().identity("unique_name"),
            Fault.create(IdentityVariants::adopting)),
        things(
            "create-two-keys-two-things",
            machines(),
            Fault.create(
                (sound, request) -> sound.create(requests.computeIfAbsent("first", _ -> request)))),
        things(
            "lookup-finds-all-of-a-key",
            lookup,
            Fault.find((sound, owner) -> sound.list(owner).stream().limit(1).toList())),
        things("lookup-delay-is-kept", lookup, ShowsLate::new),
        things("no-thing-is-left", machines(), KeepsAddresses::new),
        things("nothing-to-do", machines(), BringsBack::new));
  }

  /** Takes whatever has the name for what was made before. */
  private static Found adopting(Provisioner sound, CreateRequest request) {
    try {
      return sound.create(request);
    } catch (BackendException.NameTaken e) {
      Owner other = new Owner(request.marks().owner().installation() + "-other");
      return sound.list(other).stream()
          .filter(found -> found.ref().key().equals(request.key()))
          .findFirst()
          .orElseThrow(() -> e);
    }
  }

  private static Found another(Provisioner sound, CreateRequest request, boolean again) {
    return sound.create(again ? Altered.renamed(request, request.key() + "-again") : request);
  }

  /** Shows a thing from the second look on. */
  private static final class ShowsLate extends ForwardingProvisioner {
    private final Set<String> seen = new HashSet<>();

    ShowsLate(Provisioner sound) {
      super(sound);
    }

    @Override
    public Listing list(Owner owner) {
      return Listing.all(
          super.list(owner).stream().filter(found -> !seen.add(found.ref().id())).toList());
    }
  }

  /** Makes an address with each gateway, and forgets about it. */
  private static final class KeepsAddresses extends ForwardingProvisioner {
    private final List<Found> addresses = new ArrayList<>();

    KeepsAddresses(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      Found made = super.create(request);
      if (request instanceof CreateRequest.Gateway gateway) {
        ResourceRef address =
            new ResourceRef(
                ResourceType.ADDRESS, gateway.key(), "address-1", gateway.region(), Map.of());
        addresses.add(Found.of(address, Found.State.READY, Instant.EPOCH));
      }
      return made;
    }

    @Override
    public Listing list(Owner owner) {
      List<Found> all = new ArrayList<>(super.list(owner).found());
      all.addAll(addresses);
      return Listing.all(all);
    }
  }

  /** Takes the delete of what is gone for a wish to have it. */
  private static final class BringsBack extends ForwardingProvisioner {
    private final Map<String, Found> made = new ConcurrentHashMap<>();
    private final Set<String> back = new HashSet<>();

    BringsBack(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      Found found = super.create(request);
      made.put(found.ref().id(), found);
      return found;
    }

    @Override
    public void delete(ResourceRef ref) {
      if (super.describe(ref).isEmpty()) {
        back.add(ref.id());
      }
      super.delete(ref);
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return back.contains(ref.id())
          ? Optional.ofNullable(made.get(ref.id()))
          : super.describe(ref);
    }
  }
}
