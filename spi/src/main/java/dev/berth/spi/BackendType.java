package dev.berth.spi;

import dev.berth.spi.config.PartialConfig;
import dev.berth.spi.config.Suggestion;
import java.util.List;
import java.util.Map;

/**
 * A kind of backend. Found with {@link java.util.ServiceLoader}, on the class path or in a jar of
 * the folder {@code plugins}; nothing else has to be told about it.
 *
 * <p>Setting one up goes in steps: {@link #suggest} while the user fills in the configuration,
 * {@link #check} before it is accepted, {@link #prepare} once, {@link #open} at every start, {@link
 * #undo} when it is removed.
 *
 * @param <C> the configuration: a record whose components are the settings, see {@link
 *     dev.berth.spi.config.Setting}
 */
public interface BackendType<C extends Record> {
  /** The word that configurations use for it: lower case letters, digits and dashes. Pure. */
  String name();

  /** What it is, in one sentence. Pure. */
  String summary();

  /** The configuration's record. Pure. */
  Class<C> config();

  /** What backends of this type can do at most, known without credentials. Pure. */
  Traits traits();

  /**
   * The checks of the conformance kit that backends of this type fail because their provider cannot
   * do better. The kit holds a backend to them, and shows them to whoever verifies it. Pure.
   */
  default List<Deviation> deviations() {
    return List.of();
  }

  /**
   * Whether a server has one of this type without being told, with an empty configuration. Only for
   * what costs nothing. Pure.
   */
  default boolean isThereByItself() {
    return false;
  }

  /**
   * Whether the provider accepts the configuration: asks it with the credentials, changes nothing.
   * At most half a minute.
   *
   * @throws BackendException.BadConfig with the path of each field that is wrong; credentials that
   *     the provider refuses too
   * @throws BackendException.Transient where the provider does not answer
   */
  void check(C config, BackendContext context);

  /**
   * What could be written into fields that are not filled in: regions, networks. Works with
   * whatever is there, and is silent about what it cannot know. Changes nothing; at most half a
   * minute.
   *
   * @throws BackendException.BadConfig where what is there is wrong
   */
  default List<Suggestion> suggest(PartialConfig partial, BackendContext context) {
    return List.of();
  }

  /**
   * Makes what must be there before the first job: networks, a resource group. Idempotent: called
   * again, also after a crash in the middle and with what it returned before in the context, it
   * finds what is there. At most ten minutes.
   *
   * @return words that are stored and given back in every context
   */
  default Map<String, String> prepare(C config, BackendContext context) {
    return Map.of();
  }

  /**
   * Takes back what {@link #prepare} made. Idempotent; silent where nothing is there.
   *
   * @throws BackendException.Transient where it must be called again
   */
  default void undo(C config, BackendContext context) {}

  /**
   * Opens the backend. Quick: asks nobody, so that a server starts while a provider is down.
   *
   * @throws BackendException.Permanent where the machine lacks something that it needs
   */
  Compute open(C config, BackendContext context);
}
