package dev.berth.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Follows the guide to teams as its readers would: the admin's commands and those of a member. */
@Timeout(900)
class TeamsGuideTest {
  @Test
  void theTeamOfThePageDoesWhatItSays() throws IOException {
    try (TestHome home = TestHome.fresh()) {
      assertThat(Guide.TEAMS.follow(home)).isGreaterThanOrEqualTo(7);
    }
  }

  @Test
  void wrongWordsAndRefusalsEndWithTheirCodes() {
    try (TestHome home = TestHome.fresh()) {
      assertThat(home.berth("user", "create", "ann", "--role", "boss").expect(77).err())
          .contains("expected one of admin, user");
      assertThat(home.berth("token", "create", "t", "--expires", "soon").expect(64).err())
          .contains("30d");
      assertThat(home.berth("user", "delete", "admin", "-y").expect(77).err())
          .contains("the server's own");
      home.berth("user", "create", "ann").expect(0);
      assertThat(home.berth("user", "delete", "ann").expect(64).err()).contains("add -y");
      assertThat(home.berth("user", "update", "ann", "--role", "admin").expect(0).out())
          .isEqualTo("ann is now a global admin\n");
      assertThat(home.berth("user", "list", "--json").expect(0).json().get("users")).hasSize(2);
      assertThat(home.berth("project", "list", "--json").expect(0).json().get("projects"))
          .hasSize(1);
      assertThat(home.berth("token", "list").expect(0).out()).contains("There are no tokens");
      String secret =
          home.berth("token", "create", "t", "--json").expect(0).json().get("secret").asString();
      assertThat(secret).matches("berth_[A-Za-z0-9_-]{43}");
      assertThat(home.berth("token", "revoke", "t").expect(0).out()).isEqualTo("t revoked\n");
      assertThat(home.set("BERTH_PROJECT", "none").berth("ps").expect(1).err())
          .contains("there is no project 'none'");
    }
  }
}
