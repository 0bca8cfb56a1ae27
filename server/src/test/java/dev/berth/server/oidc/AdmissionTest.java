package dev.berth.server.oidc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.model.config.ServerConfiguration.Oidc;
import dev.berth.model.config.ServerConfiguration.UserClaim;
import dev.berth.server.oidc.Admission.Person;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Who is let in, and as whom. */
class AdmissionTest {
  private static Admission rules(
      UserClaim claim,
      @Nullable List<String> domains,
      @Nullable List<String> users,
      String... admins) {
    return rules(true, claim, domains, users, admins);
  }

  private static Admission rules(
      boolean verified,
      UserClaim claim,
      @Nullable List<String> domains,
      @Nullable List<String> users,
      String... admins) {
    return new Admission(
        new Oidc(
            "https://login.example.com",
            "berth",
            List.of("openid"),
            claim,
            domains,
            users,
            List.of(admins),
            true,
            Duration.ofDays(30),
            verified));
  }

  /** What a token says of a verified address. */
  private static Map<String, Object> verified(String email) {
    return Map.of("sub", "s1", "email", email, "email_verified", true);
  }

  private static void assertRefused(Admission rules, String part, Map<String, Object> claims) {
    assertThatThrownBy(() -> rules.admit(claims))
        .isInstanceOfSatisfying(
            LoginRefusedException.class,
            e -> assertThat(e.reason()).isEqualTo(LoginRefusedException.Reason.PERSON))
        .hasMessageContaining(part);
  }

  @Test
  void withoutRulesEverybodyIsLetIn() {
    assertThat(rules(UserClaim.EMAIL, null, null).admit(verified("Ann@Example.com")))
        .isEqualTo(new Person("ann@example.com", "s1", false));
    assertThat(
            rules(UserClaim.PREFERRED_USERNAME, null, null)
                .admit(Map.of("sub", "s1", "preferred_username", "Ann")))
        .isEqualTo(new Person("Ann", "s1", false));
  }

  @Test
  void domainsAreThoseAfterTheLastAt() {
    Admission rules = rules(UserClaim.EMAIL, List.of("Example.com"), null);
    assertThat(rules.admit(verified("ann@example.com")).name()).isEqualTo("ann@example.com");
    for (String email :
        List.of(
            "ann@lab.example.com",
            "ann@badexample.com",
            "ann@example.com@evil.org",
            "example.com",
            "ann@evil.org")) {
      assertRefused(rules, "is not allowed to log in", verified(email));
    }
    Admission byName = rules(UserClaim.PREFERRED_USERNAME, List.of("example.com"), null);
    assertThat(
            byName
                .admit(
                    Map.of(
                        "preferred_username",
                        "ann",
                        "email",
                        "a@example.com",
                        "email_verified",
                        true))
                .name())
        .isEqualTo("ann");
    assertRefused(
        byName,
        "is not allowed to log in",
        Map.of("preferred_username", "ann", "email_verified", true));
  }

  @Test
  void usersAndAdminsAreLetInByName() {
    Admission rules =
        rules(UserClaim.EMAIL, List.of("example.com"), List.of("Guest@other.org"), "Root@x.org");
    assertThat(rules.admit(verified("guest@other.org")))
        .isEqualTo(new Person("guest@other.org", "s1", false));
    assertThat(rules.admit(verified("root@x.org"))).isEqualTo(new Person("root@x.org", "s1", true));
    assertRefused(rules, "is not allowed to log in", verified("other@other.org"));
    Admission nobody = rules(UserClaim.EMAIL, null, List.of());
    assertRefused(nobody, "is not allowed to log in", verified("ann@example.com"));
    // Names other than addresses are different in another case.
    Admission byName = rules(UserClaim.PREFERRED_USERNAME, null, List.of("ann"), "root");
    assertRefused(byName, "is not allowed to log in", Map.of("preferred_username", "Ann"));
    assertRefused(byName, "is not allowed to log in", Map.of("preferred_username", "Root"));
  }

  @Test
  void anAddressThatIsNotVerifiedProvesNothing() {
    Admission rules = rules(UserClaim.EMAIL, null, null);
    for (Object no : List.of(false, "false")) {
      assertRefused(rules, "not verified", Map.of("email", "a@example.com", "email_verified", no));
    }
    assertThat(rules.admit(Map.of("email", "a@example.com", "email_verified", "true")).name())
        .isEqualTo("a@example.com");
  }

  @Test
  void whereTheAddressDecidesTheProviderMustSayThatItIsVerified() {
    Map<String, Object> silent = Map.of("email", "a@example.com", "preferred_username", "ann");
    String unsaid = "does not say that it has verified";
    assertRefused(rules(UserClaim.EMAIL, null, null), unsaid, silent);
    assertRefused(
        rules(UserClaim.PREFERRED_USERNAME, List.of("example.com"), null), unsaid, silent);
    assertThat(rules(UserClaim.PREFERRED_USERNAME, null, null).admit(silent).name())
        .isEqualTo("ann");
    Admission trusting = rules(false, UserClaim.EMAIL, List.of("example.com"), null);
    assertThat(trusting.admit(silent).name()).isEqualTo("a@example.com");
    assertRefused(
        trusting, "not verified", Map.of("email", "a@example.com", "email_verified", false));
  }

  @Test
  void whatIsNoNameIsRefused() {
    Admission rules = rules(UserClaim.EMAIL, null, null);
    assertRefused(
        rules, "lacks the claim", Map.of("preferred_username", "ann", "email_verified", true));
    assertRefused(
        rules,
        "lacks the claim",
        Map.of("email", List.of("a@example.com"), "email_verified", true));
    assertRefused(rules, "lacks the claim", verified(" "));
    assertRefused(rules, "is not a valid user name", verified("a b@example.com"));
    assertRefused(rules, "is not a valid user name", verified("a".repeat(101)));
  }
}
