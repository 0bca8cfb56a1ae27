package dev.berth.hosts.docker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.ContainerSpec.Devices;
import dev.berth.hosts.docker.ContainerSpec.Limits;
import dev.berth.hosts.docker.ContainerSpec.Mount;
import dev.berth.hosts.docker.ContainerSpec.Port;
import dev.berth.hosts.docker.ContainerSpec.Ulimit;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ContainerSpecTest {
  private static final Limits LIMITS =
      new Limits(1.5, 256L << 20, 1L << 30, Map.of("nofile", new Ulimit(1024, 65536)));

  private static ContainerSpec spec(Limits limits, Devices devices, boolean privileged) {
    return new ContainerSpec(
        "sha256:1",
        List.of("/bin/sh", "/berth/runner"),
        "app",
        "/srv",
        Map.of("A", "b=c"),
        Map.of("berth-key", "k1"),
        List.of(new Mount("/data", "/mnt", true)),
        limits,
        devices,
        "bridge",
        List.of(new Port(8000, null), new Port(9000, 80), new Port(9000, 81)),
        privileged);
  }

  @Test
  void createCallHasAllThatWasAskedFor() {
    JsonNode body = EngineJson.parse(spec(LIMITS, Devices.NONE, false).json());
    assertThat(body.path("Entrypoint").toString()).isEqualTo("[\"/bin/sh\",\"/berth/runner\"]");
    assertThat(body.path("Cmd").size()).isZero();
    assertThat(body.path("Env").path(0).asString()).isEqualTo("A=b=c");
    assertThat(body.path("Labels").path("berth-key").asString()).isEqualTo("k1");
    JsonNode host = body.path("HostConfig");
    assertThat(host.path("NanoCpus").asLong()).isEqualTo(1_500_000_000L);
    assertThat(host.path("Memory").asLong()).isEqualTo(256L << 20);
    assertThat(host.path("ShmSize").asLong()).isEqualTo(1L << 30);
    assertThat(host.path("Ulimits").path(0).toString())
        .isEqualTo("{\"Name\":\"nofile\",\"Soft\":1024,\"Hard\":65536}");
    assertThat(host.path("Mounts").path(0).toString())
        .isEqualTo(
            "{\"Type\":\"bind\",\"Source\":\"/data\",\"Target\":\"/mnt\",\"ReadOnly\":true}");
    assertThat(host.path("PortBindings").toString())
        .isEqualTo(
            "{\"8000/tcp\":[{\"HostIp\":\"127.0.0.1\",\"HostPort\":\"\"}],"
                + "\"9000/tcp\":[{\"HostIp\":\"127.0.0.1\",\"HostPort\":\"80\"},"
                + "{\"HostIp\":\"127.0.0.1\",\"HostPort\":\"81\"}]}");
    assertThat(body.path("ExposedPorts").toString()).isEqualTo("{\"8000/tcp\":{},\"9000/tcp\":{}}");
    assertThat(host.has("DeviceRequests")).isFalse();
  }

  @Test
  void acceleratorsAreAskedForByTheirIds() {
    Devices devices = new Devices(List.of("GPU-1", "GPU-2"), List.of("/dev/kfd"), List.of("44"));
    JsonNode host = EngineJson.parse(spec(Limits.NONE, devices, false).json()).path("HostConfig");
    assertThat(host.path("DeviceRequests").path(0).path("DeviceIDs").toString())
        .isEqualTo("[\"GPU-1\",\"GPU-2\"]");
    assertThat(host.path("GroupAdd").toString()).isEqualTo("[\"44\"]");
    assertThat(host.path("Devices").path(0).path("PathOnHost").asString()).isEqualTo("/dev/kfd");
    assertThat(host.has("NanoCpus")).isFalse();
  }

  @Test
  void acceleratorsWithNamesOfTheDeviceInterfaceAreAskedForByThem() {
    Devices devices = new Devices(List.of(), List.of("nvidia.com/gpu=GPU-1"), List.of(), List.of());
    JsonNode body = EngineJson.parse(spec(Limits.NONE, devices, false).json());
    assertThat(body.path("HostConfig").path("DeviceRequests").toString())
        .isEqualTo("[{\"Driver\":\"cdi\",\"DeviceIDs\":[\"nvidia.com/gpu=GPU-1\"]}]");
    assertThat(body.path("Env").toString())
        .as("what is named is given once")
        .contains("NVIDIA_VISIBLE_DEVICES=void");
  }

  @Test
  void imageCannotAskForMoreThanWasGiven() {
    assertThat(
            EngineJson.parse(spec(Limits.NONE, Devices.NONE, false).json()).path("Env").toString())
        .isEqualTo("[\"A=b=c\",\"NVIDIA_VISIBLE_DEVICES=void\"]");
    Devices one = new Devices(List.of("GPU-1"), List.of(), List.of());
    assertThat(EngineJson.parse(spec(Limits.NONE, one, false).json()).path("Env").toString())
        .isEqualTo("[\"A=b=c\",\"NVIDIA_VISIBLE_DEVICES=GPU-1\"]");
  }

  @Test
  void refusalOfALimitBecomesAWarning() {
    String words =
        "failed to create shim: OCI runtime create failed: error setting rlimit type 7: operation"
            + " not permitted";
    assertThat(EngineRefusal.of(words, spec(LIMITS, Devices.NONE, false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Without.class,
            without -> {
              assertThat(without.limits().ulimits()).isEmpty();
              assertThat(without.limits().memoryBytes()).isEqualTo(256L << 20);
              assertThat(without.warning()).contains("nofile");
            });
    assertThat(
            EngineRefusal.of(
                "NanoCPUs can not be set, as your kernel does not support CPU CFS scheduler",
                spec(LIMITS, Devices.NONE, false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Without.class, without -> assertThat(without.limits().cpus()).isNull());
  }

  @Test
  void refusalOfWhatTheJobNeedsSaysWhatToDo() {
    assertThat(
            EngineRefusal.of(
                "could not select device driver \"nvidia\" with capabilities: [[gpu]]",
                spec(LIMITS, new Devices(List.of("GPU-1"), List.of(), List.of()), false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Final.class,
            refusal -> assertThat(refusal.sentence()).contains("container toolkit"));
    assertThat(
            EngineRefusal.of(
                "nvidia-container-cli: device error: GPU-1: unknown device: unknown",
                spec(LIMITS, new Devices(List.of("GPU-1"), List.of(), List.of()), false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Final.class,
            refusal ->
                assertThat(refusal.sentence())
                    .contains("cannot give the job its GPUs", "nvidia-smi", "unknown device"));
    assertThat(
            EngineRefusal.of(
                "error gathering device information while adding custom device"
                    + " \"/dev/dri/renderD128\": no such file or directory",
                spec(
                    LIMITS,
                    new Devices(List.of(), List.of("/dev/dri/renderD128"), List.of()),
                    false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Final.class,
            refusal -> assertThat(refusal.sentence()).contains("a device of its host", "driver"));
    assertThat(
            EngineRefusal.of(
                "OCI runtime create failed: unable to apply caps: operation not permitted",
                spec(LIMITS, Devices.NONE, true)))
        .isInstanceOfSatisfying(
            EngineRefusal.Final.class,
            refusal -> assertThat(refusal.sentence()).contains("privileged"));
    assertThat(
            EngineRefusal.of(
                "Bind for 127.0.0.1:80 failed: port is already allocated",
                spec(LIMITS, Devices.NONE, false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Final.class,
            refusal -> assertThat(refusal.sentence()).contains("'ports'", "127.0.0.1:80"));
    assertThat(EngineRefusal.of("no space left", spec(Limits.NONE, Devices.NONE, false)))
        .isEqualTo(new EngineRefusal.Final("the engine refuses the container: no space left"));
  }

  @Test
  void moreProcessorsThanTheHostHasAreAWarning() {
    String words =
        "Range of CPUs is from 0.01 to 2.00, as there are only 2 CPUs available on this host";
    assertThat(EngineRefusal.of(words, spec(LIMITS, Devices.NONE, false)))
        .isInstanceOfSatisfying(
            EngineRefusal.Without.class,
            without -> {
              assertThat(without.limits().cpus()).isNull();
              assertThat(without.warning()).contains("the host cannot limit CPUs");
            });
  }

  @Test
  void engineInTroubleIsAskedLater() {
    String words = "failed to create task for container: context deadline exceeded";
    assertThat(EngineRefusal.of(words, spec(LIMITS, Devices.NONE, false)))
        .isInstanceOf(EngineRefusal.Later.class);
  }

  @Test
  void logThatIsReadIsKept() {
    ContainerSpec spec = spec(LIMITS, Devices.NONE, false);
    assertThat(EngineJson.parse(spec.json()).path("HostConfig").has("LogConfig")).isFalse();
    ContainerSpec direct = spec.directly(List.of("/cat"), Map.of(), List.of()).with(Limits.NONE);
    assertThat(EngineJson.parse(direct.json()).path("HostConfig").path("LogConfig").toString())
        .isEqualTo("{\"Type\":\"json-file\",\"Config\":{\"max-size\":\"1000000g\"}}");
  }

  @Test
  void passwordIsNotPrinted() {
    EngineImages.Login login = new EngineImages.Login("me", "word", "localhost:5000");
    assertThat(login.toString()).doesNotContain("word");
  }
}
