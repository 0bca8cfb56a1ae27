package dev.berth.server;

import dev.berth.ledger.Body;
import dev.berth.ledger.EntityKey;
import dev.berth.ledger.EntityQuery;
import dev.berth.ledger.EntityRow;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.server.blobs.BlobName;
import dev.berth.spi.JobRuntime;
import java.util.List;
import java.util.Optional;

/**
 * Where the output of an ended attempt is kept, whose machine may be gone: in pieces of equal
 * length, each a blob, the last one shorter. Secrets in it are hidden already.
 *
 * @param attempt the id of the attempt
 * @param complete whether it is all that was written, as far as the backend told
 */
record KeptOutput(String attempt, List<Piece> stdout, List<Piece> stderr, boolean complete) {
  static final String KIND = "output";
  static final int PIECE_BYTES = 4 * 1024 * 1024;

  /** A part of one stream. */
  record Piece(String digest, int size) {}

  KeptOutput {
    stdout = List.copyOf(stdout);
    stderr = List.copyOf(stderr);
  }

  /** Each attempt has a space of its own, so that deleting one harms no other. */
  static String space(String attempt) {
    return "outputs/" + attempt;
  }

  List<Piece> of(JobRuntime.Stream stream) {
    return switch (stream) {
      case STDOUT -> stdout;
      case STDERR -> stderr;
    };
  }

  BlobName name(Piece piece) {
    return new BlobName(space(attempt), piece.digest());
  }

  /** The row belongs to the run, with which it is deleted. */
  EntityRow row(Attempt of) {
    return new EntityRow(
        key(attempt),
        of.project(),
        null,
        of.runId(),
        "kept",
        false,
        null,
        0,
        new Body(1, ApiJson.MAPPER.writeValueAsString(this)));
  }

  static EntityKey key(String attempt) {
    return new EntityKey(KIND, attempt);
  }

  static Optional<KeptOutput> find(Ledger ledger, String attempt) {
    return ledger.find(Ledger.MAIN_REALM, key(attempt)).map(stored -> read(stored.row()));
  }

  static List<KeptOutput> ofRun(Ledger ledger, String run) {
    return ledger
        .listAll(Ledger.MAIN_REALM, EntityQuery.all(KIND, EntityQuery.LARGEST_PAGE).ofParent(run))
        .stream()
        .map(stored -> read(stored.row()))
        .toList();
  }

  /** Whether there is any. */
  static boolean isAny(Ledger ledger) {
    return !ledger.list(Ledger.MAIN_REALM, EntityQuery.all(KIND, 1)).items().isEmpty();
  }

  private static KeptOutput read(EntityRow row) {
    return ApiJson.MAPPER.readValue(row.body().json(), KeptOutput.class);
  }
}
