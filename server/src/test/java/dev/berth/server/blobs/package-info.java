@NullMarked
package dev.berth.server.blobs;

import org.jspecify.annotations.NullMarked;
