package dev.berth.control.accounts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.spi.Compute;
import dev.berth.spi.JobRuntime;
import dev.berth.spi.Provisioner;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What stands before an account answers nothing by itself. */
final class AccountComputeTest {
  static Stream<Arguments> wrappers() {
    return Stream.of(
        Arguments.of(Compute.class, AccountCompute.class),
        Arguments.of(Provisioner.class, AccountProvisioner.class),
        Arguments.of(JobRuntime.class, AccountRuntime.class));
  }

  @ParameterizedTest
  @MethodSource("wrappers")
  void everyMethodOfTheContractIsPassedOn(Class<?> contract, Class<?> wrapper) {
    List<Method> missing =
        Arrays.stream(contract.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .filter(method -> !isDeclared(wrapper, method))
            .toList();
    assertThat(missing)
        .as("a default here would hide what the backend does; pass them on in %s", wrapper)
        .isEmpty();
  }

  private static boolean isDeclared(Class<?> wrapper, Method wanted) {
    return Arrays.stream(wrapper.getDeclaredMethods())
        .anyMatch(
            method ->
                method.getName().equals(wanted.getName())
                    && Arrays.equals(method.getParameterTypes(), wanted.getParameterTypes()));
  }
}
