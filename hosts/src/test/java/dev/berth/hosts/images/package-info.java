@NullMarked
package dev.berth.hosts.images;

import org.jspecify.annotations.NullMarked;
