package dev.berth.server;

import dev.berth.client.BerthClient;
import java.util.concurrent.CountDownLatch;

/** Somebody who follows a job and tells when it has said something. */
final class Begun implements BerthClient.Follower {
  private final CountDownLatch said = new CountDownLatch(1);

  @Override
  public void stdout(byte[] bytes) {
    said.countDown();
  }

  @Override
  public void stderr(byte[] bytes) {
    said.countDown();
  }

  void await() throws InterruptedException {
    said.await();
  }
}
