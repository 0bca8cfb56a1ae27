package dev.berth.server;

import dev.berth.ledger.Ledger;
import dev.berth.ledger.PostgresAddress;
import dev.berth.ledger.PostgresLedger;
import dev.berth.ledger.SqliteLedger;
import dev.berth.model.Secret;
import dev.berth.model.config.ServerConfiguration;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Where a server keeps its state: a file in its home, or a PostgreSQL database. */
final class Storage {
  /** Says the address of the database where no file should hold it. */
  static final String ADDRESS = "BERTH_DATABASE_URL";

  /** The password, by the name that PostgreSQL's own programs use. */
  static final String PASSWORD = "PGPASSWORD";

  private Storage() {}

  /** Opens it. An address in the environment comes before that of the file. */
  static Ledger open(
      ServerConfiguration.@Nullable Database written, Map<String, String> environment, Path data) {
    String given = environment.get(ADDRESS);
    if (given == null && written == null) {
      return SqliteLedger.open(data.resolve("berth.db"));
    }
    PostgresAddress address =
        PostgresAddress.of(given != null ? given : written == null ? "" : written.url());
    String file = written == null ? null : written.passwordFile();
    if (address.password() == null && file != null) {
      address = address.withPasswordFrom(Path.of(file));
    } else if (address.password() == null && environment.containsKey(PASSWORD)) {
      address = address.withPassword(Secret.of(environment.get(PASSWORD)));
    }
    return PostgresLedger.open(address);
  }
}
