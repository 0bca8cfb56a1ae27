package dev.berth.control;

import dev.berth.model.Boot;
import dev.berth.model.Candidate;
import dev.berth.model.Endpoint;
import dev.berth.model.MachineFacts;
import dev.berth.spi.BackendException;
import dev.berth.spi.BootWay;
import dev.berth.spi.Compute;
import dev.berth.spi.GpuMetrics;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.ResourceRef;
import java.util.Optional;

/**
 * Connects to machines whose backend makes them and runs no jobs, so that Berth runs the jobs
 * there. All methods may be called from any thread.
 */
public interface MachineConnector {
  /** Connects to no machine, so that only backends that run jobs themselves are used. */
  MachineConnector NONE =
      new MachineConnector() {
        @Override
        public Optional<Equipment> equipmentOn(Compute backend) {
          return Optional.empty();
        }

        @Override
        public Connection connect(Machine machine) {
          throw new BackendException.Permanent(
              "this server cannot connect to the machine " + machine.id(), null);
        }
      };

  /**
   * How Berth would run jobs on the machines of a backend; empty if it cannot connect to them, so
   * that none is bought. Pure.
   */
  Optional<Equipment> equipmentOn(Compute backend);

  /** The same for machines whose backend runs the jobs itself. Pure. */
  default Equipment equipmentByBackend() {
    return Equipment.BY_BACKEND;
  }

  /**
   * How jobs run on machines.
   *
   * @param execution who runs them
   * @param boots what the machines do first, and who may enter them
   */
  record Equipment(Candidate.Execution execution, Boots boots) {
    /** The backend runs jobs itself, its machines boot as it likes, and nobody enters them. */
    public static final Equipment BY_BACKEND =
        new Equipment(Candidate.Execution.BACKEND, Boots.NONE);
  }

  /** Writes what machines do first in the form that their provider takes. */
  @FunctionalInterface
  interface Boots {
    /** Nothing, and nobody may enter. */
    Boots NONE = _ -> Boot.NONE;

    /**
     * What a machine does first, with an empty text where nothing can be handed over. Pure; the
     * same for each machine that is ordered with it, and without secrets, because it is stored with
     * the order.
     */
    Boot in(BootWay way);
  }

  /**
   * Whether connections to the machines of a backend can tell how busy accelerators are, so that a
   * utilisation policy can be kept there. Pure.
   */
  default boolean measuresAccelerators(Compute backend) {
    return false;
  }

  /**
   * Connects to a machine that its provider has started. Idempotent; takes at most a minute.
   *
   * @throws BackendException.Transient if the machine does not answer yet
   * @throws BackendException.Permanent if jobs can never run on it
   */
  Connection connect(Machine machine);

  /**
   * A machine to connect to.
   *
   * @param backend the backend's name
   * @param id our key for the machine
   * @param ref what names the machine to its provider
   * @param endpoint where the provider says that it can be reached, and the key that it must show
   */
  record Machine(String backend, Compute compute, String id, ResourceRef ref, Endpoint endpoint) {}

  /** A machine on which Berth can run jobs. A connection that breaks is restored by itself. */
  interface Connection extends AutoCloseable {
    /**
     * Who runs jobs there. Quick.
     *
     * @throws BackendException.Transient if the machine does not answer now
     */
    JobRuntime jobs();

    /** What the machine has, as it was when the connection was opened. Pure. */
    MachineFacts facts();

    /** Who knows how busy the machine's accelerators are; empty if nobody does. Pure. */
    default Optional<GpuMetrics> gpuMetrics() {
      return Optional.empty();
    }

    /** Closes the connection. Jobs go on. Idempotent. */
    @Override
    void close();
  }
}
