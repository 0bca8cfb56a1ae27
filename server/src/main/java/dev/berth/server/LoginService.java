package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.decisions.Reply;
import dev.berth.model.Token;
import dev.berth.model.User;
import dev.berth.model.api.LoginView;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.OidcLoginView;
import dev.berth.model.config.ServerConfiguration.Oidc;
import dev.berth.server.oidc.Admission;
import dev.berth.server.oidc.IdTokens;
import dev.berth.server.oidc.Issuer;
import dev.berth.server.oidc.IssuerUnavailableException;
import dev.berth.server.oidc.LoginRefusedException;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Exchanges the word of an identity provider for a token of this server. */
final class LoginService {
  private static final System.Logger LOG = System.getLogger(LoginService.class.getName());

  private final AccessStore store;
  private final AccessChanges changes;
  private final Authenticator authenticator;
  private final RunNames names;
  private final InstantSource clock;
  private final String localUser;
  private final @Nullable Provider provider;

  /** The provider of the server's file, and all that deals with it. */
  private record Provider(Oidc settings, Issuer issuer, IdTokens tokens, Admission admission) {
    static Provider of(Oidc settings, InstantSource clock) {
      Issuer issuer = new Issuer(settings.issuer(), clock);
      return new Provider(
          settings,
          issuer,
          new IdTokens(issuer, settings.clientId(), clock),
          new Admission(settings));
    }
  }

  /**
   * Makes one for a server.
   *
   * @param localUser whose the token of the home folder is
   * @param settings null where there is no identity provider
   */
  LoginService(
      AccessStore store,
      AccessChanges changes,
      Authenticator authenticator,
      RunNames names,
      InstantSource clock,
      String localUser,
      @Nullable Oidc settings) {
    this.store = store;
    this.changes = changes;
    this.authenticator = authenticator;
    this.names = names;
    this.clock = clock;
    this.localUser = localUser;
    this.provider = settings == null ? null : Provider.of(settings, clock);
  }

  /** How one can log in. */
  LoginView ways() {
    Provider known = provider;
    if (known == null) {
      return new LoginView(null);
    }
    Issuer.Endpoints endpoints;
    try {
      endpoints = known.issuer().endpoints();
    } catch (IssuerUnavailableException e) {
      throw unavailable(e);
    }
    return new LoginView(
        new OidcLoginView(
            known.settings().issuer(),
            known.settings().clientId(),
            known.settings().scopes(),
            text(endpoints.deviceAuthorization()),
            text(endpoints.token())));
  }

  private static @Nullable String text(@Nullable URI address) {
    return address == null ? null : address.toString();
  }

  NewTokenView logIn(Call call, OidcLoginRequest request) {
    Provider known = provider;
    if (known == null) {
      throw new ApiException(
          409,
          "this server has no identity provider; ask one of its admins for a token and set it with:"
              + " berth config --token TOKEN");
    }
    if (request.tokenName() != null && !Token.NAME.matcher(request.tokenName()).matches()) {
      throw ApiException.ofField(
          422,
          "field",
          "token_name",
          "it may contain letters, digits and . _ -, and must begin with a letter or digit");
    }
    return issue(call, request, known.settings(), person(call, request, known));
  }

  private Admission.Person person(Call call, OidcLoginRequest request, Provider known) {
    try {
      Admission.Person person = known.admission().admit(known.tokens().claims(request.idToken()));
      if (person.name().equals(localUser) && !person.admin()) {
        // Whoever chooses this name at the provider must not become the server's own admin.
        LOG.log(System.Logger.Level.WARNING, "A login as the server's own user was refused");
        throw notAdmitted();
      }
      return person;
    } catch (IssuerUnavailableException e) {
      throw unavailable(e);
    } catch (LoginRefusedException e) {
      LOG.log(System.Logger.Level.WARNING, "A login was refused: " + e.getMessage());
      throw switch (e.reason()) {
        case TOKEN -> authenticator.failure(call.address(), notAccepted());
        case PERSON -> notAdmitted();
      };
    }
  }

  private NewTokenView issue(
      Call call, OidcLoginRequest request, Oidc settings, Admission.Person person) {
    String secret = Tokens.newSecret();
    String id = names.newTokenId();
    String name = request.tokenName() == null ? "login-" + id.substring(1) : request.tokenName();
    Instant expires = Instant.ofEpochMilli(clock.millis()).plus(settings.tokenLifetime());
    Caller caller =
        new Caller(person.name(), User.Role.USER, Token.Scope.UNLIMITED, Map.of(), null);
    Reply.Accepted accepted =
        changes.send(
            call.as(caller),
            new Message.Access.LogIn(
                person.name(),
                settings.issuer(),
                person.subject(),
                person.admin(),
                settings.createUsers(),
                id,
                name,
                Tokens.sha256(secret),
                expires),
            request);
    Token token =
        store.tokens(person.name()).stream()
            .filter(one -> one.id().equals(accepted.runId()))
            .findFirst()
            .orElseThrow(LoginService::notAccepted);
    // A repeated request gets the token of the first one, whose secret nobody knows here.
    return new NewTokenView(AccessStore.view(token), accepted.runId().equals(id) ? secret : null);
  }

  private static ApiException notAccepted() {
    return new ApiException(
        401,
        "the ID token was rejected; log in again with: berth login. If that does not help, the"
            + " server's log has the reason",
        List.of(),
        Map.of("WWW-Authenticate", "Bearer"));
  }

  private static ApiException notAdmitted() {
    return new ApiException(
        403,
        "the identity provider knows you, but you may not use this server; ask one of its admins"
            + " (the server's log has the reason)");
  }

  private static ApiException unavailable(IssuerUnavailableException e) {
    LOG.log(System.Logger.Level.WARNING, "No login: " + e.getMessage());
    return new ApiException(
        503,
        "the identity provider does not respond as expected; try again later, or use an existing"
            + " token. The server's log has the details",
        List.of(),
        Map.of("Retry-After", "5"));
  }
}
