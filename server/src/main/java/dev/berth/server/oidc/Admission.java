package dev.berth.server.oidc;

import dev.berth.model.User;
import dev.berth.model.config.ServerConfiguration.Oidc;
import dev.berth.model.config.ServerConfiguration.UserClaim;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says which user somebody is whom the identity provider knows, and whether that one is let in. */
public final class Admission {
  private final Oidc rules;

  /**
   * One who is let in.
   *
   * @param name the name of the user
   * @param subject what the provider tells people apart by
   * @param admin whether the server's file says that it is a global admin
   */
  public record Person(String name, String subject, boolean admin) {}

  public Admission(Oidc rules) {
    this.rules = rules;
  }

  /**
   * Who it is.
   *
   * @param claims what a token says that was checked
   * @throws LoginRefusedException for who is not let in
   */
  public Person admit(Map<String, Object> claims) {
    requireVerified(claims);
    String email = lowerCase(text(claims, "email"));
    String name =
        switch (rules.userClaim()) {
          case EMAIL -> email;
          case PREFERRED_USERNAME -> text(claims, "preferred_username");
        };
    if (name == null) {
      throw LoginRefusedException.person("the token lacks the claim that is used as the name");
    }
    if (!User.NAME.matcher(name).matches()) {
      throw LoginRefusedException.person("the name in the token is not a valid user name");
    }
    boolean admin = names(rules.admins()).anyMatch(name::equals);
    if (!admin && !isAllowed(name, email)) {
      throw LoginRefusedException.person("'" + name + "' is not allowed to log in");
    }
    return new Person(name, String.valueOf(claims.get("sub")), admin);
  }

  /** Anybody can write down any mail address; only one that was verified says who somebody is. */
  private void requireVerified(Map<String, Object> claims) {
    // Some providers write it as text.
    String verified = String.valueOf(claims.get("email_verified"));
    boolean counts = rules.userClaim() == UserClaim.EMAIL || rules.allowedDomains() != null;
    if (verified.equals("false")
        || (counts && rules.requireVerifiedEmail() && !verified.equals("true"))) {
      throw LoginRefusedException.person(
          verified.equals("false")
              ? "the provider has not verified the mail address"
              : "the provider does not say that it has verified the mail address (email_verified);"
                  + " where it always does, write require-verified-email: false");
    }
  }

  private boolean isAllowed(String name, @Nullable String email) {
    List<String> domains = rules.allowedDomains();
    List<String> users = rules.allowedUsers();
    if (domains == null && users == null) {
      return true;
    }
    return (users != null && names(users).anyMatch(name::equals))
        || (domains != null
            && email != null
            && domains.stream()
                .map(domain -> domain.toLowerCase(Locale.ROOT))
                .anyMatch(email.substring(email.lastIndexOf('@') + 1)::equals)
            && email.lastIndexOf('@') > 0);
  }

  /** Mail addresses are the same in any case; other names are not. */
  private Stream<String> names(List<String> written) {
    return rules.userClaim() == UserClaim.EMAIL
        ? written.stream().map(name -> name.toLowerCase(Locale.ROOT))
        : written.stream();
  }

  private static @Nullable String text(Map<String, Object> claims, String name) {
    return claims.get(name) instanceof String text && !text.isBlank() ? text : null;
  }

  private static @Nullable String lowerCase(@Nullable String text) {
    return text == null ? null : text.toLowerCase(Locale.ROOT);
  }
}
