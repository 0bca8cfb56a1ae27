package dev.berth.grammar;

import dev.berth.grammar.Interpolation.Place;
import dev.berth.model.config.HttpMethod;
import dev.berth.model.config.ProbeSpec;
import dev.berth.model.config.RateLimit;
import dev.berth.model.config.RouterSpec;
import dev.berth.model.config.ScalingSpec;
import dev.berth.model.config.ServiceModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The parts of a service that are mappings of their own: scaling, rate limits, probes, models. */
final class ServiceParts {
  private static final List<Duration> WINDOWS =
      List.of(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(300));
  private static final Duration MAX_PROBE_TIMEOUT = Duration.ofMinutes(5);
  static final int MAX_PROBE_TEXT = 2048;
  private static final double MIN_RPS = 1.0 / 60;

  static final RecordShape<ScalingSpec> SCALING =
      RecordShape.of(ScalingSpec.class)
          .with(
              new Field<>(
                      "metric", Words.fixed("rps"), "what is measured: rps, requests per second")
                  .required())
          .with(
              new Field<>(
                      "target",
                      Scalars.number(0, true, Double.MAX_VALUE),
                      "the value of the metric that one replica handles")
                  .required())
          .with(
              new Field<>(
                      "window",
                      Durations.DURATION,
                      "over how long it is measured: 30s, 60s or 300s")
                  .nullable()
                  .filledWith(Duration.ofSeconds(60)))
          .with(
              new Field<>(
                      "scale_up_delay",
                      Durations.DURATION,
                      "the least time before replicas are added")
                  .orElse(Duration.ofMinutes(5)))
          .with(
              new Field<>(
                      "scale_down_delay",
                      Durations.DURATION,
                      "the least time before replicas are removed")
                  .orElse(Duration.ofMinutes(10)))
          .check(
              List.of("window"),
              (value, findings) -> {
                if (value.window() != null && !WINDOWS.contains(value.window())) {
                  findings.error(
                      Rule.SCALING_WINDOW,
                      "window",
                      "the window is 30s, 60s or 300s, found " + value.window().toSeconds() + "s");
                }
              });

  static final RecordShape<RateLimit.Key> RATE_LIMIT_KEY =
      RecordShape.of(RateLimit.Key.class)
          .with(
              new Field<>(
                      "type", Scalars.choice(RateLimit.KeyType.class, '_'), "ip_address or header")
                  .required())
          .with(
              new Field<>("header", Words.HEADER_NAME, "the header that tells clients apart")
                  .nullable())
          .check(
              List.of("type", "header"),
              (value, findings) -> {
                if ((value.type() == RateLimit.KeyType.HEADER) != (value.header() != null)) {
                  findings.error(
                      Rule.RATE_LIMIT_KEY,
                      "header",
                      value.header() == null
                          ? "a key of type header needs 'header'"
                          : "'header' is only valid with type header");
                }
              })
          .schemaRule(
              Map.of(
                  "if",
                  Map.of("properties", Map.of("type", Map.of("const", "header"))),
                  "then",
                  Map.of("required", List.of("header")),
                  "else",
                  Map.of("not", SchemaRules.set("header"))));

  static final RecordShape<RateLimit> RATE_LIMIT =
      RecordShape.of(RateLimit.class)
          .with(new Field<>("prefix", Words.PREFIX, "the path prefix that is limited").orElse("/"))
          .with(
              new Field<>("key", RATE_LIMIT_KEY, "what tells clients apart")
                  .orElse(new RateLimit.Key(RateLimit.KeyType.IP_ADDRESS, null)))
          .with(
              new Field<>(
                      "rps",
                      Scalars.number(MIN_RPS, false, Math.floor(Long.MAX_VALUE / 60.0)),
                      "requests per second")
                  .required())
          .with(
              new Field<>(
                      "burst",
                      Scalars.wholeNumber(0, Long.MAX_VALUE),
                      "requests that may run ahead of the limit")
                  .orElse(0L));

  static final RecordShape<ProbeSpec.Header> HEADER =
      RecordShape.of(ProbeSpec.Header.class)
          .with(new Field<>("name", Words.length(1, 256), "the name of the header").required())
          .with(
              new Field<>("value", Words.length(1, MAX_PROBE_TEXT), "the value of the header")
                  .required())
          .check(
              List.of("value"),
              (value, findings) ->
                  Interpolation.check(
                      value.value(), Place.PROBES, findings.node("value"), findings.at("value")));

