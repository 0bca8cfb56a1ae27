/**
 * The one way into any machine that runs jobs: files, commands, processes, control groups and
 * streams of bytes. {@link dev.berth.hosts.access.MachineAccess} is the contract; {@code local}
 * keeps it for the machine of the server. Every other room may use the contract, and only this room
 * and those in it touch a machine in another way. It uses no other room.
 */
@NullMarked
package dev.berth.hosts.access;

import org.jspecify.annotations.NullMarked;
