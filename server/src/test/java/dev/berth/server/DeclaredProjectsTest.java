package dev.berth.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.DoctorView;
import dev.berth.model.api.ProjectView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The projects of the server's file. */
@Timeout(120)
class DeclaredProjectsTest {
  @TempDir Path home;

  private void write(String text) throws IOException {
    Files.writeString(home.resolve(ServerFile.NAME), text);
  }

  private static List<String> projects(RunningServer server) {
    return server.client().access().projects().projects().stream().map(ProjectView::name).toList();
  }

  private static List<DoctorView.Check> failures(RunningServer server) {
    return server.client().doctor().checks().stream()
        .filter(check -> check.part().startsWith("project "))
        .toList();
  }

  @Test
  void theyAreThereAtOnceAndAgainAfterAChange() throws IOException {
    write("projects: [{name: lab}, {name: main}]\n");
    try (RunningServer server = new RunningServer(home)) {
      assertThat(projects(server)).contains("lab", "main");
      write("projects: [{name: lab}, {name: den}]\n");
      Await.until(() -> projects(server).contains("den"));
      assertThat(failures(server)).isEmpty();
    }
    try (RunningServer server = new RunningServer(home)) {
      assertThat(projects(server)).containsExactlyInAnyOrder("main", "lab", "den");
    }
  }

  @Test
  void oneThatCannotBeIsRefusedByName() throws IOException {
    try (RunningServer server = new RunningServer(home)) {
      new People(server).project("old");
      server.client().access().deleteProject("old");
    }
    write("projects: [{name: old}, {name: 'not a name'}, {name: lab}]\n");
    try (RunningServer server = new RunningServer(home)) {
      assertThat(projects(server)).containsExactlyInAnyOrder("main", "lab");
      assertThat(failures(server))
          .extracting(DoctorView.Check::part)
          .containsExactly("project not a name", "project old");
      assertThat(failures(server).getLast().toString()).contains("there was a project 'old'");
    }
  }
}
