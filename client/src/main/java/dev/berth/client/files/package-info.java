/** Files of the user's machine on their way to a server: what is taken, packed, and sent. */
@NullMarked
package dev.berth.client.files;

import org.jspecify.annotations.NullMarked;
