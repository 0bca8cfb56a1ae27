package dev.berth.backends.sim.scenario;

import java.util.Locale;

/** A call that the simulated cloud answers. Calls are counted by operation. */
public enum Operation {
  OFFERS(false),
  QUALIFY(false),
  CREATE(true),
  DELETE(true),
  DESCRIBE(false),
  LIST(false),
  START(true),
  STOP(true),
  KILL(true),
  REMOVE(true),
  OBSERVE(false),
  DESCRIBE_JOB(false),
  LIST_JOBS(false),
  READ(false),
  EXEC(false),
  CONNECT(false),
  QUEUE(false),
  GPU_METRICS(false),
  USAGE(false),
  REGISTER_VOLUME(false),
  ATTACH(true),
  DETACH(true),
  IS_DETACHED(false),
  REGISTER_GATEWAY(true),
  DEREGISTER_GATEWAY(true),
  PREPARE(true),
  UNDO(true);

  private final boolean changing;

  Operation(boolean changing) {
    this.changing = changing;
  }

  /** Whether it changes the cloud. Such calls are counted for good, others until a restart. */
  public boolean isChanging() {
    return changing;
  }

  /** Whether it belongs to adding or removing a backend, which goes well unless it is named. */
  public boolean isSetUp() {
    return this == PREPARE || this == UNDO;
  }

  /** The word for it in scenarios and traces. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
