package dev.berth.model.api;

import org.jspecify.annotations.Nullable;

/**
 * How one can log in.
 *
 * @param oidc the identity provider; null where one needs a token from an admin
 */
public record LoginView(@Nullable OidcLoginView oidc) {}
