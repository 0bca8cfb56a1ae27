/**
 * The images of an engine: pulling them, what a job does in one, and deleting those that nobody
 * uses any more. Only {@code container} comes in.
 */
@NullMarked
package dev.berth.hosts.images;

import org.jspecify.annotations.NullMarked;
