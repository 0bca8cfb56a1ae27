@NullMarked
package dev.berth.hosts.access;

import org.jspecify.annotations.NullMarked;
