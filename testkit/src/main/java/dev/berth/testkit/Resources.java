package dev.berth.testkit;

import dev.berth.model.JobRequest;
import dev.berth.model.Place;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendException;
import dev.berth.spi.BootWay;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.DiskChoice;
import dev.berth.spi.Found;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Trait;
import dev.berth.spi.Traits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a check makes at the provider, and how it looks at it. */
public final class Resources {
  /** The one that every server of this run logs in with. */
  static final String SSH_KEY =
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHKp0d6W7mWv1mXZ0k8u3o0Q3w1g6m9t3Yp4b5c6d7e8 kit";

  private static final long VOLUME_MIB = 10 * 1024;

  private final Session session;
  private final Trial trial;
  private final Deque<ResourceRef> made = new ArrayDeque<>();

  Resources(Session session, Trial trial) {
    this.session = session;
    this.trial = trial;
  }

  /** The backend's, whose calls are made again later when the provider says one was too many. */
  public Provisioner provisioner() {
    return new RetryingProvisioner(session.provisioner(), session.waiting());
  }

  /** The backend's as it is. */
  public Provisioner provisionerWithoutRetries() {
    return session.provisioner();
  }

  /** Makes something that is deleted when the check ends. */
  public Found create(CreateRequest request) {
    return create(session.provisioner(), request);
  }

  /** Deletes later what was made otherwise than by {@link #create}. */
  public void keepInMind(ResourceRef ref) {
    synchronized (made) {
      made.addFirst(ref);
    }
  }

  /** Makes something by a backend that was opened again. */
  public Found create(Provisioner by, CreateRequest request) {
    Found found = session.waiting().unhurried(() -> by.create(request));
    keepInMind(found.ref());
    return found;
  }

  /** The cheapest thing that the backend makes, whatever it is. */
  public CreateRequest sample(String key) {
    return sample(key, trial.owner());
  }

  /** The same, which belongs to somebody. */
  public CreateRequest sample(String key, Owner owner) {
    Traits traits = trial.traits();
    if (traits.base() == Traits.Base.MACHINES) {
      return machine(key, trial.place(), List.of(), null, owner);
    }
    if (traits.has(Trait.VOLUMES)) {
      Place place = trial.place();
      return new CreateRequest.Volume(
          trial.marks(key, owner), Trial.LABELS, place.region(), place.zone(), VOLUME_MIB);
    }
    if (traits.has(Trait.PLACEMENT_GROUPS)) {
      return new CreateRequest.PlacementGroup(trial.marks(key, owner), Trial.LABELS, trial.place());
    }
    if (traits.has(Trait.GATEWAYS)) {
      return new CreateRequest.Gateway(
          trial.marks(key, owner),
          Trial.LABELS,
          trial.place().region(),
          null,
          true,
          boot(),
          List.of(SSH_KEY));
    }
    if (traits.has(Trait.GATEWAY_LOAD_BALANCERS)) {
      return new CreateRequest.LoadBalancer(
          trial.marks(key, owner), Trial.LABELS, trial.place().region(), null);
    }
    return new CreateRequest.Group(
        trial.marks(key, owner),
        Trial.LABELS,
        trial.place(),
        List.of(trial.jobs().member("sleep 3600")));
  }

  /** A thing of each kind that the backend makes, machines first. */
  public List<CreateRequest> oneOfEach() {
    Traits traits = trial.traits();
    List<CreateRequest> all = new ArrayList<>();
    if (traits.base() == Traits.Base.MACHINES) {
      all.add(machine(trial.key(), trial.place()));
    }
    if (traits.has(Trait.VOLUMES)) {
      all.add(volume(trial.key()));
    }
    if (traits.has(Trait.PLACEMENT_GROUPS)) {
      all.add(placementGroup(trial.key()));
    }
    if (traits.has(Trait.GATEWAYS)) {
      all.add(gateway(trial.key(), true));
    }
    if (traits.has(Trait.GATEWAY_LOAD_BALANCERS)) {
      all.add(loadBalancer(trial.key()));
    }
    if (traits.has(Trait.GROUPS)) {
      all.add(group(trial.key(), trial.place(), List.of(trial.jobs().member("sleep 3600"))));
    }
    return all;
  }

  public CreateRequest.Machine machine(String key, Place place) {
    return machine(key, place, List.of(), null, trial.owner());
  }

  public CreateRequest.Machine machine(
      String key,
      Place place,
      List<ResourceRef> volumes,
      @Nullable ResourceRef placementGroup,
      Owner owner) {
    CatalogItem offer = trial.offered().at(place);
    DiskChoice disk = offer.diskMib() == null ? trial.compute().disk(offer).orElse(null) : null;
    return new CreateRequest.Machine(
        trial.marks(key, owner),
        Trial.LABELS,
        place,
        disk == null ? offer : offer.with(disk.minMib(), offer.price() + disk.price(disk.minMib())),
        disk == null ? null : disk.minMib(),
        boot(trial.compute().bootWay(offer)),
        List.of(SSH_KEY),
        volumes,
        placementGroup);
  }

  /** What a gateway does first: it is a machine like others. */
  private String boot() {
    return boot(trial.compute().bootWay(trial.offered().at(trial.place())));
  }

