/** The backend {@code local}: jobs as processes of the machine that the server runs on. */
@NullMarked
package dev.berth.backends.local;

import org.jspecify.annotations.NullMarked;
