package dev.berth.spi;

import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What a backend can do. Everything that its base allows is on: a backend says what it has not, and
 * the conformance kit checks both what is there and that the rest is refused.
 *
 * @param all what the backend can do
 */
public record Traits(Base base, Set<Trait> all) {
  /** What a backend gives. */
  public enum Base {
    /**
     * Machines. Berth runs an engine on them, so that what the engine can do comes by itself and
     * cannot be taken back.
     */
    MACHINES(
        EnumSet.of(
            Trait.IMAGES,
            Trait.PRIVILEGED,
            Trait.INSTANCE_VOLUMES,
            Trait.BLOCKS,
            Trait.REUSE,
            Trait.EXEC,
            Trait.CONNECT),
        EnumSet.of(Trait.QUEUE_POSITION, Trait.REWRITING, Trait.FILES, Trait.USAGE)),
    /** Containers or batch jobs, without access to the machine below. */
    CONTAINERS(
        EnumSet.noneOf(Trait.class),
        EnumSet.of(
            Trait.PRIVILEGED,
            Trait.INSTANCE_VOLUMES,
            Trait.BLOCKS,
            Trait.REUSE,
            Trait.FILES,
            Trait.USAGE)),
    /** Machines that are there by themselves; nothing is bought. */
    HOSTS(
        EnumSet.of(Trait.REUSE),
        EnumSet.of(
            Trait.SPOT,
            Trait.RESERVATIONS,
            Trait.GROUPS,
            Trait.VOLUMES,
            Trait.PLACEMENT_GROUPS,
            Trait.GATEWAYS,
            Trait.PRIVATE_GATEWAYS,
            Trait.GATEWAY_LOAD_BALANCERS,
            Trait.FILES,
            Trait.USAGE));

    private final Set<Trait> given;
    private final Set<Trait> declared;

    Base(Set<Trait> given, Set<Trait> declared) {
      this.given = Collections.unmodifiableSet(given);
      this.declared = Collections.unmodifiableSet(declared);
    }

    /** The word for it in JSON and on the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** What comes by itself, whatever the backend says. */
    public Set<Trait> given() {
      return given;
    }

    /** What is off unless the backend says that it has it. */
    public Set<Trait> declared() {
      return declared;
    }
  }

  public Traits {
    EnumSet<Trait> copy = EnumSet.noneOf(Trait.class);
    copy.addAll(all);
    copy.addAll(base.given());
    all = Collections.unmodifiableSet(copy);
  }

  /** All that a base has without being told. */
  public static Traits of(Base base) {
    EnumSet<Trait> all = EnumSet.allOf(Trait.class);
    all.removeAll(base.declared());
    return new Traits(base, all);
  }

  /**
   * Says what the backend has not.
   *
   * @throws IllegalArgumentException for what comes by itself and cannot be missing
   */
  public Traits without(Trait... missing) {
    EnumSet<Trait> left = EnumSet.noneOf(Trait.class);
    left.addAll(all);
    for (Trait trait : missing) {
      if (base.given().contains(trait)) {
        throw new IllegalArgumentException(
            "a backend of " + base + " has " + trait + " by itself and cannot do without");
      }
      left.remove(trait);
    }
    return new Traits(base, left);
  }

  /** Says what the backend has besides what its base allows. */
  public Traits with(Trait... more) {
    EnumSet<Trait> bigger = EnumSet.noneOf(Trait.class);
    bigger.addAll(all);
    bigger.addAll(List.of(more));
    return new Traits(base, bigger);
  }

  public boolean has(Trait trait) {
    return all.contains(trait);
  }

  /**
   * Refuses where the backend lacks a trait.
   *
   * @throws BackendException.Unsupported which names it
   */
  public void require(Trait trait) {
    if (!has(trait)) {
      throw new BackendException.Unsupported(trait);
    }
  }

  /** What the backend has not, in the order of the enum. */
  public Set<Trait> missing() {
    EnumSet<Trait> missing = EnumSet.allOf(Trait.class);
    missing.removeAll(all);
    return missing;
  }
}
