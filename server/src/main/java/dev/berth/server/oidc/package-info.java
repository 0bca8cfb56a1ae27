/** Finds out who somebody is by the word of an identity provider (OpenID Connect). */
@NullMarked
package dev.berth.server.oidc;

import org.jspecify.annotations.NullMarked;
