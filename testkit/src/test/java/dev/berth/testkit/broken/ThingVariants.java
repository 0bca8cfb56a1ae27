package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.things;

import dev.berth.model.Labels;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.MachineAddress;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Backends that make, list, show or delete things wrongly. */
final class ThingVariants {
  private ThingVariants() {}

  static List<Variant> all() {
    return Stream.of(creating(), listing(), showing(), deleting()).flatMap(List::stream).toList();
  }

  private static List<Variant> creating() {
    return List.of(
        things(
            "create-makes-it-ready",
            machines(),
            Fault.shown(found -> Altered.state(found, Found.State.CREATING))),
        things(
            "create-answers-with-what-was-asked",
            machines(),
            Fault.create(
                (sound, request) -> {
                  Found made = sound.create(request);
                  return Altered.ref(made, Altered.ref(made.ref(), "other", made.ref().id()));
                })),
        things(
            "create-keeps-the-tags",
            machines(),
            Fault.shown(found -> found.withTags(without(found.tags(), Marks.SEQ)))),
        things(
            "create-keeps-all-labels-or-none",
            machines(),
            Fault.shown(found -> found.withTags(without(found.tags(), Labels.NAME)))),
        things(
            "create-tells-when",
            machines(),
            Fault.create(
                (sound, request) -> Altered.createdAt(sound.create(request), Instant.EPOCH))),
        things("create-unknown-type-refused", machines(), Fault.create(ThingVariants::vague)),
        things(
            "create-at-a-spot-offer",
            machines(),
            Fault.create(
                (sound, request) -> {
                  if (request instanceof CreateRequest.Machine machine && machine.place().spot()) {
                    throw new BackendException.NoCapacity("there are no spot machines");
                  }
                  return sound.create(request);
                })),
        things(
            "create-out-of-a-reservation",
            machines(),
            Fault.create(
                (sound, request) -> {
                  if (request instanceof CreateRequest.Machine machine
                      && machine.place().reservation() != null) {
                    throw new BackendException.NoCapacity("what is reserved is never given");
                  }
                  return sound.create(request);
                })),
        things(
            "unknown-reservation-refused",
            machines(),
            Fault.create(
                (sound, request) ->
                    sound.create(
                        request instanceof CreateRequest.Machine machine
                            ? Altered.machine(
                                machine, machine.key(), Altered.unreserved(machine.place()))
                            : request))),
        things(
            "several-nodes-at-one-place",
            machines(),
            Fault.shown(found -> Altered.access(found, _ -> MachineAddress.of("10.0.0.1")))));
  }

  private static Map<String, String> without(Map<String, String> tags, String name) {
    Map<String, String> fewer = new HashMap<>(tags);
    fewer.remove(name);
    return fewer;
  }

  private static Found vague(Provisioner sound, CreateRequest request) {
    try {
      return sound.create(request);
    } catch (BackendException.Permanent | BackendException.NoCapacity e) {
      throw new BackendException.Transient("the provider said no", e);
    }
  }

  private static List<Variant> listing() {
    AtomicInteger looks = new AtomicInteger();
    return List.of(
        things("list-shows-what-was-made", machines(), Fault.list((_, _) -> List.of())),
        things(
            "list-shows-every-kind",
            machines(),
            Fault.list(
                (sound, owner) ->
                    sound.list(owner).stream()
                        .filter(found -> found.ref().type() != ResourceType.VOLUME)
                        .toList())),
        things(
            "list-hides-what-others-own",
            machines(),
            Fault.list(
                (sound, owner) ->
                    Stream.of(owner, new Owner(owner.installation() + "-other"))
                        .flatMap(each -> sound.list(each).stream())
                        .toList())),
        things(
            "list-gives-working-refs",
            machines(),
            Fault.list(
                (sound, owner) -> sound.list(owner).stream().map(ThingVariants::other).toList())),
        things(
            "list-twice-the-same",
            machines(),
            Fault.list(
                (sound, owner) ->
                    looks.getAndIncrement() % 2 == 0 ? sound.list(owner).found() : List.of())),
        things(
            "parts-name-their-owner",
            machines(),
            Fault.list(
                (sound, owner) ->
                    sound.list(owner).stream()
                        .flatMap(found -> Stream.of(found, part(found)))
                        .toList())),
        things("find-by-key", machines(), Fault.find((sound, owner) -> sound.list(owner).found())));
  }

