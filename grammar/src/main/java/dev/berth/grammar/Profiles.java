package dev.berth.grammar;

import dev.berth.model.config.BackendOptions;
import dev.berth.model.config.CreationPolicy;
import dev.berth.model.config.InstanceSelector;
import dev.berth.model.config.Profile;
import dev.berth.model.config.ProfileParams;
import dev.berth.model.config.ProfilesConfiguration;
import dev.berth.model.config.RetryEvent;
import dev.berth.model.config.RetryPolicy;
import dev.berth.model.config.Schedule;
import dev.berth.model.config.SpotPolicy;
import dev.berth.model.config.StartupOrder;
import dev.berth.model.config.StopCriteria;
import dev.berth.model.config.TimeLimit;
import dev.berth.model.config.UtilizationPolicy;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where and how a run may be placed, in run files and in profiles.yml. */
final class Profiles {
  static final Shape<List<String>> TEXTS = ListShape.of(Scalars.TEXT);
  static final Shape<Double> PRICE = Scalars.number(0, true, Double.MAX_VALUE);
  static final Shape<SpotPolicy> SPOT = Scalars.choice(SpotPolicy.class);
  private static final Duration MIN_UTILIZATION_WINDOW = Duration.ofMinutes(5);
  private static final TimeLimit RUN_IDLE_DURATION = TimeLimit.of(Duration.ofMinutes(5));
  private static final TimeLimit STOP_DURATION = TimeLimit.of(Duration.ofMinutes(5));

  static final RecordShape<RetryPolicy> RETRY_RECORD =
      RecordShape.of(RetryPolicy.class)
          .with(
              new Field<>(
                      "on_events",
                      ListShape.of(Scalars.choice(RetryEvent.class)),
                      "what is retried: no-capacity, interruption, error; all of them otherwise")
                  .nullable()
                  .orElse(List.of(RetryEvent.values())))
          .with(
              new Field<>("duration", Durations.DURATION, "for how long; 1h otherwise")
                  .nullable()
                  .orElse(RetryPolicy.DEFAULT_DURATION))
          .check(
              List.of("on_events"),
              (value, findings) -> {
                if (value.onEvents().isEmpty()) {
                  findings.error(
                      Rule.RETRY_EVENTS,
                      "on_events",
                      "the list of events is empty; name some, or write retry: false");
                }
              })
          .schemaRule(
              Map.of(
                  "properties",
                  Map.of(
                      "on_events",
                      Map.of("if", Map.of("type", "array"), "then", Map.of("minItems", 1)))));

  static final Shape<RetryPolicy> RETRY = new RetryShape();

  static final RecordShape<UtilizationPolicy> UTILIZATION =
      RecordShape.of(UtilizationPolicy.class)
          .with(
              new Field<>(
                      "min_gpu_utilization",
                      Scalars.integer(0, 100),
                      "the least use of each GPU, in percent")
                  .required())
          .with(
              new Field<>(
                      "time_window",
                      Durations.DURATION,
                      "over how long it is measured, at least 5m")
                  .required())
          .check(
              List.of("time_window"),
              (value, findings) -> {
                if (value.timeWindow().compareTo(MIN_UTILIZATION_WINDOW) < 0) {
                  findings.error(
                      Rule.UTILIZATION_WINDOW,
                      "time_window",
                      "the window is at least 5m, found " + value.timeWindow().toSeconds() + "s");
                }
              });

  static final RecordShape<Schedule> SCHEDULE =
      RecordShape.of(Schedule.class)
          .with(
              new Field<>(
                      "cron", new OneOrMore<>(Words.CRON), "one cron expression or several, in UTC")
                  .required());

  static final RecordShape<InstanceSelector.ByName> BY_NAME =
      RecordShape.of(InstanceSelector.ByName.class)
          .with(new Field<>("name", Words.NOT_EMPTY, "the name of the instance").required());
  static final RecordShape<InstanceSelector.ByHostname> BY_HOSTNAME =
      RecordShape.of(InstanceSelector.ByHostname.class)
          .with(
              new Field<>("hostname", Words.NOT_EMPTY, "the host name or address of the instance")
                  .required());
  static final RecordShape<InstanceSelector.ByFleet> BY_FLEET =
      RecordShape.of(InstanceSelector.ByFleet.class)
          .with(new Field<>("fleet", Shorthands.REFERENCE, "the fleet").required())
          .with(
              new Field<>(
                      "instance",
                      Scalars.integer(0, Integer.MAX_VALUE),
                      "the number of the instance in the fleet")
                  .required());

