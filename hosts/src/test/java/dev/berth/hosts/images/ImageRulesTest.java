package dev.berth.hosts.images;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.hosts.docker.Accounts;
import dev.berth.hosts.docker.Engine;
import dev.berth.hosts.docker.ImageFacts;
import dev.berth.hosts.docker.ImageName;
import java.util.List;
import org.junit.jupiter.api.Test;

class ImageRulesTest {
  private static final ImageFacts IMAGE =
      new ImageFacts(
          "sha256:1",
          "app",
          List.of("/entry", "it's"),
          List.of("serve"),
          "/srv",
          "linux",
          "amd64",
          List.of());
  private static final ImageFacts BARE =
      new ImageFacts("sha256:2", "", List.of(), List.of(), "", "linux", "arm64", List.of());

  @Test
  void commandsComeBeforeTheImagesOwn() {
    assertThat(ImageRules.commands(null, List.of("a", "b"), IMAGE)).containsExactly("a", "b");
    assertThat(ImageRules.commands(null, List.of(), IMAGE))
        .containsExactly("exec '/entry' 'it'\\''s' 'serve'");
    assertThat(ImageRules.commands("run --fast", List.of("x y"), IMAGE))
        .containsExactly("run --fast 'x y'");
    assertThat(ImageRules.commands(null, List.of(), BARE)).isEmpty();
  }

  @Test
  void userIsTheOneNamedOrTheImagesOrRoot() {
    assertThat(ImageRules.user("me", IMAGE)).isEqualTo("me");
    assertThat(ImageRules.user(null, IMAGE)).isEqualTo("app");
    assertThat(ImageRules.user(null, BARE)).isEqualTo("root");
    assertThat(ImageRules.forEngine("root")).isEqualTo("0");
    assertThat(ImageRules.forEngine("app:staff")).isEqualTo("app:staff");
    assertThat(ImageRules.isRoot("0:0")).isTrue();
    assertThat(ImageRules.isRoot("root")).isTrue();
    assertThat(ImageRules.isRoot("1000:0")).isFalse();
  }

  @Test
  void directoryIsTheOneNamedOrTheImages() {
    assertThat(ImageRules.directory(null, "/root", IMAGE)).isEqualTo("/srv");
    assertThat(ImageRules.directory(null, "/root", BARE)).isEqualTo("/");
    assertThat(ImageRules.directory("~", "/home/me", IMAGE)).isEqualTo("/home/me");
    assertThat(ImageRules.directory("~/x", "/home/me", IMAGE)).isEqualTo("/home/me/x");
    assertThat(ImageRules.directory("/data", "/root", IMAGE)).isEqualTo("/data");
    assertThat(ImageRules.directory("sub", "/root", IMAGE)).isEqualTo("/srv/sub");
  }

  @Test
  void imageOfAnotherArchitectureIsRefused() {
    Engine.Version engine = new Engine.Version("1.41", "20.10", "linux", "amd64", "Engine", "");
    assertThat(ImageRules.mismatch("i:1", IMAGE, engine)).isEmpty();
    assertThat(ImageRules.mismatch("b:1", BARE, engine))
        .hasValueSatisfying(
            sentence -> assertThat(sentence).contains("b:1 is for linux/arm64", "linux/amd64"));
    assertThat(
            ImageRules.mismatch(
                "i:1",
                IMAGE,
                new Engine.Version("1.41", "4.3", "linux", "x86_64", "Podman Engine", "")))
        .isEmpty();
  }

  @Test
  void namesOfImagesAreCheckedBeforeAnEngineIsAsked() {
    assertThat(
            List.of(
                "ubuntu",
                "ubuntu:24.04",
                "localhost:5000/a/b_c/d--e:V1.0",
                "nvcr.io/nvidia/pytorch:24.01-py3",
                "[::1]:5000/a",
                "a@sha256:" + "0".repeat(64),
                "a:1@sha256:" + "0".repeat(64)))
        .allMatch(ImageName::isWrittenWell);
    assertThat(List.of("a//b", "", "A/B", "a:", "a b", "../a", "a/", "a@sha256:1", "-a", "a?b"))
        .noneMatch(ImageName::isWrittenWell);
  }

  @Test
  void namesOfImagesHaveParts() {
    assertThat(ImageName.parse("busybox")).isEqualTo(new ImageName("busybox", "latest"));
    assertThat(ImageName.parse("localhost:5000/a/b:1"))
        .isEqualTo(new ImageName("localhost:5000/a/b", "1"));
    assertThat(ImageName.parse("localhost:5000/a").registry()).isEqualTo("localhost:5000");
    assertThat(ImageName.parse("library/a:2").registry()).isEmpty();
    assertThat(ImageName.parse("a:1@sha256:ab")).isEqualTo(new ImageName("a", "sha256:ab"));
    assertThat(ImageName.parse("a").moves()).isTrue();
    assertThat(ImageName.parse("a:1").moves()).isFalse();
  }

  @Test
  void usersOfImagesAreFoundByNameAndNumber() {
    Accounts accounts =
        new Accounts(
            "root:x:0:0::/root:/bin/sh\napp:x:12:13::/home/app:/bin/sh\n", "staff:x:50:\n");
    assertThat(accounts.find("app")).contains(new Accounts.Account(12, 13, "/home/app"));
    assertThat(accounts.find("12")).contains(new Accounts.Account(12, 13, "/home/app"));
    assertThat(accounts.find("99")).contains(new Accounts.Account(99, 0, "/"));
    assertThat(accounts.find("app:staff")).contains(new Accounts.Account(12, 50, "/home/app"));
    assertThat(accounts.find("app:7")).contains(new Accounts.Account(12, 7, "/home/app"));
    assertThat(accounts.find("nobody")).isEmpty();
    assertThat(accounts.find("app:nogroup")).isEmpty();
  }
}