  /** An address of something else. */
  private static Found part(Found found) {
    return Altered.ref(
            found, Altered.ref(found.ref(), found.ref().key(), "address-" + found.ref().id()))
        .partOf("another");
  }

  private static Found other(Found found) {
    return Altered.ref(
        found, Altered.ref(found.ref(), found.ref().key(), "listed-" + found.ref().id()));
  }

  private static List<Variant> showing() {
    AtomicInteger looks = new AtomicInteger();
    return List.of(
        things(
            "describe-shows-what-was-made",
            machines(),
            Fault.describe(
                (sound, ref) ->
                    sound.describe(ref).filter(found -> found.state() != Found.State.CREATING))),
        things(
            "describe-unknown-is-empty",
            machines(),
            Fault.describe(
                (sound, ref) -> Optional.of(sound.describe(ref).orElseThrow(Altered::gone)))),
        things(
            "describe-many-keeps-the-order",
            machines(),
            provisioner ->
                new ForwardingProvisioner(provisioner) {
                  @Override
                  public List<Optional<Found>> describe(List<ResourceRef> refs) {
                    return refs.reversed().stream().map(sound::describe).toList();
                  }

                  @Override
                  public int describedAtOnce() {
                    return 10;
                  }
                }),
        things(
            "describe-ready-machine-has-a-host",
            machines(),
            Fault.shown(found -> Altered.access(found, _ -> null))),
        things(
            "describe-ready-machine-has-a-host",
            machines(),
            Fault.shown(found -> Altered.access(found, access -> access.withPort(0)))),
        things(
            "describe-ready-machine-has-a-host",
            machines(),
            Fault.shown(found -> Altered.access(found, _ -> MachineAddress.of("")))),
        things(
            "describe-keeps-the-address",
            machines(),
            Fault.shown(
                found ->
                    Altered.access(
                        found, access -> access.withHostKey("ssh-ed25519 " + looks.addAndGet(1))))),
        things(
            "describe-keeps-the-address",
            machines(),
            Fault.shown(
                found ->
                    Altered.access(
                        found, access -> access.withPort(access.port() + looks.addAndGet(1))))),
        things(
            "describe-keeps-the-address",
            machines(),
            Fault.list(
                (sound, owner) ->
                    sound.list(owner).stream()
                        .map(found -> Altered.access(found, access -> access.withUser("admin")))
                        .toList())),
        things(
            "private-addresses-differ",
            machines(),
            Fault.shown(
                found -> Altered.access(found, access -> access.withPrivateAddress("172.16.0.9")))),
        things("describe-by-another-server", machines(), Forgetful::new));
  }

  /** Knows only what it made itself. */
  private static final class Forgetful extends ForwardingProvisioner {
    private final Set<String> made = new HashSet<>();

    Forgetful(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      Found found = super.create(request);
      made.add(found.ref().id());
      return found;
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return made.contains(ref.id()) ? super.describe(ref) : Optional.empty();
    }
  }

  private static List<Variant> deleting() {
    return List.of(
        things("delete-takes-it-away", machines(), Fault.delete((_, _) -> {})),
        things(
            "delete-twice-is-silent",
            machines(),
            Fault.delete(
                (sound, ref) -> {
                  if (Altered.is(sound, ref, Found.State.LEAVING)) {
                    throw Altered.permanent();
                  }
                  sound.delete(ref);
                })),
        things(
            "delete-unknown-is-silent",
            machines(),
            Fault.delete(
                (sound, ref) -> {
                  if (sound.describe(ref).isEmpty()) {
                    throw Altered.gone();
                  }
                  sound.delete(ref);
                })),
        things(
            "delete-while-it-is-made",
            machines(),
            Fault.delete(
                (sound, ref) -> {
                  if (!Altered.is(sound, ref, Found.State.CREATING)) {
                    sound.delete(ref);
                  }
                })),
        things("delete-leaves-others-alone", machines(), Careless::new));
  }

  /** Deletes everything that it made at once. */
  private static final class Careless extends ForwardingProvisioner {
    private final Set<ResourceRef> made = new HashSet<>();

    Careless(Provisioner sound) {
      super(sound);
    }

    @Override
    public Found create(CreateRequest request) {
      Found found = super.create(request);
      made.add(found.ref());
      return found;
    }

    @Override
    public void delete(ResourceRef ref) {
      made.forEach(super::delete);
    }
  }
}
