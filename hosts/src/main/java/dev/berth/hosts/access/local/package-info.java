/**
 * The machine of the server itself: {@link dev.berth.hosts.access.local.LocalAccess}. Here the
 * disk, {@code /proc} and the control groups are touched directly, and nowhere else. Backends that
 * run jobs on this machine come in; other rooms know the contract only, but for the tools of GPU
 * vendors, which are looked for here.
 */
@NullMarked
package dev.berth.hosts.access.local;

import org.jspecify.annotations.NullMarked;
