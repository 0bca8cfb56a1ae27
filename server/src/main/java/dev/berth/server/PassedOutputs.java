package dev.berth.server;

import dev.berth.control.Codec;
import dev.berth.ledger.Ledger;
import dev.berth.model.Attempt;
import dev.berth.spi.JobRuntime;
import java.util.Map;

/** Reads, on the active server, output that others ask for. */
record PassedOutputs(Ledger ledger, JobOutputs outputs) {
  Answer answer(Passed.OutputQuestion question) {
    try {
      JobRuntime.Output output =
          outputs.read(
              attempt(question.attemptId()),
              question.stream(),
              question.offset(),
              question.limit());
      return new Answer(
          200,
          Map.of(
              PassingOn.NEXT_OFFSET,
              Long.toString(output.nextOffset()),
              PassingOn.ENDED,
              Boolean.toString(output.ended())),
          "application/octet-stream",
          output.bytes());
    } catch (RuntimeException e) {
      return Answer.of(e, "the output of " + question.attemptId(), null);
    }
  }

  private Attempt attempt(String id) {
    return Identifiers.key("attempt", id)
        .flatMap(key -> ledger.find(Ledger.MAIN_REALM, key))
        .map(stored -> (Attempt) Codec.entity(stored.row()))
        .orElseThrow(() -> new ApiException(404, "the attempt " + id + " was deleted"));
  }
}
