package dev.berth.decisions;

import dev.berth.model.Token;
import dev.berth.model.User;
import java.time.Instant;
import java.util.Map;

/** People come by their identity provider, whose word for who they are was checked before. */
final class Login {
  private Login() {}

  static Reply decide(Draft draft, Message.Access.LogIn login, Instant now) {
    User known = draft.find(User.class, login.user()).orElse(null);
    boolean welcome = known == null ? login.create() : known.present();
    if (!welcome || login.user().equals(Event.SERVER)) {
      // An admin deleted the user on purpose, so only an admin brings the user back.
      return new Reply.Refused(Reply.Code.NOT_ALLOWED, notWelcome(login.user()));
    }
    User.Identity person = new User.Identity(login.issuer(), login.subject());
    if (known != null && known.isSomebodyElse(person)) {
      return new Reply.Refused(Reply.Code.NOT_ALLOWED, somebodyElse(login.user()));
    }
    Message.Access.IssueToken issue =
        new Message.Access.IssueToken(
            login.tokenId(),
            login.user(),
            login.tokenName(),
            login.sha256(),
            Token.Scope.UNLIMITED,
            login.expiresAt(),
            login.user());
    // Before anything is changed: a refusal must leave no trace.
    Reply.Refused taken = TokenLife.nameTaken(draft, issue).orElse(null);
    if (taken != null) {
      return taken;
    }
    UserLife.ensure(
        draft,
        known,
        login.user(),
        login.admin() ? User.Role.ADMIN : User.Role.USER,
        Map.of("issuer", login.issuer()),
        now);
    draft
        .find(User.class, login.user())
        .filter(user -> !person.equals(user.identity()))
        .map(user -> user.knownAs(person))
        .ifPresent(draft::put);
    return TokenLife.issue(draft, issue, now);
  }

  /** Mail addresses and names are given to others when people leave. */
  private static String somebodyElse(String user) {
    return "according to the identity provider you are not the person who logged in as '"
        + user
        + "' before; if the name is yours, ask an admin of this server to run: berth user"
        + " delete "
        + user
        + ", and then: berth user create "
        + user;
  }

  /** The sentence for all who may not, so that nobody learns why. */
  private static String notWelcome(String user) {
    return "you are not a user of this server; ask one of its admins to run: berth user create "
        + user;
  }
}
