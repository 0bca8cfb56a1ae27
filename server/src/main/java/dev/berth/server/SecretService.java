package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.model.Member;
import dev.berth.model.StoredSecret;
import dev.berth.model.api.RevealedSecretView;
import dev.berth.model.api.SecretList;
import dev.berth.model.api.SecretRequest;
import dev.berth.model.api.SecretView;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What the API does with secrets. */
final class SecretService {
  private final SecretStore store;
  private final MessageSender sender;
  private final Keyring keys;
  private final boolean managersMay;

  /**
   * Makes one for a server.
   *
   * @param managersMay whether managers of a project may look after its secrets
   */
  SecretService(SecretStore store, MessageSender sender, Keyring keys, boolean managersMay) {
    this.store = store;
    this.sender = sender;
    this.keys = keys;
    this.managersMay = managersMay;
  }

  SecretList list(Call call) {
    requireAllowed(call);
    return store.list(call.path("project"));
  }

  SecretView show(Call call) {
    requireAllowed(call);
    return SecretStore.view(store.require(call.path("project"), call.path("secret")));
  }

  SecretView put(Call call, SecretRequest request) {
    requireAllowed(call);
    String project = call.path("project");
    AccessWords.requireName(
        StoredSecret.NAME, request.name(), "1 to 200 letters, digits, dashes and underscores");
    requireValue(request.value());
    sender.send(
        call,
        new Message.Access.PutSecret(
            project,
            request.name(),
            store.sealed(project, request.name(), request.value()),
            call.user()),
        // What is kept of the request must not be a hash that values can be tried against.
        Map.of("name", request.name(), "value", keys.fingerprint(request.value())));
    return SecretStore.view(store.require(project, request.name()));
  }

  private static void requireValue(String value) {
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes == 0 || bytes > StoredSecret.LONGEST_VALUE || value.indexOf('\0') >= 0) {
      throw ApiException.ofField(
          422,
          "field",
          "value",
          "it takes 1 to " + StoredSecret.LONGEST_VALUE + " bytes of text without NUL");
    }
  }

  /** Shows a value, after it was written down who sees it. */
  RevealedSecretView reveal(Call call) {
    String project = call.path("project");
    StoredSecret secret = store.require(project, call.path("secret"));
    // A key must not show the value again without an event, which may be a newer value.
    sender.sendAlways(call, new Message.Access.RevealSecret(project, secret.name(), call.user()));
    return new RevealedSecretView(secret.project(), secret.name(), store.open(secret).reveal());
  }

  SecretView delete(Call call) {
    requireAllowed(call);
    StoredSecret secret = store.require(call.path("project"), call.path("secret"));
    return sender.delete(
        call,
        new Message.Access.DeleteSecret(secret.project(), secret.name(), call.user()),
        SecretStore.view(secret));
  }

  private void requireAllowed(Call call) {
    String project = call.path("project");
    boolean admin =
        call.caller().roleIn(project).filter(role -> role.covers(Member.Role.ADMIN)).isPresent();
    if (!admin && !managersMay) {
      throw new ApiException(
          403,
          "this needs the role admin in the project '"
              + project
              + "': the server's file does not let managers manage secrets"
              + " (default_permissions.allow_managers_manage_secrets)");
    }
  }
}
