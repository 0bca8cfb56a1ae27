package dev.berth.grammar;

import dev.berth.model.config.ServerConfiguration.Oidc;
import dev.berth.model.config.ServerConfiguration.UserClaim;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The part of the server's file that names an identity provider. */
final class OidcSettings {
  /** Without it there is no ID token. */
  private static final String OPENID = "openid";

  private static final Duration SHORTEST = Duration.ofMinutes(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  /** On the machine itself nobody listens in, so that a provider can be tried out. */
  private static final Shape<String> ISSUER =
      Words.pattern(
          "https://[^\\s/?#@]+(/[^\\s?#]*)?"
              + "|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:[0-9]{1,5})?(/[^\\s?#]*)?",
          "an address such as https://login.example.com, without query; http:// is for localhost"
              + " only");

  private static final Shape<List<String>> DOMAINS =
      ListShape.of(
          Words.pattern("[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*", "a domain such as example.com"),
          1,
          1000);

  private static final Shape<String> USER =
      Words.pattern(
          "[A-Za-z0-9][A-Za-z0-9._@-]{0,99}", "the name of a user such as ann@example.com");

  static final RecordShape<Oidc> OIDC =
      RecordShape.of(Oidc.class)
          .with(
              new Field<>("issuer", ISSUER, "the provider's address, as its tokens name it")
                  .required())
          .with(
              new Field<>("client-id", Words.NOT_EMPTY, "what the provider calls this server")
                  .required())
          .with(
              new Field<>(
                      "scopes",
                      ListShape.of(
                          Words.pattern("[!#-\\[\\]-~]+", "a scope, which is one word"), 1, 100),
                      "what the provider is asked for; openid among it")
                  .nullable()
                  .orElse(List.of(OPENID, "email", "profile")))
          .with(
              new Field<>(
                      "user-claim",
                      Scalars.choice(UserClaim.class, '_'),
                      "what of the ID token is the name of the user")
                  .nullable()
                  .orElse(UserClaim.EMAIL))
          .with(
              new Field<>("allowed-domains", DOMAINS, "whose mail addresses are let in").nullable())
          .with(
              new Field<>("allowed-users", ListShape.of(USER), "who is let in by name").nullable())
          .with(
              new Field<>("admins", ListShape.of(USER), "who is a global admin, and let in")
                  .nullable()
                  .orElse(List.of()))
          .with(
              new Field<>(
                      "create-users",
                      Scalars.BOOLEAN,
                      "whether who is let in becomes a user at the first login")
                  .nullable()
                  .orElse(false))
          .with(
              new Field<>("token-lifetime", Durations.DURATION, "for how long a login lasts")
                  .nullable()
                  .orElse(Duration.ofDays(30)))
          .with(
              new Field<>(
                      "require-verified-email",
                      Scalars.BOOLEAN,
                      "whether the ID token must say that the mail address was verified")
                  .nullable()
                  .orElse(true))
          .check(
              List.of("scopes"),
              (value, findings) -> {
                if (!value.scopes().contains(OPENID)) {
                  findings.error(
                      Rule.OIDC_SCOPES,
                      "scopes",
                      "the scopes must have 'openid' among them, or the provider gives no ID"
                          + " token");
                }
              })
          .schemaRule(
              Map.of("properties", Map.of("scopes", Map.of("contains", Map.of("const", OPENID)))))
          .check(
              List.of("token-lifetime"),
              (value, findings) -> {
                if (value.tokenLifetime().compareTo(SHORTEST) < 0
                    || value.tokenLifetime().compareTo(LONGEST) > 0) {
                  findings.error(
                      Rule.OIDC_LIFETIME,
                      "token-lifetime",
                      "a login lasts from 1m to 3650d; the default is 30d");
                }
              });

  private OidcSettings() {}
}
