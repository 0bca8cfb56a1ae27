package dev.berth.hosts.access.local;

import static dev.berth.hosts.access.local.ThisMachine.path;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.berth.hosts.access.ControlGroups;
import dev.berth.hosts.access.MachinePath;
import dev.berth.hosts.jobdir.ExitReason;
import dev.berth.hosts.jobdir.Observation.Exited;
import dev.berth.hosts.jobdir.ShellJob;
import dev.berth.hosts.process.JobFixture;
import dev.berth.hosts.process.JobShell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which control groups are found, which are ours, and what is written to them. */
final class CgroupsTest {
  @TempDir Path folder;

  @Test
  void readsTheUnifiedHierarchy() {
    List<CgroupHierarchy> found =
        CgroupHierarchy.parse(
            List.of(
                "25 30 0:23 / /sys rw,nosuid shared:7 - sysfs sysfs rw",
                "31 25 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate"),
            List.of("0::/user.slice/user-1000.slice/user@1000.service/app.slice/berth.service"));
    assertThat(found)
        .containsExactly(
            new CgroupHierarchy(
                true,
                Set.of(),
                Path.of(
                    "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/berth.service"),
                false));
  }

  @Test
  void readsVersionOneAndHybridHierarchies() {
    List<CgroupHierarchy> found =
        CgroupHierarchy.parse(
            List.of(
                "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
                "35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
                "36 31 0:33 /docker/other /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids",
                "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw"),
            List.of(
                "4:memory:/docker/abc",
                "3:pids:/docker/abc",
                "1:cpu,cpuacct:/made/for/us",
                "0::/"));
    assertThat(found)
        .containsExactly(
            new CgroupHierarchy(
                false,
                Set.of("cpu", "cpuacct"),
                Path.of("/sys/fs/cgroup/cpu,cpuacct/made/for/us"),
                false),
            new CgroupHierarchy(false, Set.of("memory"), Path.of("/sys/fs/cgroup/memory"), true),
            new CgroupHierarchy(true, Set.of(), Path.of("/sys/fs/cgroup/unified"), true));
  }

  @Test
  void writesLimitsOfVersionTwo() throws Exception {
    Path own = Files.createDirectories(folder.resolve("v2"));
    Files.createDirectories(own.resolve("berth"));
    Files.writeString(own.resolve("cgroup.subtree_control"), "cpu memory\n");
    Files.writeString(own.resolve("berth/cgroup.subtree_control"), "");
    Cgroups cgroups =
        new Cgroups(List.of(new CgroupHierarchy(true, Set.of("cpu", "memory"), own, true)));
    ControlGroups.Placement placement = cgroups.place("job", 1.5, 1L << 30);
    Path group = own.resolve("berth/job");
    assertThat(placement)
        .isEqualTo(new ControlGroups.Placement(List.of(path(group)), path(group), true, List.of()));
    assertThat(group.resolve("cpu.max")).hasContent("150000 100000");
    assertThat(group.resolve("memory.max")).hasContent("1073741824");
    assertThat(own.resolve("berth/cgroup.subtree_control")).hasContent("+memory");
  }

  @Test
  void writesLimitsOfVersionOneAndWarnsOfWhatIsMissing() throws Exception {
    Path cpu = Files.createDirectories(folder.resolve("cpu"));
    Path pids = Files.createDirectories(folder.resolve("pids"));
    Cgroups cgroups =
        new Cgroups(
            List.of(
                new CgroupHierarchy(false, Set.of("cpu"), cpu, true),
                new CgroupHierarchy(false, Set.of("pids"), pids, true)));
    ControlGroups.Placement placement = cgroups.place("job", 0.001, 1L << 30);
    assertThat(placement.tracking()).isEqualTo(path(pids.resolve("berth/job")));
    assertThat(placement.groups())
        .containsExactly(path(pids.resolve("berth/job")), path(cpu.resolve("berth/job")));
    assertThat(cpu.resolve("berth/job/cpu.cfs_quota_us")).hasContent("1000");
    assertThat(placement.warnings())
        .containsExactly("the memory limit is not enforced: no memory cgroup is ours to divide");
  }

  @Test
  void theLimitIsTheOneThatTheKernelHoldsTheJobTo() throws Exception {
    ControlGroups groups = Cgroups.none();
    MachinePath group = path(folder);
    assertThat(groups.memoryLimit(List.of())).isEmpty();
    assertThat(groups.memoryLimit(List.of(group))).isEmpty();
    Files.writeString(folder.resolve("memory.max"), "max\n");
    assertThat(groups.memoryLimit(List.of(group))).isEmpty();
    Files.writeString(folder.resolve("memory.limit_in_bytes"), "9223372036854771712\n");
    assertThat(groups.memoryLimit(List.of(group))).isEmpty();
    Files.writeString(folder.resolve("memory.max"), "134217728\n");
    assertThat(groups.memoryLimit(List.of(MachinePath.of("/nowhere"), group)))
        .hasValue(134_217_728L);
  }

  @Test
  void aJobIsLimitedWhereThatIsPermittedAndRunsAnyway() throws Exception {
    try (JobFixture jobs = new JobFixture(folder)) {
      ShellJob spec =
          new ShellJob(
              "limited",
              "sh",
              List.of("cat /proc/self/cgroup"),
              null,
              Map.of(),
              Duration.ZERO,
              null,
              0.5,
              null,
              List.of());
      Exited exited = jobs.run(spec);
      assertThat(exited.code()).hasValue(0);
      boolean enforced = jobs.runtime.warnings("limited").isEmpty();
      assertThat(jobs.text("limited").contains("/berth/limited-")).isEqualTo(enforced);
    }
  }

  @Test
  void aJobThatNeedsTooMuchMemorySaysSo() throws Exception {
    // Only where a memory group is ours: a job must not be moved out of the limits that this build
    // is under.
    Cgroups cgroups = Cgroups.detect();
    ControlGroups.Placement probe = JobFixture.probe(64L << 20);
    assumeTrue(probe.warnings().isEmpty(), () -> String.join("; ", probe.warnings()));
    try (JobFixture jobs = new JobFixture(folder, JobShell.BASH, cgroups)) {
      ShellJob spec =
          new ShellJob(
              "greedy",
              "bash",
              List.of("x=$(head -c 256M /dev/zero | tr '\\0' x)"),
              null,
              Map.of(),
              Duration.ZERO,
              null,
              null,
              64L << 20,
              List.of());
      assertThat(jobs.run(spec).reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
    }
  }

  @Test
  void anOutOfMemoryKillIsReadFromTheGroup() throws Exception {
    // A plain folder in place of a group: the runner only reads and writes its files.
    Path own = Files.createDirectories(folder.resolve("v1"));
    Cgroups cgroups = new Cgroups(List.of(new CgroupHierarchy(false, Set.of("memory"), own, true)));
    try (JobFixture jobs = new JobFixture(folder, JobShell.DASH, cgroups)) {
      ShellJob spec =
          new ShellJob(
              "oom",
              "sh",
              List.of("kill -KILL $$"),
              null,
              Map.of(),
              Duration.ZERO,
              null,
              null,
              1L << 20,
              List.of());
      jobs.runtime.prepare(spec);
      Path group = Path.of(jobs.directory("oom").lines("cgroups").getFirst());
      Files.writeString(
          group.resolve("memory.oom_control"), "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
      jobs.runtime.start("oom");
      Exited exited = jobs.awaitExit("oom");
      assertThat(exited.reason()).isEqualTo(ExitReason.OUT_OF_MEMORY);
      assertThat(exited.code()).hasValue(137);
      try (var files = Files.list(group)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
