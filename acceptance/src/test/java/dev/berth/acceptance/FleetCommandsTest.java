package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** {@code berth fleet} and {@code berth explain}, as people type them. */
@Timeout(900)
class FleetCommandsTest {
  private TestHome home;

  @BeforeEach
  void open() {
    home = TestHome.fresh();
    home.file(
        "cloud.yml",
        "type: sim\ngives: machines\nscenario: {boot_time: 100ms, delete_time: 100ms}\n");
    home.berth("backend", "add", "cloud", "-f", "cloud.yml").expect(0);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private JsonNode nodes() {
    return home.berth("fleet", "get", "lab", "--json").expect(0).json().get("fleet").get("nodes");
  }

  @Test
  void aFleetIsPlannedMadeShownChangedAndDeleted() {
    home.file("lab.yml", "type: fleet\nname: lab\nnodes: 1..2\nbackends: [cloud]\n");
    assertThat(home.berth("plan", "-f", "lab.yml").expect(0).out())
        .contains("Fleet lab (will be created)", "sim-cpu-2", "$0.08/h");
    assertThat(home.berth("apply", "-f", "lab.yml").expect(64).err()).contains("add -y");
    assertThat(home.berth("apply", "-y", "-f", "lab.yml").expect(0).out()).isEqualTo("lab\n");
    Await.until("a machine that is ready", () -> nodes().get("idle").asInt() == 1);
    assertThat(home.berth("fleet", "list").expect(0).out()).contains("lab", "1 idle of 1..2");
    assertThat(home.berth("fleet", "get", "lab").expect(0).out()).contains("sim-cpu-2", "0/1");

    home.file("lab.yml", "type: fleet\nname: lab\nnodes: 0..3\nbackends: [cloud]\n");
    assertThat(home.berth("apply", "-y", "-f", "lab.yml").expect(0).err())
        .contains("will be updated in place", "nodes.min: 1 -> 0", "nodes.max: 2 -> 3");
    assertThat(nodes().get("max").asInt()).isEqualTo(3);

    home.berth("fleet", "delete", "lab").expect(64);
    assertThat(home.berth("fleet", "delete", "lab", "-y").expect(0).out()).startsWith("lab ");
    Await.until(
        "the end of the fleet",
        () -> home.berth("fleet", "list").expect(0).out().contains("There are no fleets"));
    assertThat(home.berth("fleet", "get", "lab").expect(1).err()).contains("there is no fleet");
  }

  @Test
  void hostsOfYourOwnAreRefusedWithASentence() {
    home.file(
        "own.yml",
        """
        type: fleet
        name: own
        ssh_config: {user: me, identity_file: key, hosts: [10.0.0.1]}
        """);
    assertThat(home.berth("apply", "-y", "-f", "own.yml").expect(77).err())
        .contains("ssh_config: fleets of your own hosts are not supported yet");
    assertThat(home.berth("apply", "-y", "-f", "own.yml", "-e", "A=1").expect(64).err())
        .contains("are for runs");
  }

  @Test
  void whatKeepsARunFromItsPlaceIsExplained() {
    home.task("dear", "backends: [cloud]\nmax_price: 0.01", "echo hi");
    FinishedCommand explained = home.berth("explain", "-f", "dear.berth.yml").expect(0);
    assertThat(explained.out())
        .contains(
            "Nothing matches: ",
            "Without 'max_price' it would be placed on cloud/",
            "RULED OUT",
            "CLOSEST");
    JsonNode json = home.berth("explain", "-f", "dear.berth.yml", "--json").expect(0).json();
    assertThat(json.get("verdict").asString()).isEqualTo("unplaceable");
    // Two are equally small: to pay more, or to let the machine of the server take it.
    assertThat(json.get("remedies").findValuesAsString("place")).hasSize(2);
    assertThat(json.get("remedies").toString()).contains("[\"max_price\"]", "[\"backends\"]");
    assertThat(home.berth("explain").expect(64).err())
        .contains("name either a run or, with -f, a file");
    assertThat(home.berth("explain", "nobody").expect(1).err()).contains("there is no run");
  }

  @Test
  void aRunGetsAnotherPriorityInPlaceAndAnotherWaitsForIt() {
    home.task("first", "backends: [cloud]\nidle_duration: 0s\npriority: 1", "sleep 600");
    home.submit(home.scratch().resolve("first.berth.yml"));
    home.task("first", "backends: [cloud]\nidle_duration: 0s\npriority: 9", "sleep 600");
    assertThat(home.berth("apply", "-y", "-f", "first.berth.yml").expect(0).out())
        .isEqualTo("first now has priority 9\n");
    home.submit(home.task("second", "backends: [cloud]\nafter: [first]", "echo hi"));
    assertThat(home.berth("ps").expect(0).out()).contains("PRIORITY", "after first");
    assertThat(home.run("second").get("after").get(0).asString()).isEqualTo("first");
    assertThat(home.berth("explain", "second").expect(0).out())
        .contains("It is waiting for other runs to succeed: first.");
    home.berth("stop", "-x", "first").expect(0);
    assertThat(home.awaitEnd("second").get("reason").asString()).isEqualTo("dependency_failed");
  }
}
