package dev.berth.testkit.broken;

import dev.berth.backends.sim.SimConfig;
import dev.berth.spi.BackendContext;
import dev.berth.spi.BackendType;
import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Provisioner;
import dev.berth.spi.Volumes;
import dev.berth.testkit.Setup;
import dev.berth.testkit.SimSetup;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A cloud or a backend with one fault.
 *
 * @param check the name of the check that must catch it
 * @param sound the same cloud without the fault, which the check must accept
 */
public record Variant(String check, Setup sound, Setup broken) {
  static Variant type(
      String check, SimSetup sound, UnaryOperator<BackendType<SimConfig>> breaking) {
    return new Variant(check, sound, sound.wrapped(breaking));
  }

  static Variant compute(String check, SimSetup sound, UnaryOperator<Compute> breaking) {
    return new Variant(check, sound, sound.wrapped(type -> opened(type, breaking)));
  }

  static Variant things(String check, SimSetup sound, UnaryOperator<Provisioner> breaking) {
    return compute(
        check,
        sound,
        compute ->
            new ForwardingCompute(compute) {
              private final Optional<Provisioner> broken = compute.provisioner().map(breaking);

              @Override
              public Optional<Provisioner> provisioner() {
                return broken;
              }
            });
  }

  static Variant jobs(String check, SimSetup sound, UnaryOperator<JobRuntime> breaking) {
    return compute(
        check,
        sound,
        compute ->
            new ForwardingCompute(compute) {
              private final Optional<JobRuntime> broken = compute.runtime().map(breaking);

              @Override
              public Optional<JobRuntime> runtime() {
                return broken;
              }
            });
  }

  static Variant volumes(String check, SimSetup sound, UnaryOperator<Volumes> breaking) {
    return compute(
        check,
        sound,
        compute ->
            new ForwardingCompute(compute) {
              @Override
              public Optional<Volumes> volumes() {
                return super.volumes().map(breaking);
              }
            });
  }

  /** A type that opens another backend than it should. */
  public static BackendType<SimConfig> opened(
      BackendType<SimConfig> type, UnaryOperator<Compute> breaking) {
    return new ForwardingType<>(type) {
      @Override
      public Compute open(SimConfig config, BackendContext context) {
        return breaking.apply(super.open(config, context));
      }
    };
  }
}
