/**
 * Jobs as processes of a machine. Backends use {@link dev.berth.hosts.process.ProcessJobRuntime};
 * no other room does.
 */
@NullMarked
package dev.berth.hosts.process;

import org.jspecify.annotations.NullMarked;
