/** Bytes by their content, in a folder or an object store that all servers share. */
@NullMarked
package dev.berth.server.blobs;

import org.jspecify.annotations.NullMarked;
