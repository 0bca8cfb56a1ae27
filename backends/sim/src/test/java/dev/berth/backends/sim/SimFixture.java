package dev.berth.backends.sim;

import dev.berth.model.Container;
import dev.berth.model.JobObservation;
import dev.berth.model.JobRequest;
import dev.berth.model.JobSpec;
import dev.berth.model.Place;
import dev.berth.model.ResourceVector;
import dev.berth.model.config.CpuArchitecture;
import dev.berth.model.offers.CatalogItem;
import dev.berth.spi.BackendContext;
import dev.berth.spi.CreateRequest;
import dev.berth.spi.Found;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Marks;
import dev.berth.spi.Owner;
import dev.berth.spi.Provisioner;
import dev.berth.spi.ResourceRef;
import dev.berth.spi.Volumes;
import dev.berth.spi.config.ConfigReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A simulated cloud under a clock that tests move. */
final class SimFixture {
  static final Owner OWNER = new Owner("here");
  static final Map<String, String> LABELS = Map.of("berth-name", "thing", "cost", "42");
  static final Place PLACE =
      new Place("sim-north", "sim-north-a", "sim-cpu-2", false, 0.08, "{}", null, null);
  static final Place SPOT =
      new Place("sim-north", "sim-north-a", "sim-cpu-2", true, 0.03, "{}", null, null);

  final SettableClock clock;
  final SimConfig config;
  final BackendContext context;
  final SimBackendType type = new SimBackendType(Waiting.none());
  final SimCompute compute;

  private SimFixture(SimConfig config, Path directory, SettableClock clock) {
    this.clock = clock;
    this.config = config;
    this.context = new BackendContext("rehearsal", OWNER, directory, Map.of(), clock);
    this.compute = type.open(config, context);
  }

  /** A cloud in memory. */
  static SimFixture of(String yaml) {
    return new SimFixture(config("state: memory\n" + yaml), Path.of("unused"), new SettableClock());
  }

  /** A cloud of a configuration that was read before. */
  static SimFixture of(SimConfig config, Path directory) {
    return new SimFixture(config, directory, new SettableClock());
  }

  /** A cloud in a file. */
  static SimFixture in(Path directory, SettableClock clock, String yaml) {
    return new SimFixture(config(yaml), directory, clock);
  }

  static SimConfig config(String yaml) {
    return ConfigReader.read(SimConfig.class, tree(yaml));
  }

  @SuppressWarnings("unchecked") // what these tests write is a map
  static Map<String, @Nullable Object> tree(String yaml) {
    Object loaded = new Load(LoadSettings.builder().build()).loadFromString(yaml);
    return loaded == null ? Map.of() : (Map<String, @Nullable Object>) loaded;
  }

  Provisioner provisioner() {
    return compute.provisioner().orElseThrow();
  }

  JobRuntime jobs() {
    return compute.runtime().orElseThrow();
  }

  Volumes volumes() {
    return compute.volumes().orElseThrow();
  }

  static Marks marks(String key) {
    return new Marks(OWNER, key, 7);
  }

  static CreateRequest.Machine machine(String key, Place place) {
    return machine(key, place, List.of(), null);
  }

  static CreateRequest.Machine machine(
      String key, Place place, List<ResourceRef> volumes, @Nullable ResourceRef group) {
    CatalogItem offer =
        new CatalogItem(
            "sim",
            place.instanceType(),
            place.region(),
            place.zone(),
            place.price(),
            2,
            CpuArchitecture.X86,
            8_192,
            null,
            null,
            place.spot(),
            List.of(),
            place.providerData(),
            List.of());
    return new CreateRequest.Machine(
        marks(key), LABELS, place, offer, null, "", List.of(), volumes, group);
  }

  static CreateRequest.Volume volume(String key, @Nullable String zone) {
    return new CreateRequest.Volume(marks(key), LABELS, "sim-north", zone, 1024);
  }

  Found create(CreateRequest request) {
    return provisioner().create(request);
  }

  /** A machine that is ready. */
  Found ready(String key) {
    Found made = create(machine(key, PLACE));
    clock.passSeconds(2);
    return provisioner().describe(made.ref()).orElseThrow();
  }

  Found.State state(ResourceRef ref) {
    return provisioner().describe(ref).orElseThrow().state();
  }

  List<String> listed() {
    return provisioner().list(OWNER).stream().map(found -> found.ref().id()).toList();
  }

  static JobSpec spec(String... commands) {
    return spec(Map.of(), null, commands);
  }

  static JobSpec spec(
      Map<String, String> environment, @Nullable Duration maxDuration, String... commands) {
    return new JobSpec(
        null,
        List.of(commands),
        null,
        environment,
        List.of(),
        null,
        maxDuration,
        JobSpec.Requirements.NONE);
  }

  static JobRequest job(String key, String... commands) {
    return new JobRequest(key, spec(commands), ResourceVector.NOTHING)
        .at(PLACE)
        .in(Container.of("ubuntu"));
  }

  JobObservation observe(String key) {
    return jobs().observe(List.of(key)).getFirst();
  }

  JobObservation.Exited end(String key) {
    return (JobObservation.Exited) observe(key);
  }

  String output(String key) {
    return text(jobs().read(key, JobRuntime.Stream.STDOUT, 0, 1 << 20));
  }

  String errors(String key) {
    return text(jobs().read(key, JobRuntime.Stream.STDERR, 0, 1 << 20));
  }

  static String text(JobRuntime.Output output) {
    return new String(output.bytes(), StandardCharsets.UTF_8);
  }
}
