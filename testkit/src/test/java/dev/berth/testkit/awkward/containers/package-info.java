/**
 * An awkward cloud of containers and a backend for it: logs are lines, of both streams together and
 * without the end of what has no newline; of a container that ended nothing is left after ten
 * minutes, and of one that was deleted nothing at once; no signals, no commands inside, late lists.
 * An example of how a backend keeps byte-exact output and exit codes all the same: what it starts
 * is not the job but a wrapper, which tells in lines what the job does, and lingers.
 */
@NullMarked
package dev.berth.testkit.awkward.containers;

import org.jspecify.annotations.NullMarked;
