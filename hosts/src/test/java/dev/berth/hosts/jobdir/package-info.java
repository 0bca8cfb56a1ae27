@NullMarked
package dev.berth.hosts.jobdir;

import org.jspecify.annotations.NullMarked;
