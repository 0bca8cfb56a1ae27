package dev.berth.hosts.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.spi.DuplexChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What the commands, processes, control groups and streams of every machine keep. */
public abstract class AbstractMachineCommandsTest extends AbstractMachineAccessTest {
  private static final Map<String, String> PATH = Map.of("PATH", "/usr/bin:/bin");

  protected AbstractMachineCommandsTest(MachineAccess machine) {
    super(machine);
  }

  private OpenCommand open(String line, Map<String, String> environment) {
    return machine
        .commands()
        .open(new Command(List.of("/bin/sh", "-c", line), environment, folder));
  }

  private DetachedCommand start(String line, Map<String, String> environment) {
    return machine
        .commands()
        .start(
            new Command(List.of("/bin/sh", "-c", line), environment, folder),
            folder.resolve("log"));
  }

  private ProcessIdentity identity(long pid) {
    // The name of a program in parentheses has no space here.
    String line = sh("cut -d' ' -f1,22 /proc/" + pid + "/stat");
    return ProcessIdentity.parse(line).orElseThrow();
  }

  @Test
  void aCommandHasItsWordsVariablesAndFolderOnly() throws Exception {
    Command command =
        new Command(
            List.of("/bin/sh", "-c", "printf '<%s>' \"$@\"; env; pwd -P", "sh", "a b", "'$x'", ""),
            Map.of("PATH", "/usr/bin:/bin", "SECRET", "two\nlines and 'quotes'"),
            folder);
    try (OpenCommand open = machine.commands().open(command)) {
      open.input().close();
      String printed = new String(open.output().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(printed).startsWith("<a b><'$x'><>").contains("SECRET=two\nlines and 'quotes'\n");
      assertThat(printed).endsWith(files.createFolders(folder) + "\n").doesNotContain("HOME=");
      assertThat(open.exitCode()).isZero();
      assertThat(open.isRunning()).isFalse();
    }
  }

  @Test
  void streamsAreApartAndCodesAreThoseOfTheCommand() throws Exception {
    try (OpenCommand open = open("cat; echo bad >&2; exit 7", PATH)) {
      assertThat(open.isRunning()).isTrue();
      byte[] many = "0123456789\n".repeat(20_000).getBytes(StandardCharsets.UTF_8);
      Thread.ofVirtual()
          .start(
              () -> {
                try (var input = open.input()) {
                  input.write(many);
                } catch (IOException failure) {
                  throw new IllegalStateException(failure);
                }
              });
      assertThat(open.output().readAllBytes()).isEqualTo(many);
      assertThat(open.errors().readAllBytes()).asString().isEqualTo("bad\n");
      assertThat(open.exitCode()).isEqualTo(7);
    }
    try (OpenCommand open = open("kill -TERM $$", PATH)) {
      assertThat(open.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void aClosedCommandIsOver() throws Exception {
    OpenCommand open = open("echo $$; exec sleep 600", PATH);
    byte[] line = new byte[20];
    int length = open.output().read(line);
    long pid = Long.parseLong(new String(line, 0, length, StandardCharsets.UTF_8).strip());
    ProcessIdentity process = identity(pid);
    assertThat(machine.processes().isAlive(process)).isTrue();
    open.close();
    open.close();
    assertThat(machine.processes().awaitEnd(process, PATIENCE)).isTrue();
  }

  @Test
  void whatIsStartedLeadsASessionAndAppendsToItsLog() throws Exception {
    files.create(folder.resolve("log"), "before\n");
    DetachedCommand started =
        start("cat; echo $(cut -d' ' -f1,6 /proc/$$/stat); echo bad >&2; exit 3", PATH);
    assertThat(started.awaitEnd().orElse(3)).isEqualTo(3);
    assertThat(text(folder.resolve("log")).orElseThrow())
        .isEqualTo("before\n%d %d\nbad\n".formatted(started.pid(), started.pid()));
    started.kill();
  }

  @Test
  void whatIsStartedIsWaitedForNoLongerThanAsked() throws Exception {
    DetachedCommand started = start("exec sleep 600", PATH);
    ProcessIdentity process = identity(started.pid());
    assertThat(started.awaitEnd(Duration.ofMillis(20))).isEmpty();
    assertThat(machine.processes().awaitEnd(process, Duration.ofMillis(20))).isFalse();
    started.kill();
    assertThat(machine.processes().awaitEnd(process, PATIENCE)).isTrue();
    assertThat(machine.processes().isAlive(process)).isFalse();
  }

  @Test
  void programsAreFoundAlongThePath() {
    assertThat(machine.commands().find("sh").orElseThrow().name()).isEqualTo("sh");
    assertThat(machine.commands().find("no-such-program")).isEmpty();
    assertThat(machine.commands().environment()).containsKey("PATH");
    assertThat(machine.commands().limitations()).doesNotContainNull();
  }

  @Test
  void aProcessIsOnlyTheOneThatStartedThen() throws Exception {
    MachineProcesses processes = machine.processes();
    assertThat(processes.bootId()).isNotBlank().isEqualTo(processes.bootId());
    DetachedCommand started = start("trap 'exit 0' TERM; echo up; sleep 600 & wait", PATH);
    awaitLog("up\n");
    ProcessIdentity process = identity(started.pid());
    ProcessIdentity earlier = new ProcessIdentity(process.pid(), process.startTicks() - 1);
    assertThat(processes.isAlive(earlier)).isFalse();
    assertThat(processes.terminate(earlier)).isFalse();
    assertThat(processes.awaitEnd(earlier, PATIENCE)).isTrue();
    assertThat(processes.isAlive(process)).isTrue();
    assertThat(processes.terminate(process)).isTrue();
    assertThat(processes.awaitEnd(process, PATIENCE)).isTrue();
    assertThat(processes.terminate(process)).isFalse();
    sh("pkill -KILL -s " + process.pid() + " || true");
  }

  private void awaitLog(String words) throws InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!text(folder.resolve("log")).orElse("").contains(words)) {
      assertThat(System.nanoTime()).as("patience with a command's log").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  @Test
  void markedProcessesAreFoundWithTheirVariablesAndEnded() throws Exception {
    MachineProcesses processes = machine.processes();
    String mark = "BERTH_TEST_MARK=" + UUID.randomUUID();
    String value = mark.substring(mark.indexOf('=') + 1);
    assertThat(processes.killMarked(mark)).isTrue();
    // A process shows no variables while it becomes another program, so this one stays a shell.
    DetachedCommand started =
        start(
            "echo up; while :; do sleep 600; done",
            Map.of("PATH", "/usr/bin:/bin", "BERTH_TEST_MARK", value, "WORD", "hush"));
    awaitLog("up\n");
    byte[] variables = processes.environment(started.pid()).orElseThrow();
    assertThat(Arrays.asList(new String(variables, StandardCharsets.UTF_8).split("\0")))
        .contains(mark, "WORD=hush");
    assertThat(processes.workingDirectory(started.pid())).contains(files.createFolders(folder));
    ProcessIdentity process = identity(started.pid());
    assertThat(processes.killMarked(mark)).isFalse();
    assertThat(processes.awaitEnd(process, PATIENCE)).isTrue();
    started.awaitEnd();
    assertThat(processes.environment(started.pid())).isEmpty();
    assertThat(processes.workingDirectory(started.pid())).isEmpty();
    assertThat(processes.killMarked(mark)).isTrue();
  }

  @Test
  void groupsAreMadeAndRemovedAsOftenAsOneLikes() {
    String name = "contract-" + UUID.randomUUID();
    ControlGroups groups = machine.controlGroups();
    ControlGroups.Placement placement = groups.place(name, null, null);
    assertThat(groups.place(name, null, null)).isEqualTo(placement);
    assertThat(placement.limited()).isFalse();
    assertThat(groups.memoryLimit(placement.groups())).isEmpty();
    groups.remove(placement.groups());
    groups.remove(placement.groups());
    assertThat(placement.groups()).noneMatch(group -> files.exists(group));
  }

  @Test
  void streamsLeadToPortsAndSocketsAndEndInOneDirection() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try (ServerSocketChannel server = ServerSocketChannel.open().bind(any)) {
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      talk(server, machine.streams().tcp("127.0.0.1", port, PATIENCE));
    }
    MachinePath socket = folder.resolve("engine.sock");
    try (ServerSocketChannel server =
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(socket.text()))) {
      talk(server, machine.streams().unixSocket(socket));
    }
    assertThatThrownBy(() -> machine.streams().unixSocket(folder.resolve("none")))
        .isInstanceOf(IOException.class);
  }

  private static void talk(ServerSocketChannel server, DuplexChannel stream) throws IOException {
    try (stream;
        SocketChannel peer = server.accept()) {
      stream.write(ByteBuffer.wrap("question".getBytes(StandardCharsets.UTF_8)));
      stream.shutdownOutput();
      assertThat(Channels.newInputStream(peer).readAllBytes()).asString().isEqualTo("question");
      peer.write(ByteBuffer.wrap("answer".getBytes(StandardCharsets.UTF_8)));
      peer.shutdownOutput();
      assertThat(Channels.newInputStream(stream).readAllBytes()).asString().isEqualTo("answer");
      assertThat(stream.isOpen()).isTrue();
      stream.close();
      assertThat(stream.isOpen()).isFalse();
    }
  }
}
