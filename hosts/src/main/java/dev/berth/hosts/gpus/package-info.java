/**
 * The accelerators of this machine: which there are and how busy they are, by the tools of their
 * vendors, and how jobs are told which of them are theirs. Reading what a tool prints is pure;
 * {@link dev.berth.hosts.gpus.GpuInventory} is the one class that runs them.
 */
@NullMarked
package dev.berth.hosts.gpus;

import org.jspecify.annotations.NullMarked;
