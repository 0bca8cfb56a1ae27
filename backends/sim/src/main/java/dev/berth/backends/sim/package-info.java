/** The backend {@code sim}: a cloud that exists only in this process, to rehearse and test with. */
@NullMarked
package dev.berth.backends.sim;

import org.jspecify.annotations.NullMarked;
