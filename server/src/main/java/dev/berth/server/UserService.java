package dev.berth.server;

import dev.berth.decisions.Message;
import dev.berth.model.User;
import dev.berth.model.api.UserRequest;
import dev.berth.model.api.UserRoleRequest;
import dev.berth.model.api.UserView;

/** What the API does with users: make, change, delete. */
final class UserService {
  private final AccessStore store;
  private final AccessChanges changes;
  private final String localUser;

  /**
   * Makes one for a server.
   *
   * @param localUser whose the token of the home folder is
   */
  UserService(AccessStore store, AccessChanges changes, String localUser) {
    this.store = store;
    this.changes = changes;
    this.localUser = localUser;
  }

  UserView make(Call call, UserRequest request) {
    AccessWords.requireName(
        User.NAME,
        request.name(),
        "letters, digits and . _ @ -, and must begin with a letter or digit");
    User.Role role =
        request.role() == null
            ? User.Role.USER
            : AccessWords.word(User.Role.class, "role", request.role());
    changes.send(call, new Message.Access.MakeUser(request.name(), role, call.user()), request);
    return AccessStore.view(store.user(request.name()));
  }

  UserView change(Call call, UserRoleRequest request) {
    User user = store.user(call.path("user"));
    User.Role role = AccessWords.word(User.Role.class, "role", request.role());
    requireForeign(user, role == User.Role.ADMIN);
    changes.send(call, new Message.Access.ChangeUser(user.name(), role, call.user()), request);
    return AccessStore.view(store.user(user.name()));
  }

  UserView delete(Call call) {
    User user = store.user(call.path("user"));
    requireForeign(user, false);
    return changes.delete(
        call, new Message.Access.DeleteUser(user.name(), call.user()), AccessStore.view(user));
  }

  private void requireForeign(User user, boolean harmless) {
    if (!harmless && user.name().equals(localUser)) {
      throw new ApiException(
          409, "the user '" + localUser + "' is the server's own and must stay an admin");
    }
  }
}
