package dev.berth.backends.sim;

import java.nio.file.Path;

/** Starts jobs in a cloud that others use too, and says each that the cloud has accepted. */
final class OtherProcess {
  private OtherProcess() {}

  /**
   * Runs it.
   *
   * @param arguments the folder of the cloud, a word for the keys, and how many jobs
   */
  public static void main(String[] arguments) {
    SimFixture sim = SimFixture.in(Path.of(arguments[0]), new SettableClock(), "");
    int count = Integer.parseInt(arguments[2]);
    for (int i = 0; i < count; i++) {
      String key = arguments[1] + "-" + i;
      sim.jobs().start(SimFixture.job(key, "sleep 5"));
      System.out.println(key);
    }
  }
}
