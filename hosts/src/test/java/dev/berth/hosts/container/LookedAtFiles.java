package dev.berth.hosts.container;

import dev.berth.hosts.access.MachineFiles;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/** Files of a machine on which something happens just before they are first looked at. */
final class LookedAtFiles {
  private LookedAtFiles() {}

  static MachineFiles before(MachineFiles files, Runnable event) {
    AtomicBoolean looked = new AtomicBoolean();
    return (MachineFiles)
        Proxy.newProxyInstance(
            LookedAtFiles.class.getClassLoader(),
            new Class<?>[] {MachineFiles.class},
            (_, method, arguments) -> {
              if (method.getName().equals("look") && looked.compareAndSet(false, true)) {
                event.run();
              }
              try {
                return method.invoke(files, arguments);
              } catch (InvocationTargetException failure) {
                throw failure.getCause();
              }
            });
  }
}
