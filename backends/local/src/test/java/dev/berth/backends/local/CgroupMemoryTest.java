package dev.berth.backends.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CgroupMemoryTest {
  private static final String UNIFIED =
      "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
  private static final String MEMORY =
      "35 31 0:32 %s /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";

  @TempDir Path system;

  private void write(Map<String, String> files) throws IOException {
    for (Map.Entry<String, String> file : files.entrySet()) {
      Path path = system.resolve(file.getKey());
      Files.createDirectories(Objects.requireNonNull(path.getParent()));
      Files.writeString(path, file.getValue());
    }
  }

  @Test
  void theLowestLimitAboveUsCountsInVersion2() throws IOException {
    write(
        Map.of(
            "proc/self/mountinfo", UNIFIED,
            "proc/self/cgroup", "0::/user.slice/berth.service\n",
            "sys/fs/cgroup/user.slice/berth.service/memory.max", "max\n",
            "sys/fs/cgroup/user.slice/memory.max", "4294967296\n"));
    assertThat(CgroupMemory.limit(system)).hasValue(4294967296L);
  }

  @Test
  void version1() throws IOException {
    write(
        Map.of(
            "proc/self/mountinfo", MEMORY.formatted("/"),
            "proc/self/cgroup", "4:memory:/jobs/a\n1:cpu,cpuacct:/\n0::/\n",
            "sys/fs/cgroup/memory/jobs/a/memory.limit_in_bytes", "2147483648\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"));
    assertThat(CgroupMemory.limit(system)).hasValue(2147483648L);
  }

  @Test
  void aContainerSeesItsOwnGroupAsTheMount() throws IOException {
    write(
        Map.of(
            "proc/self/mountinfo", MEMORY.formatted("/docker/abc"),
            "proc/self/cgroup", "4:memory:/docker/abc\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824\n"));
    assertThat(CgroupMemory.limit(system)).hasValue(1073741824L);
  }

  @Test
  void aGroupOutsideOfTheMountIsNotLookedFor() throws IOException {
    write(
        Map.of(
            "proc/self/mountinfo", UNIFIED,
            "proc/self/cgroup", "0::/../../other\n",
            "sys/fs/cgroup/memory.max", "1073741824\n"));
    assertThat(CgroupMemory.limit(system)).hasValue(1073741824L);
  }

  @Test
  void withoutLimitThereIsNone() throws IOException {
    assertThat(CgroupMemory.limit(system)).isEmpty();
    write(
        Map.of(
            "proc/self/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n" + UNIFIED,
            "proc/self/cgroup", "0::/\n",
            "sys/fs/cgroup/memory.max", "max\n"));
    assertThat(CgroupMemory.limit(system)).isEmpty();
  }
}
