@NullMarked
package dev.berth.hosts.docker;

import org.jspecify.annotations.NullMarked;
