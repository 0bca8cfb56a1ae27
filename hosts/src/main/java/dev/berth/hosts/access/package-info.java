/**
 * What a machine gives to the jobs on it: its commands, processes and control groups. Every other
 * room may use it; it uses none of them.
 */
@NullMarked
package dev.berth.hosts.access;

import org.jspecify.annotations.NullMarked;
