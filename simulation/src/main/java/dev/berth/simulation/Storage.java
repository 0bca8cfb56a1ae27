package dev.berth.simulation;

import dev.berth.ledger.InMemoryLedger;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.SqliteLedger;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** Where the ledgers of simulated lives are. */
public enum Storage {
  MEMORY {
    @Override
    public <T> T with(Function<Ledger, T> life) {
      try (Ledger ledger = new InMemoryLedger()) {
        return life.apply(ledger);
      }
    }
  },
  SQLITE {
    @Override
    public <T> T with(Function<Ledger, T> life) {
      try {
        Path folder = Files.createTempDirectory("berth-simulation");
        try (Ledger ledger = SqliteLedger.open(folder.resolve("berth.db"))) {
          return life.apply(ledger);
        } finally {
          delete(folder);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  };

  /** Gives an empty ledger to a life, and takes it away afterwards. */
  public abstract <T> T with(Function<Ledger, T> life);

  private static void delete(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> found = Files.walk(folder)) {
      all = found.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
