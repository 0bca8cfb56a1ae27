/**
 * Jobs as containers of an engine. Backends use {@link dev.berth.hosts.container.DockerRuntime}; no
 * other room does.
 */
@NullMarked
package dev.berth.hosts.container;

import org.jspecify.annotations.NullMarked;
