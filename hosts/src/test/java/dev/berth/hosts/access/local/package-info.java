@NullMarked
package dev.berth.hosts.access.local;

import org.jspecify.annotations.NullMarked;
