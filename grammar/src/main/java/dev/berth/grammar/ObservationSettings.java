package dev.berth.grammar;

import dev.berth.model.config.ServerConfiguration;
import dev.berth.model.config.ServerConfiguration.Log;
import dev.berth.model.config.ServerConfiguration.LogFormat;
import dev.berth.model.config.ServerConfiguration.LogLevel;
import dev.berth.model.config.ServerConfiguration.Metrics;
import dev.berth.model.config.ServerConfiguration.Traces;
import dev.berth.model.config.ServerConfiguration.Webhook;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The part of the server's file about watching the server: metrics, log, webhooks and traces. */
final class ObservationSettings {
  static final RecordShape<Metrics> METRICS =
      RecordShape.of(Metrics.class)
          .with(
              new Field<>(
                      "without-token",
                      Scalars.BOOLEAN,
                      "whether anybody may read the metrics, without a token")
                  .orElse(false))
          .with(
              new Field<>(
                      "jobs",
                      Scalars.BOOLEAN,
                      "whether the metrics tell what each running job uses, with the names of runs")
                  .nullable());

  static final RecordShape<Log> LOG =
      RecordShape.of(Log.class)
          .with(
              new Field<>("format", Scalars.choice(LogFormat.class), "text, or JSON lines")
                  .nullable()
                  .filledWith(LogFormat.TEXT))
          .with(
              new Field<>("level", Scalars.choice(LogLevel.class), "what is worth a line")
                  .nullable()
                  .filledWith(LogLevel.INFO));

  static final RecordShape<Webhook> WEBHOOK =
      RecordShape.of(Webhook.class)
          .with(
              new Field<>(
                      "name",
                      Words.pattern(
                          "[a-z][a-z0-9-]{0,49}",
                          "lower case letters, digits and dashes, beginning with a letter"),
                      "the name of the webhook")
                  .required())
          .with(
              new Field<>(
                      "url",
                      Words.pattern(
                          "https?://\\S+", "an address such as https://hooks.example.com/berth"),
                      "where events are sent")
                  .required())
          .with(
              new Field<>(
                      "secret-file", Words.NOT_EMPTY, "a file whose first line signs what is sent")
                  .required())
          .with(
              new Field<>(
                      "events",
                      ListShape.of(
                          Words.pattern(
                              "[a-z_.*]+", "a kind of event such as run.ended, or run.* for many")),
                      "the kinds of events that are sent")
                  .nullable())
          .with(
              new Field<>("projects", Profiles.TEXTS, "the projects whose events are sent")
                  .nullable());

  /** Credentials have a file of their own, so an address with a user in it is refused. */
  static final RecordShape<Traces> TRACES =
      RecordShape.of(Traces.class)
          .with(
              new Field<>(
                      "endpoint",
                      Words.pattern(
                          "https?://[^\\s/?#@]+(/[^\\s?#]*)?",
                          "an address such as http://collector:4318, without user and query"),
                      "the collector that traces are sent to, by OTLP over HTTP")
                  .required())
          .with(
              new Field<>(
                      "sample",
                      Scalars.number(0, false, 1),
                      "the part of all traces that is sent, from 0 to 1")
                  .nullable()
                  .filledWith(1.0))
          .with(
              new Field<>(
                      "headers-file",
                      Words.NOT_EMPTY,
                      "a file with a header on each line, such as a key for the collector")
                  .nullable());

  private ObservationSettings() {}

  static void checkNames(ServerConfiguration file, Check.Findings findings) {
    Set<String> names = new HashSet<>();
    for (Webhook hook : Objects.requireNonNullElse(file.webhooks(), List.<Webhook>of())) {
      if (!names.add(hook.name())) {
        findings.error(
            Rule.WEBHOOK_NAMES,
            "webhooks",
            "the webhook '" + hook.name() + "' is defined twice; rename one of them");
      }
    }
  }
}
