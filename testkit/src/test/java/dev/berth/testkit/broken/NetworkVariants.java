package dev.berth.testkit.broken;

import static dev.berth.testkit.SimSetup.containers;
import static dev.berth.testkit.SimSetup.machines;
import static dev.berth.testkit.broken.Variant.compute;
import static dev.berth.testkit.broken.Variant.jobs;
import static dev.berth.testkit.broken.Variant.things;
import static dev.berth.testkit.broken.Variant.volumes;

import dev.berth.model.Place;
import dev.berth.model.ResourceType;
import dev.berth.spi.BackendException;
import dev.berth.spi.Compute;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.LoadBalancers;
import dev.berth.spi.PlacementGroups;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Volumes;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Backends with wrong groups, volumes, placement groups, gateways or load balancers. */
final class NetworkVariants {
  private NetworkVariants() {}

  static List<Variant> all() {
    return Stream.of(groups(), volumeFaults(), placement(), gateways())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Variant> groups() {
    return List.of(
        things(
            "group-starts-all-its-jobs",
            containers(),
            Fault.shown(found -> found.withMembers(List.of()))),
        things("group-is-deleted-as-one", containers(), LeavesJobs::new),
        things(
            "group-is-made-whole-or-not",
            containers(),
            Fault.create(
                (sound, request) -> {
                  try {
                    return sound.create(request);
                  } catch (BackendException.Permanent e) {
                    if (request instanceof CreateRequest.Group group) {
                      sound.create(
                          new CreateRequest.Group(
                              group.marks(),
                              group.labels(),
                              group.place(),
                              group.jobs().subList(0, 1)));
                    }
                    throw e;
                  }
                })));
  }

  /** Says that a group is gone, and lets its jobs run on. */
  private static final class LeavesJobs extends ForwardingProvisioner {
    private final Set<String> deleted = new HashSet<>();

    LeavesJobs(Provisioner sound) {
      super(sound);
    }

    @Override
    public void delete(ResourceRef ref) {
      if (ref.type() == ResourceType.GROUP) {
        deleted.add(ref.id());
      } else {
        super.delete(ref);
      }
    }

    @Override
    public Optional<Found> describe(ResourceRef ref) {
      return deleted.contains(ref.id()) ? Optional.empty() : super.describe(ref);
    }
  }

  private static List<Variant> volumeFaults() {
    return List.of(
        volumes("volume-is-made-and-deleted", machines(), NeverDetached::new),
        volumes("volume-of-others-is-registered", machines(), RegistersVaguely::new),
        volumes("volume-attach-twice-same-device", machines(), AttachesOnce::new),
        volumes("volume-attached-elsewhere-refused", machines(), AttachesAnywhere::new),
        volumes("volume-is-detached", machines(), NeverDetaches::new),
        volumes("volume-is-detached-by-force", machines(), NoForce::new),
        volumes("volume-attach-unknown-gone", machines(), AttachesVaguely::new),
        jobs(
            "job-has-its-volumes",
            containers(),
            Fault.start((sound, request) -> sound.start(request.with(List.of())))),
        things(
            "volume-comes-with-its-machine",
            machines(),
            Fault.create(
                (sound, request) ->
                    sound.create(
                        request instanceof CreateRequest.Machine machine
                            ? Altered.machine(machine, machine.key(), machine.place())
                            : request))));
  }

  private static final class NeverDetached extends ForwardingVolumes {
    NeverDetached(Volumes sound) {
      super(sound);
    }

    @Override
    public boolean isDetached(ResourceRef volume) {
      return false;
    }
  }

  private static final class RegistersVaguely extends ForwardingVolumes {
    RegistersVaguely(Volumes sound) {
      super(sound);
    }

    @Override
    public Found register(String id, String region) {
      try {
        return super.register(id, region);
      } catch (BackendException.Gone e) {
        throw new BackendException.Transient("the provider said no", e);
      }
    }
  }

  private static final class AttachesOnce extends ForwardingVolumes {
    AttachesOnce(Volumes sound) {
      super(sound);
    }

    @Override
    public String attach(ResourceRef volume, ResourceRef instance) {
      if (!isDetached(volume)) {
        throw Altered.permanent();
      }
      return super.attach(volume, instance);
    }
  }

  private static final class AttachesAnywhere extends ForwardingVolumes {
    AttachesAnywhere(Volumes sound) {
      super(sound);
    }

    @Override
    public String attach(ResourceRef volume, ResourceRef instance) {
      return isDetached(volume) ? super.attach(volume, instance) : "/dev/elsewhere";
    }
  }

  private static final class NeverDetaches extends ForwardingVolumes {
    NeverDetaches(Volumes sound) {
      super(sound);
    }

    @Override
    public void detach(ResourceRef volume, ResourceRef instance, boolean force) {}
  }

  private static final class NoForce extends ForwardingVolumes {
    NoForce(Volumes sound) {
      super(sound);
    }

    @Override
    public void detach(ResourceRef volume, ResourceRef instance, boolean force) {
      if (force) {
        throw Altered.permanent();
      }
      super.detach(volume, instance, false);
    }
  }

  private static final class AttachesVaguely extends ForwardingVolumes {
    AttachesVaguely(Volumes sound) {
      super(sound);
    }

    @Override
    public String attach(ResourceRef volume, ResourceRef instance) {
      try {
        return super.attach(volume, instance);
      } catch (BackendException.Gone e) {
        throw new BackendException.Permanent("the provider said no", e);
      }
    }
  }

  private static List<Variant> placement() {
    return List.of(
        compute("placement-group-is-made-and-deleted", machines(), NoNeighbours::new),
        compute("placement-group-suits-its-place", machines(), SuitsAll::new),
        things(
            "placement-group-in-use-stays",
            machines(),
            Fault.delete(
                (sound, ref) -> {
                  try {
                    sound.delete(ref);
                  } catch (BackendException.Transient e) {
                    // In use; the fault is that nobody is told.
                    sound.describe(ref);
                  }
                })));
  }

  private static final class NoNeighbours extends ForwardingCompute {
    NoNeighbours(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<PlacementGroups> placementGroups() {
      return Optional.empty();
    }
  }

  private static final class SuitsAll extends ForwardingCompute {
    SuitsAll(Compute sound) {
      super(sound);
    }

    @Override
    public Optional<PlacementGroups> placementGroups() {
      return Optional.of(
          new PlacementGroups() {
            @Override
            public boolean suits(ResourceRef group, Place place) {
              return true;
            }

            @Override
            public boolean allowReservations() {
              return true;
            }
          });
    }
  }

  private static List<Variant> gateways() {
    return List.of(
        things(
            "gateway-has-an-address",
            machines(),
            Fault.shown(
                found ->
                    found.ref().type() == ResourceType.GATEWAY
                        ? Altered.access(found, _ -> null)
                        : found)),
        things(
            "gateway-has-the-type-asked-for",
            machines(),
            Fault.create(
                (sound, request) ->
                    sound.create(
                        request instanceof CreateRequest.Gateway gateway
                            ? untyped(gateway)
                            : request))),
        things(
            "private-gateway-is-made",
            machines(),
            Fault.create(
                (sound, request) -> {
                  if (request instanceof CreateRequest.Gateway gateway
                      && !gateway.publicAddress()) {
                    throw Altered.permanent();
                  }
                  return sound.create(request);
                })),
        compute(
            "load-balancer-takes-gateways",
            machines(),
            compute -> new WrongBalancers(compute, RegistersOnce::new)),
        compute(
            "load-balancer-unknown-gateway-gone",
            machines(),
            compute -> new WrongBalancers(compute, RegistersAnything::new)));
  }

  /** The usual type, whatever was asked for. */
  private static CreateRequest.Gateway untyped(CreateRequest.Gateway gateway) {
    return new CreateRequest.Gateway(
        gateway.marks(),
        gateway.labels(),
        gateway.region(),
        null,
        gateway.publicAddress(),
        gateway.boot(),
        gateway.sshKeys());
  }

  private static final class WrongBalancers extends ForwardingCompute {
    private final Optional<LoadBalancers> wrong;

    WrongBalancers(Compute sound, UnaryOperator<LoadBalancers> breaking) {
      super(sound);
      this.wrong = sound.loadBalancers().map(breaking);
    }

    @Override
    public Optional<LoadBalancers> loadBalancers() {
      return wrong;
    }
  }

  private static final class RegistersOnce implements LoadBalancers {
    private final LoadBalancers sound;
    private final Set<String> registered = new HashSet<>();

    RegistersOnce(LoadBalancers sound) {
      this.sound = sound;
    }

    @Override
    public void register(ResourceRef balancer, ResourceRef gateway) {
      if (!registered.add(gateway.id())) {
        throw Altered.permanent();
      }
      sound.register(balancer, gateway);
    }

    @Override
    public void deregister(ResourceRef balancer, ResourceRef gateway) {
      sound.deregister(balancer, gateway);
    }
  }

  private record RegistersAnything(LoadBalancers sound) implements LoadBalancers {
    @Override
    public void register(ResourceRef balancer, ResourceRef gateway) {}

    @Override
    public void deregister(ResourceRef balancer, ResourceRef gateway) {
      sound.deregister(balancer, gateway);
    }
  }
}
