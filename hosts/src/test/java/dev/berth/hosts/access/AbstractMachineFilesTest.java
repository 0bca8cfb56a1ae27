package dev.berth.hosts.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.HostException;
import dev.berth.hosts.HostException.Code;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What the files of every machine keep. */
public abstract class AbstractMachineFilesTest extends AbstractMachineAccessTest {
  private static final byte[] NOISE = "x".repeat(2048).getBytes(StandardCharsets.UTF_8);

  protected AbstractMachineFilesTest(MachineAccess machine) {
    super(machine);
  }

  @Test
  void foldersHaveOnePathHoweverTheyAreSpelled() {
    MachinePath made = files.createFolders(folder.resolve("a/b"));
    sh("ln -s a link");
    assertThat(files.createFolders(folder.resolve("link/b"))).isEqualTo(made);
    assertThat(files.createFolders(folder.resolve("a/../a//b/"))).isEqualTo(made);
    assertThat(sh("stat -c %a a/b").strip()).isEqualTo("700");
    files.createFolder(made.resolve("open"), FileAccess.EVERYBODY);
    files.createFolder(made.resolve("closed"), FileAccess.OWNER);
    assertThat(sh("stat -c %a a/b/open a/b/closed")).isEqualTo("755\n700\n");
    refuses(Code.MACHINE, () -> files.createFolder(made, FileAccess.OWNER));
    assertThat(files.list(made)).containsExactlyInAnyOrder("open", "closed");
    refuses(Code.ABSENT, () -> files.list(made.resolve("none")));
  }

  @Test
  void whatWeMakeIsOurs() {
    MachinePath made = files.createFolders(folder.resolve("ours"));
    assertThat(files.isOurs(made)).isTrue();
    sh("ln -s ours link");
    assertThat(files.isOurs(folder.resolve("link"))).isTrue();
    assertThat(files.isOurs(MachinePath.ROOT)).isEqualTo(sh("id -u").strip().equals("0"));
    refuses(Code.ABSENT, () -> files.isOurs(made.resolve("none")));
  }

  @Test
  void aFileIsReadFromAnOffset() {
    MachinePath file = folder.resolve("stdout");
    assertThat(files.read(file, 0, 10)).isEmpty();
    assertThat(files.find(file)).isEmpty();
    files.create(file, "0123456789");
    assertThat(files.read(file, 0, 4).orElseThrow()).asString().isEqualTo("0123");
    assertThat(files.read(file, 8, 4).orElseThrow()).asString().isEqualTo("89");
    assertThat(files.read(file, 10, 4).orElseThrow()).isEmpty();
    assertThat(files.read(file, 11, 4).orElseThrow()).isEmpty();
    files.append(file, "xabcx".getBytes(StandardCharsets.UTF_8), 1, 3);
    assertThat(files.read(file, 9, 100).orElseThrow()).asString().isEqualTo("9abc");
    assertThat(files.find(file).orElseThrow().size()).isEqualTo(13);
    refuses(Code.MACHINE, () -> files.create(file, "again"));
    assertThat(sh("stat -c %a stdout").strip()).isEqualTo("600");
    refuses(Code.ABSENT, () -> files.append(folder.resolve("none"), NOISE, 0, 1));
  }

