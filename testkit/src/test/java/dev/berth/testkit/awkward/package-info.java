/**
 * An awkward cloud of virtual machines and a backend for it: no tokens, one label of 32 characters,
 * lists that are paged and late, machines that are ordered, and disks and addresses to be deleted
 * by themselves. An example of how a fake and a backend are written, and what the kit is tried on.
 */
@NullMarked
package dev.berth.testkit.awkward;

import org.jspecify.annotations.NullMarked;
