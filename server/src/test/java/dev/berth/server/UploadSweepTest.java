package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.Sha256;
import dev.berth.model.api.UploadChunk;
import dev.berth.model.api.UploadRequest;
import dev.berth.model.config.FileMapping;
import dev.berth.model.config.RepoSpec;
import dev.berth.server.blobs.BlobStore;
import dev.berth.server.blobs.FolderBlobStore;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which uploads stay, and which go. */
class UploadSweepTest {
  private static final String PROJECT = "main";
  private static final UploadSpaces SPACES = new UploadSpaces(PROJECT);

  @TempDir Path folder = Path.of("");

  /** Set by tests; the store takes its times from it, too. */
  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

  @SuppressWarnings("NullAway.Init") // set before each test
  private BlobStore store;

  @SuppressWarnings("NullAway.Init") // set before each test
  private Uploads uploads;

  @BeforeEach
  void open() {
    store = FolderBlobStore.open(folder, now::get);
    uploads = new Uploads(store, 1 << 20, now::get);
  }

  private static byte[] bytes(String word) {
    return word.getBytes(StandardCharsets.UTF_8);
  }

  private void send(String word) {
    uploads.put(
        PROJECT, Sha256.of(bytes(word)), word.length(), new ByteArrayInputStream(bytes(word)));
  }

  private String upload(String word) {
    send(word);
    return uploads
        .name(
            PROJECT,
            new UploadRequest(List.of(new UploadChunk(Sha256.of(bytes(word)), word.length()))))
        .archive();
  }

  private boolean isThere(String word) {
    return store.find(SPACES.chunk(Sha256.of(bytes(word)))).isPresent();
  }

  private int sweepFor(Set<String> inUse) {
    return new UploadSweep(uploads, () -> Map.of(PROJECT, inUse), now::get).sweep();
  }

  private void pass(Duration time) {
    now.updateAndGet(before -> before.plus(time));
  }

  @Test
  void whatAnActiveRunNeedsStaysAndTheRestGoesAfterTheGrace() {
    String needed = upload("needed");
    String old = upload("old");
    send("unfinished");
    pass(Duration.ofHours(23));
    assertThat(sweepFor(Set.of(needed))).as("before the grace is over").isZero();
    upload("young");
    pass(Duration.ofHours(6));
    assertThat(sweepFor(Set.of(needed))).as("other servers may rely on it").isZero();
    pass(Duration.ofHours(2));
    assertThat(sweepFor(Set.of(needed))).isEqualTo(3);
    assertThat(isThere("needed")).isTrue();
    assertThat(isThere("young")).isTrue();
    assertThat(isThere("old")).isFalse();
    assertThat(isThere("unfinished")).isFalse();
    assertThat(store.find(SPACES.archive(needed))).isPresent();
    assertThat(store.find(SPACES.archive(old))).isEmpty();
    assertThat(sweepFor(Set.of())).as("its run has ended").isEqualTo(2);
    assertThat(isThere("needed")).isFalse();
  }

  @Test
  void whatTwoArchivesShareStaysForTheSecond() {
    String first = upload("shared");
    pass(Duration.ofHours(31));
    String second = upload("shared");
    assertThat(second).isEqualTo(first);
    assertThat(sweepFor(Set.of())).isZero();
    assertThat(isThere("shared")).isTrue();
  }

  @Test
  void whatIsNamedAgainOrSubmittedAgainGetsYoung() {
    String archive = upload("again");
    pass(Duration.ofHours(20));
    FileMapping file = new FileMapping("again", "again", archive);
    assertThat(uploads.refusals(PROJECT, List.of(file), List.of())).isEmpty();
    pass(Duration.ofHours(20));
    assertThat(sweepFor(Set.of())).isZero();
    assertThat(isThere("again")).isTrue();
    pass(Duration.ofHours(31));
    assertThat(sweepFor(Set.of())).isEqualTo(2);
    assertThat(uploads.refusals(PROJECT, List.of(file), List.of()))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("upload it again"));
  }

  @Test
  void anArchiveWhosePiecesAreGoneIsRefusedHoweverYoungItIs() {
    String archive = upload("gone");
    store.delete(SPACES.chunk(Sha256.of(bytes("gone"))));
    assertThat(
            uploads.refusals(PROJECT, List.of(new FileMapping("gone", "gone", archive)), List.of()))
        .singleElement()
        .satisfies(problem -> assertThat(problem.message()).contains("upload it again"));
  }

  @Test
  void piecesThatBelongToNothingAreTakenUpToALimit() {
    Uploads small = new Uploads(store, 10, now::get);
    for (String word : List.of("piece one.", "piece two.", "piece 333.", "piece 4444")) {
      put(small, PROJECT, word);
    }
    assertThatThrownBy(() -> put(small, PROJECT, "x"))
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(413))
        .hasMessageContaining("belong to no upload");
    // Others have room, and so has who says what they are for.
    put(small, "other", "piece one.");
    small.name(
        PROJECT, new UploadRequest(List.of(new UploadChunk(Sha256.of(bytes("piece one.")), 10))));
    pass(Duration.ofMinutes(1));
    put(small, PROJECT, "x");
    // A server that comes anew counts what is there.
    assertThatThrownBy(() -> put(new Uploads(store, 10, now::get), PROJECT, "piece five"))
        .isInstanceOf(ApiException.class);
  }

  private static void put(Uploads into, String project, String word) {
    into.put(project, Sha256.of(bytes(word)), word.length(), new ByteArrayInputStream(bytes(word)));
  }

  @Test
  void changesToARepositoryAreAskedForLikeFiles() {
    String archive = upload("changes");
    assertThat(uploads.refusals(PROJECT, List.of(), List.of(repository(archive)))).isEmpty();
    assertThat(uploads.refusals(PROJECT, List.of(), List.of(repository("0".repeat(64)))))
        .singleElement()
        .satisfies(problem -> assertThat(problem.path()).isEqualTo("repos[0].changes"));
  }

  private static RepoSpec repository(String changes) {
    return new RepoSpec(
        null, "file:///train", null, null, ".", RepoSpec.IfExists.ERROR, changes, null, null);
  }
}