  private static String boot(BootWay way) {
    return switch (way) {
      case BootWay.CloudInit _ -> "#cloud-config\n";
      case BootWay.Script _ -> "#!/bin/sh\n";
      case BootWay.OverSsh _ -> "";
    };
  }

  public CreateRequest.Volume volume(String key) {
    Place place = trial.place();
    return new CreateRequest.Volume(
        trial.marks(key), Trial.LABELS, place.region(), place.zone(), VOLUME_MIB);
  }

  public CreateRequest.PlacementGroup placementGroup(String key) {
    return new CreateRequest.PlacementGroup(trial.marks(key), Trial.LABELS, trial.place());
  }

  public CreateRequest.Gateway gateway(String key, boolean publicAddress) {
    return new CreateRequest.Gateway(
        trial.marks(key),
        Trial.LABELS,
        trial.place().region(),
        null,
        publicAddress,
        boot(),
        List.of(SSH_KEY));
  }

  /** A gateway on a machine of a type. */
  public CreateRequest.Gateway gateway(String key, String instanceType) {
    return new CreateRequest.Gateway(
        trial.marks(key),
        Trial.LABELS,
        trial.place().region(),
        instanceType,
        true,
        boot(),
        List.of(SSH_KEY));
  }

  public CreateRequest.LoadBalancer loadBalancer(String key) {
    return new CreateRequest.LoadBalancer(
        trial.marks(key), Trial.LABELS, trial.place().region(), null);
  }

  public CreateRequest.Group group(String key, Place place, List<JobRequest> jobs) {
    return new CreateRequest.Group(trial.marks(key), Trial.LABELS, place, jobs);
  }

  /** The name of something that was never made. */
  public ResourceRef unknown() {
    Place place = trial.place();
    return new ResourceRef(
        sample(trial.key()).type(), trial.key(), "kit-no-such-id", place.region(), Map.of());
  }

  /** Waits until a thing can be used. */
  public Found awaitReady(ResourceRef ref) {
    return trial.await(
        trial.limits().ready(),
        "describe() did not show the %s as READY".formatted(ref.type().word()),
        () -> ready(ref));
  }

  /** A thing, if it can be used now. */
  public Optional<Found> ready(ResourceRef ref) {
    Optional<Found> found = provisioner().describe(ref);
    found
        .filter(
            shown -> shown.state() == Found.State.FAILED || shown.state() == Found.State.REFUSED)
        .ifPresent(
            shown -> {
              throw new CheckFailure(
                  "the %s is %s instead of becoming READY: %s"
                      .formatted(ref.type().word(), shown.state(), shown.detail()));
            });
    return found.filter(shown -> shown.state() == Found.State.READY);
  }

  /**
   * Waits until the provider says that what was deleted is not there. Asks for it again and again,
   * as a server does: what is made of several parts may go one part at a time.
   */
  public void awaitGone(ResourceRef ref) {
    trial.await(
        trial.limits().gone(),
        "the %s was deleted, and describe() did not become empty".formatted(ref.type().word()),
        () -> session.deletions().isGone(ref) ? Optional.of(true) : Optional.empty());
  }

  /** Waits until the list shows so many things with a key. */
  public List<Found> awaitListed(String key, int count) {
    return trial.await(
        visibleWithin().plus(trial.limits().ready()),
        "list() did not show the %d thing(s) that were made with one key".formatted(count),
        () -> Optional.of(keyed(trial.owner(), key)).filter(found -> found.size() == count));
  }

  /** What the list shows under a key, without parts. */
  public List<Found> keyed(Owner owner, String key) {
    return allKeyed(owner, key).stream().filter(found -> found.partOf() == null).toList();
  }

  /** What the list shows under a key, parts too. */
  public List<Found> allKeyed(Owner owner, String key) {
    return provisioner().list(owner).stream()
        .filter(found -> found.ref().key().equals(key))
        .toList();
  }

  /** What a backend that is opened again lists under a key. */
  public Optional<Found> listedAnew(String key) {
    return trial
        .reopened()
        .provisioner()
        .map(again -> new RetryingProvisioner(again, session.waiting()))
        .flatMap(
            again ->
                again.list(trial.owner()).stream()
                    .filter(found -> found.ref().key().equals(key))
                    .findFirst());
  }

  /** How long a thing may be missing from reads. */
  public Duration visibleWithin() {
    return trial.compute().identity().visibleWithin();
  }

  /** Makes something, and waits until it must be shown. */
  public Found createVisible(CreateRequest request) {
    Found made = create(request);
    trial.pass(trial.compute().identity().describedWithin());
    return made;
  }

  /** Deletes, and asks again while the provider says that it is in use. */
  public void deletePatiently(ResourceRef ref) {
    trial.await(
        trial.limits().gone(),
        "the %s could not be deleted".formatted(ref.type().word()),
        () -> {
          provisioner().delete(ref);
          return Optional.of(true);
        });
  }

  void cleanUp() {
    for (ResourceRef ref : made) {
      try {
        session.provisioner().delete(ref);
        session.deletions().accepted(ref);
      } catch (BackendException.Transient | BackendException.RateLimited e) {
        // In use by what was deleted a moment ago; it is asked for again when that is gone.
        session.deletions().later(ref);
      } catch (RuntimeException | AssertionError e) {
        session.cleaningFailed("a " + ref.type().word() + " could not be deleted", e);
      }
    }
    session.deletions().askAgain();
  }
}
