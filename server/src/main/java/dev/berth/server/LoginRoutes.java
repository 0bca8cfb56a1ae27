package dev.berth.server;

import dev.berth.model.api.LoginView;
import dev.berth.model.api.NewTokenView;
import dev.berth.model.api.OidcLoginRequest;
import dev.berth.model.api.TokenView;
import java.util.List;

/** The operations of coming and going. */
final class LoginRoutes {
  private LoginRoutes() {}

  static List<Route<?, ?>> of(LoginService logins, TokenService tokens) {
    return List.of(
        Route.get(
                Need.NOTHING,
                "/login",
                "Tells whether users can log in with an identity provider, and how.",
                LoginView.class,
                (_, _) -> logins.ways())
            .refusing(502),
        Route.post(
                Need.NOTHING,
                "/login/oidc",
                "Exchanges an ID token for an expiring token, whose secret is shown only once.",
                OidcLoginRequest.class,
                NewTokenView.class,
                201,
                (call, body) -> logins.logIn(call, Routes.required(body)))
            .refusing(401, 403, 404, 409, 422, 502),
        Route.post(
            Need.TOKEN,
            "/logout",
            "Revokes the token that the request is sent with.",
            TokenView.class,
            (call, _) -> tokens.end(call)));
  }
}