  static final Shape<List<BackendOptions>> BACKEND_OPTIONS = new BackendOptionsShape();

  /** The parameters as they stand in a run's file, with the defaults of runs. */
  static final RecordShape<ProfileParams> PARAMS =
      RecordShape.of(ProfileParams.class)
          .with(new Field<>("backends", TEXTS, "the backends that may be used").nullable())
          .with(new Field<>("regions", TEXTS, "the regions that may be used").nullable())
          .with(new Field<>("availability_zones", TEXTS, "the zones that may be used").nullable())
          .with(
              new Field<>("instance_types", TEXTS, "the instance types that may be used")
                  .nullable())
          .with(
              new Field<>("reservation", Scalars.TEXT, "an existing reservation to use").nullable())
          .with(
              new Field<>("spot_policy", SPOT, "spot, on-demand or auto")
                  .nullable()
                  .filledWith(SpotPolicy.ON_DEMAND))
          .with(
              new Field<>("retry", RETRY, "whether and when the run is tried again")
                  .nullable()
                  .filledWith(RetryPolicy.OFF))
          .with(
              new Field<>("max_duration", Durations.LIMIT, "how long the run may last")
                  .nullable()
                  .filledWith(TimeLimit.OFF))
          .with(
              new Field<>(
                      "stop_duration",
                      Durations.LIMIT,
                      "how long a stopping run may take before it is killed")
                  .nullable()
                  .filledWith(STOP_DURATION))
          .with(
              new Field<>("max_price", PRICE, "the highest price per hour, in dollars").nullable())
          .with(
              new Field<>(
                      "creation_policy",
                      Scalars.choice(CreationPolicy.class),
                      "reuse or reuse-or-create")
                  .nullable()
                  .filledWith(CreationPolicy.REUSE_OR_CREATE))
          .with(
              new Field<>(
                      "idle_duration", Durations.IDLE_LIMIT, "how long an idle instance is kept")
                  .nullable()
                  .filledWith(RUN_IDLE_DURATION))
          .with(
              new Field<>("utilization_policy", UTILIZATION, "ends runs that leave GPUs idle")
                  .nullable())
          .with(
              new Field<>(
                      "startup_order",
                      Scalars.choice(StartupOrder.class),
                      "any, master-first or workers-first")
                  .nullable()
                  .filledWith(StartupOrder.ANY))
          .with(
              new Field<>(
                      "stop_criteria",
                      Scalars.choice(StopCriteria.class),
                      "all-done or master-done")
                  .nullable()
                  .filledWith(StopCriteria.ALL_DONE))
          .with(new Field<>("schedule", SCHEDULE, "when the run is started").nullable())
          .with(
              new Field<>(
                      "fleets", ListShape.of(Shorthands.REFERENCE), "the fleets that may be used")
                  .nullable())
          .with(
              new Field<>(
                      "instances",
                      ListShape.of(new SelectorShape(), 1, Integer.MAX_VALUE),
                      "existing instances that must be used")
                  .nullable())
          .with(new Field<>("tags", Maps.TAGS, "tags for the run and what it creates").nullable())
          .with(
              new Field<>("backend_options", BACKEND_OPTIONS, "settings for one backend")
                  .nullable())
          .removed("pool_name", "name the fleets in 'fleets' instead")
          .removed("instance_name", "name the instance in 'instances' instead")
          .removed("retry_policy", "use 'retry' instead")
          .removed("retry_limit", "use 'retry' with a 'duration' instead")
          .removed("termination_policy", "use 'idle_duration' instead (off for dont-destroy)")
          .removed("termination_idle_time", "use 'idle_duration' instead")
          .removed("spot", "use 'spot_policy' instead");

