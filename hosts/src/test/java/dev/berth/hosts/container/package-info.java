@NullMarked
package dev.berth.hosts.container;

import org.jspecify.annotations.NullMarked;
