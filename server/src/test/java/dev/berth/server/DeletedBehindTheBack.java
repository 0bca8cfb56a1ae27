package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.control.ControlPlane;
import dev.berth.control.Envelope;
import dev.berth.control.FailPoint;
import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.ledger.Ledger;
import dev.berth.ledger.SqliteLedger;
import dev.berth.spi.Owner;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;

/** A server that ends as soon as it has decided that a project is deleted. */
final class DeletedBehindTheBack {
  private DeletedBehindTheBack() {}

  static void delete(Path home, String project) {
    try (Ledger ledger = SqliteLedger.open(home.resolve("server").resolve("berth.db"));
        ControlPlane control =
            new ControlPlane(
                ledger,
                ledger.takeOver(Ledger.MAIN_REALM, "short"),
                new Owner("0123456789abcdef"),
                Map.of(),
                name -> name,
                InstantSource.system(),
                FailPoint.Observer.NONE)) {
      control.start();
      Reply reply =
          control.send(Envelope.of(new Message.Access.DeleteProject(project, "admin"))).join();
      assertThat(reply).isInstanceOf(Reply.Accepted.class);
    }
  }
}