  static final RecordShape<Profile> PROFILE =
      RecordShape.of(Profile.class)
          .with(new Field<>("name", Scalars.TEXT, "the name that --profile takes").orElse(""))
          .with(
              new Field<>(
                      "default", Scalars.BOOLEAN, "whether it is used where no profile is named")
                  .component("isDefault")
                  .orElse(false))
          .inline("params", PARAMS);

  static final RecordShape<ProfilesConfiguration> PROFILES =
      RecordShape.of(ProfilesConfiguration.class)
          .with(
              new Field<>("profiles", new Unfilled<>(ListShape.of(PROFILE)), "the profiles")
                  .required())
          .check(
              List.of("profiles"),
              (value, findings) -> {
                Set<String> names = new HashSet<>();
                for (Profile profile : value.profiles()) {
                  if (!profile.name().isEmpty() && !names.add(profile.name())) {
                    findings.error(
                        Rule.PROFILE_NAMES,
                        "profiles",
                        "the name '"
                            + Text.abbreviate(profile.name())
                            + "' is used by two profiles");
                  }
                }
              });

  private Profiles() {}

  /** {@code true}, {@code false}, or a mapping. */
  private static final class RetryShape implements Shape<RetryPolicy> {
    @Override
    public @Nullable RetryPolicy read(Node node, Reading reading) {
      if (node instanceof Node.Scalar scalar) {
        Boolean flag = Scalars.parseBoolean(scalar.text());
        if (flag == null) {
          reading.error(
              Rule.EXPECTED_BOOLEAN,
              node,
              "expected true, false or a mapping of on_events and duration, found "
                  + node.kindName());
          return null;
        }
        return flag ? RetryPolicy.always() : RetryPolicy.OFF;
      }
      return RETRY_RECORD.read(node, reading);
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(RETRY_RECORD);
    }

    @Override
    public @Nullable Object write(RetryPolicy value) {
      return value.isOff() ? null : RETRY_RECORD.write(value);
    }

    @Override
    public boolean writesNullForOff() {
      return true;
    }

    @Override
    public RetryPolicy off() {
      return RetryPolicy.OFF;
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(
          List.of(Scalars.BOOLEAN.schema(schemas), RETRY_RECORD.schema(schemas)));
    }
  }

  private static final class SelectorShape implements Shape<InstanceSelector> {
    @Override
    public @Nullable InstanceSelector read(Node node, Reading reading) {
      return switch (node) {
        case Node.Scalar _ -> {
          String name = Words.NOT_EMPTY.read(node, reading);
          yield name == null ? null : new InstanceSelector.ByName(name);
        }
        case Node.Mapping mapping when mapping.entries().containsKey("hostname") ->
            BY_HOSTNAME.read(node, reading);
        case Node.Mapping mapping
            when mapping.entries().containsKey("fleet")
                || mapping.entries().containsKey("instance") ->
            BY_FLEET.read(node, reading);
        case Node.Mapping mapping when mapping.entries().containsKey("name") ->
            BY_NAME.read(node, reading);
        default -> {
          reading.error(
              Rule.SELECTOR_SYNTAX,
              node,
              "expected an instance by name, by 'hostname', or by 'fleet' and 'instance', found "
                  + node.kindName());
          yield null;
        }
      };
    }

    @Override
    public List<? extends Shape<?>> parts() {
      return List.of(BY_NAME, BY_HOSTNAME, BY_FLEET);
    }

    @Override
    public @Nullable Object write(InstanceSelector value) {
      return switch (value) {
        case InstanceSelector.ByName name -> BY_NAME.write(name);
        case InstanceSelector.ByHostname hostname -> BY_HOSTNAME.write(hostname);
        case InstanceSelector.ByFleet fleet -> BY_FLEET.write(fleet);
      };
    }

    @Override
    public Map<String, Object> schema(SchemaBuilder schemas) {
      return SchemaBuilder.anyOf(
          List.of(
              SchemaBuilder.text("."),
              BY_NAME.schema(schemas),
              BY_HOSTNAME.schema(schemas),
              BY_FLEET.schema(schemas)));
    }
  }
}
