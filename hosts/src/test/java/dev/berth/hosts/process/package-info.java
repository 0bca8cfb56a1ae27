@NullMarked
package dev.berth.hosts.process;

import org.jspecify.annotations.NullMarked;
