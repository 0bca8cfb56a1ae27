package dev.berth.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@ResourceLock(TestEngine.PODMAN)
class PodmanHostTest extends HostGifts {
  @Override
  TestEngine start() {
    return TestEngine.podman();
  }

  @Test
  void privilegedMayMount() throws Exception {
    assertThat(
            printed(
                jobs(),
                busybox().asPrivileged(),
                "mount -t tmpfs none /srv",
                "grep -c ' /srv tmpfs' /proc/mounts"))
        .isEqualTo("1\n");
  }
}
