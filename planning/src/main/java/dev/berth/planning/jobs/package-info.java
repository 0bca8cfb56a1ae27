/**
 * What planners of all kinds share: jobs, containers and requirements made of the fields that all
 * runs have.
 */
@NullMarked
package dev.berth.planning.jobs;

import org.jspecify.annotations.NullMarked;
