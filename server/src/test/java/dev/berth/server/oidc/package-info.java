@NullMarked
package dev.berth.server.oidc;

import org.jspecify.annotations.NullMarked;
