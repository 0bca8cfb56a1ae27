package dev.berth.server;

import dev.berth.model.api.RevealedSecretView;
import dev.berth.model.api.SecretList;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.SecretView;
import java.util.List;

/** The operations about secrets. */
final class SecretRoutes {
  private static final String SECRETS = "/projects/{project}/secrets";

  private SecretRoutes() {}

  static List<Route<?, ?>> of(SecretService secrets) {
    return List.of(
        Route.get(
            Need.MANAGER,
            SECRETS,
            "Lists the secrets of a project, without values.",
            SecretList.class,
            (call, _) -> secrets.list(call)),
        Route.post(
            Need.MANAGER,
            SECRETS,
            "Creates a secret, or changes the value of an existing one.",
            SecretRequest.class,
            SecretView.class,
            200,
            (call, body) -> secrets.put(call, Routes.required(body))),
        Route.get(
            Need.MANAGER,
            SECRETS + "/{secret}",
            "Shows a secret, without its value.",
            SecretView.class,
            (call, _) -> secrets.show(call)),
        Route.post(
                Need.ADMIN,
                SECRETS + "/{secret}/reveal",
                "Shows the value of a secret, and records an event that says who saw it.",
                RevealedSecretView.class,
                (call, _) -> secrets.reveal(call))
            .refusing(422),
        Route.delete(
            Need.MANAGER,
            SECRETS + "/{secret}",
            "Deletes a secret.",
            SecretView.class,
            (call, _) -> secrets.delete(call)));
  }
}
