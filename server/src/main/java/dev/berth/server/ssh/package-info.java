/** Keys as OpenSSH writes them. */
@NullMarked
package dev.berth.server.ssh;

import org.jspecify.annotations.NullMarked;