  @Test
  void ofManyWhoCreateAFileOneSucceeds() throws Exception {
    MachinePath claim = folder.resolve("runner");
    List<Callable<Boolean>> tries = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String content = "runner " + i + "\n";
      tries.add(() -> files.createOnce(claim, content));
    }
    int winners = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> one : threads.invokeAll(tries)) {
        winners += one.get() ? 1 : 0;
      }
    }
    assertThat(winners).isEqualTo(1);
    assertThat(text(claim).orElseThrow()).matches("runner [0-9]+\n");
    assertThat(files.list(folder)).containsExactly("runner");
  }

  @Test
  void whatIsReplacedIsSeenWholeAndLeavesNothingElse() throws Exception {
    MachinePath file = folder.resolve("exit");
    String one = "1".repeat(5000);
    String two = "2".repeat(7000);
    files.replace(file, one, FileAccess.OWNER);
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 20; i++) {
                    files.replace(file, i % 2 == 0 ? two : one, FileAccess.OWNER);
                  }
                });
    while (writer.isAlive()) {
      assertThat(text(file).orElseThrow()).isIn(one, two);
    }
    writer.join();
    assertThat(sh("stat -c %a exit").strip()).isEqualTo("600");
    files.replace(file, "for all", FileAccess.EVERYBODY);
    assertThat(sh("stat -c %a exit").strip()).isEqualTo("644");
    files.replaceDurably(file, "kept");
    assertThat(text(file)).contains("kept");
    assertThat(files.list(folder)).containsExactly("exit");
    refuses(Code.ABSENT, () -> files.replace(folder.resolve("none/exit"), "x", FileAccess.OWNER));
  }

  @Test
  void whatIsWrittenInPlaceStaysTheSameFile() {
    MachinePath file = folder.resolve("event");
    files.overwrite(file, "a longer text");
    String inode = sh("stat -c %i event");
    files.overwrite(file, "short");
    assertThat(text(file)).contains("short");
    assertThat(sh("stat -c %i event")).isEqualTo(inode);
    Instant time = Instant.ofEpochSecond(1_700_000_000);
    files.setModified(file, time);
    assertThat(files.find(file).orElseThrow().modified()).isEqualTo(time);
    assertThat(files.changed(file)).contains(time);
    assertThat(files.changed(folder.resolve("none"))).isEmpty();
  }

  @Test
  void onlyPlainFilesAreThereAndOthersMakeWay() {
    MachinePath aside = files.createFolders(folder.resolve("aside"));
    MachinePath shared = files.createFolders(folder.resolve("shared"));
    files.create(folder.resolve("secret"), "hush");
    for (MachineFiles view : List.of(files, files.stagedIn(aside))) {
      sh("rm -rf shared/* && cd shared && ln -s ../secret link && mkfifo pipe && mkdir -p full/of");
      for (String name : List.of("link", "pipe", "full")) {
        MachinePath file = shared.resolve(name);
        assertThat(view.find(file)).as(name).isEmpty();
        assertThat(view.read(file, 0, 10)).as(name).isEmpty();
        view.replace(file, "mine", FileAccess.OWNER);
        assertThat(text(file)).as(name).contains("mine");
      }
      sh("cd shared && rm -rf * && ln -s ../secret link && mkdir -p full/of");
      for (String name : List.of("link", "full")) {
        assertThat(view.createOnce(shared.resolve(name), "mine")).as(name).isTrue();
        assertThat(view.createOnce(shared.resolve(name), "other")).as(name).isFalse();
        view.delete(shared.resolve(name));
        view.delete(shared.resolve(name));
        assertThat(files.exists(shared.resolve(name))).as(name).isFalse();
      }
      assertThat(text(folder.resolve("secret"))).contains("hush");
      assertThat(files.list(aside)).isEmpty();
    }
  }

  @Test
  void manyFoldersAreLookedAtInOneCall() {
    String me = sh("read -r pid _ </proc/self/stat; cut -d' ' -f1,22 /proc/$PPID/stat").strip();
    List<FolderQuery> queries = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      MachinePath job = folder.resolve("job" + i);
      if (i % 4 != 3) {
        files.createFolder(job, FileAccess.OWNER);
        files.create(job.resolve("stdout"), "x".repeat(i));
      }
      if (i % 4 == 1) {
        files.create(job.resolve("runner"), me + " boot\n");
      } else if (i % 4 == 2) {
        files.create(job.resolve("runner"), "1 999999999999 boot\n" + "x".repeat(100));
      }
      queries.add(
          new FolderQuery(
              job,
              List.of(job.resolve("exit"), job.resolve("runner")),
              64,
              List.of(job.resolve("stdout"), job.resolve("runner")),
              job.resolve("runner")));
    }
    List<FolderView> seen = files.look(queries);
    assertThat(seen).hasSize(200);
    for (int i = 0; i < 200; i++) {
      MachinePath job = folder.resolve("job" + i);
      FolderView view = seen.get(i);
      assertThat(view.exists()).isEqualTo(i % 4 != 3);
      assertThat(view.text(job.resolve("exit"))).isEmpty();
      assertThat(view.text(job.resolve("runner")).isPresent()).isEqualTo(i % 4 == 1 || i % 4 == 2);
      assertThat(view.text(job.resolve("runner")).orElse("").length()).isLessThanOrEqualTo(64);
      assertThat(view.claimIsAlive()).isEqualTo(i % 4 == 1);
      if (i % 4 != 3) {
        assertThat(view.facts(job.resolve("stdout")).orElseThrow().size()).isEqualTo(i);
      }
    }
    assertThat(files.look(List.of())).isEmpty();
  }

  @Test
  void aMoveIsOneStep() {
    MachinePath fresh = files.createFolders(folder.resolve(".new"));
    files.create(fresh.resolve("spec"), "x");
    assertThat(files.move(fresh, folder.resolve("job"))).isTrue();
    assertThat(files.move(fresh, folder.resolve("job"))).isFalse();
    assertThat(text(folder.resolve("job/spec"))).contains("x");
    files.create(folder.resolve("list"), "new");
    files.create(folder.resolve("old"), "old");
    assertThat(files.move(folder.resolve("list"), folder.resolve("old"))).isTrue();
    assertThat(text(folder.resolve("old"))).contains("new");
    refuses(Code.ABSENT, () -> files.move(folder.resolve("old"), folder.resolve("none/old")));
  }

  @Test
  void deletedTreesTakeNothingElseWithThem() {
    sh("mkdir -p kept tree/deep && echo x >kept/file && ln -s ../../kept tree/deep/link");
    files.deleteTree(folder.resolve("tree"));
    files.deleteTree(folder.resolve("tree"));
    assertThat(files.exists(folder.resolve("tree"))).isFalse();
    assertThat(files.exists(folder.resolve("kept/file"))).isTrue();
  }

  @Test
  void inputsAreCopiedWithTheirAttributes() {
    sh("mkdir -p from/sub && echo x >from/sub/run && chmod 750 from/sub/run && ln -s sub from/way");
    files.copy(folder.resolve("from"), folder.resolve("to/here"));
    files.copy(folder.resolve("from"), folder.resolve("to/here"));
    files.copy(folder.resolve("from/sub/run"), folder.resolve("to/one"));
    assertThat(sh("stat -c %a to/here/sub/run to/one; readlink to/here/way"))
        .isEqualTo("750\n750\nsub\n");
    refuses(Code.INPUT, () -> files.copy(folder.resolve("none"), folder.resolve("to/none")));
  }

  @Test
  void whatIsNoArchiveIsRefused() {
    refuses(
        Code.INPUT,
        () -> files.unpack(new ByteArrayInputStream(NOISE), folder.resolve("in"), "data"));
  }

  @Test
  void filesAreGivenToOthersByRootOnly() {
    sh("mkdir -p given && echo x >given/file");
    boolean root = sh("id -u").strip().equals("0");
    if (root) {
      files.give(folder.resolve("given"), 12345, 54321);
      assertThat(files.owner(folder.resolve("given"))).isEqualTo("12345:54321");
      assertThat(files.owner(folder.resolve("given/file"))).isEqualTo("12345:54321");
    } else {
      refuses(Code.DENIED, () -> files.give(folder.resolve("given"), 12345, 54321));
    }
    refuses(Code.ABSENT, () -> files.owner(folder.resolve("none")));
    assertThat(files.usableBytes(folder).orElseThrow()).isPositive();
    assertThat(files.usableBytes(folder.resolve("none"))).isEmpty();
  }

  @Test
  void changesOfAFolderAreTold() throws Exception {
    Map<String, CountDownLatch> told = new ConcurrentHashMap<>();
    told.put("a", new CountDownLatch(2));
    told.put("b", new CountDownLatch(1));
    try (FolderWatch _ =
        files.watch(
            folder, name -> told.getOrDefault(name, new CountDownLatch(1)).countDown(), () -> {})) {
      files.overwrite(folder.resolve("a"), "started\n");
      files.overwrite(folder.resolve("b"), "started\n");
      assertThat(told.get("b").await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      files.overwrite(folder.resolve("a"), "exited\n");
      assertThat(told.get("a").await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
    refuses(Code.ABSENT, () -> files.watch(folder.resolve("none"), _ -> {}, () -> {}).close());
  }

  @Test
  void aWatcherThatFailsIsToldOfTheNextChange() throws Exception {
    CountDownLatch next = new CountDownLatch(1);
    try (FolderWatch _ =
        files.watch(
            folder,
            name -> {
              if (name.equals("bad")) {
                throw new HostException(Code.MACHINE, "on purpose");
              }
              next.countDown();
            },
            () -> {})) {
      files.overwrite(folder.resolve("bad"), "");
      files.overwrite(folder.resolve("good"), "");
      assertThat(next.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }
}