  static final RecordShape<ProbeSpec> PROBE =
      RecordShape.of(ProbeSpec.class)
          .with(new Field<>("type", Words.fixed("http"), "the kind of probe: http").required())
          .with(
              new Field<>("url", Words.PROBE_URL, "the path that is requested")
                  .nullable()
                  .filledWith("/"))
          .with(
              new Field<>(
                      "method",
                      Scalars.choice(HttpMethod.class),
                      "get, post, put, delete, patch or head")
                  .nullable()
                  .filledWith(HttpMethod.GET))
          .with(
              new Field<>("headers", ListShape.of(HEADER, 0, 16), "headers of the request")
                  .orElse(List.of()))
          .with(
              new Field<>("body", Words.length(1, MAX_PROBE_TEXT), "the body of the request")
                  .nullable())
          .with(
              new Field<>("timeout", Durations.DURATION, "how long an answer may take, at most 5m")
                  .nullable()
                  .filledWith(Duration.ofSeconds(10)))
          .with(
              new Field<>("interval", Durations.DURATION, "the time between two probes")
                  .nullable()
                  .filledWith(Duration.ofSeconds(15)))
          .with(
              new Field<>(
                      "ready_after",
                      Scalars.integer(1, Integer.MAX_VALUE),
                      "how many successes in a row make a replica ready")
                  .nullable()
                  .filledWith(1))
          .with(
              new Field<>("until_ready", Scalars.BOOLEAN, "stop probing once the replica is ready")
                  .nullable()
                  .filledWith(false))
          .check(
              List.of("timeout", "interval"),
              (value, findings) -> {
                if (value.timeout() != null
                    && (value.timeout().toSeconds() < 1
                        || value.timeout().compareTo(MAX_PROBE_TIMEOUT) > 0)) {
                  findings.error(Rule.PROBE_TIMES, "timeout", "a probe's timeout is 1s to 5m");
                }
                if (value.interval() != null && value.interval().toSeconds() < 1) {
                  findings.error(Rule.PROBE_TIMES, "interval", "a probe's interval is at least 1s");
                }
              })
          .check(
              List.of("method", "body"),
              (value, findings) -> {
                if (value.body() != null
                    && findings.isWritten("method")
                    && (value.method() == HttpMethod.GET || value.method() == HttpMethod.HEAD)) {
                  findings.error(
                      Rule.PROBE_BODY,
                      "body",
                      "a request of method "
                          + Scalars.word(value.method(), '-')
                          + " has no body; use method: post");
                }
              })
          .check(
              List.of("url", "body"),
              (value, findings) -> {
                if (value.url() != null) {
                  Interpolation.check(
                      value.url(), Place.PROBES, findings.node("url"), findings.at("url"));
                }
                if (value.body() != null) {
                  Interpolation.check(
                      value.body(), Place.PROBES, findings.node("body"), findings.at("body"));
                }
              })
          .schemaRule(
              Map.of(
                  "not",
                  Map.of(
                      "allOf",
                      List.of(
                          SchemaRules.set("body"),
                          Map.of(
                              "required",
                              List.of("method"),
                              "properties",
                              Map.of("method", Map.of("enum", List.of("get", "head"))))))));

  static final RecordShape<ServiceModel> MODEL_RECORD =
      RecordShape.of(ServiceModel.class)
          .with(new Field<>("type", Words.fixed("chat"), "the kind of model: chat").orElse("chat"))
          .with(new Field<>("name", Scalars.TEXT, "the name that clients ask for").required())
          .with(
              new Field<>(
                      "format",
                      Scalars.choice(ServiceModel.Format.class),
                      "the API of the service: openai or tgi")
                  .required())
          .with(
              new Field<>("prefix", Scalars.TEXT, "the path prefix of an openai service")
                  .nullable())
          .with(
              new Field<>("chat_template", Scalars.TEXT, "the prompt template of a tgi service")
                  .nullable())
          .with(new Field<>("eos_token", Scalars.TEXT, "the end token of a tgi service").nullable())
          .check(
              List.of("format", "prefix", "chat_template", "eos_token"),
              ServiceParts::checkModelFormat)
          .schemaRule(
              Map.of(
                  "if",
                  Map.of("properties", Map.of("format", Map.of("const", "openai"))),
                  "then",
                  Map.of(
                      "not",
                      Map.of(
                          "anyOf",
                          List.of(SchemaRules.set("chat_template"), SchemaRules.set("eos_token")))),
                  "else",
                  Map.of("not", SchemaRules.set("prefix"))))
          .filling(ServiceParts::withPrefix);

  static final Shape<ServiceModel> MODEL =
      new Shorthands.OneLine<>(
          MODEL_RECORD,
          Scalars.TEXT.schema(new SchemaBuilder()),
          (text, node, reading) ->
              new ServiceModel(
                  "chat",
                  text,
                  ServiceModel.Format.OPENAI,
                  reading.fillsDefaults() ? "/v1" : null,
                  null,
                  null));

  static final RecordShape<RouterSpec> ROUTER =
      RecordShape.of(RouterSpec.class)
          .with(
              new Field<>(
                      "type",
                      Choice.withAliases(
                          RouterSpec.Type.class, Map.of("sglang", RouterSpec.Type.SMG)),
                      "smg (or sglang) or dynamo")
                  .orElse(RouterSpec.Type.SMG));

  private ServiceParts() {}

  private static void checkModelFormat(ServiceModel model, Check.Findings findings) {
    boolean openai = model.format() == ServiceModel.Format.OPENAI;
    if (!openai && model.prefix() != null) {
      findings.error(Rule.MODEL_FORMAT, "prefix", "'prefix' is only valid with format openai");
    }
    if (openai && (model.chatTemplate() != null || model.eosToken() != null)) {
      findings.error(
          Rule.MODEL_FORMAT,
          model.chatTemplate() != null ? "chat_template" : "eos_token",
          "'chat_template' and 'eos_token' are only valid with format tgi");
    }
  }

  private static ServiceModel withPrefix(ServiceModel model) {
    boolean open = model.format() == ServiceModel.Format.OPENAI && model.prefix() == null;
    return open
        ? new ServiceModel(model.type(), model.name(), model.format(), "/v1", null, null)
        : model;
  }
}
