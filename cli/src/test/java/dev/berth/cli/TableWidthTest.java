package dev.berth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.model.api.BackendList;
import dev.berth.model.api.BackendTypeList;
import dev.berth.model.api.BackendTypeView;
import dev.berth.model.api.BackendView;
import dev.berth.model.api.CatalogOfferView;
import dev.berth.model.api.EventView;
import dev.berth.model.api.ExplainView;
import dev.berth.model.api.FleetView;
import dev.berth.model.api.InstanceView;
import dev.berth.model.api.JobUsageView;
import dev.berth.model.api.OfferList;
import dev.berth.model.api.OfferView;
import dev.berth.model.api.RunUsageView;
import dev.berth.model.api.RunView;
import dev.berth.model.api.TokenList;
import dev.berth.model.api.TokenView;
import dev.berth.spi.Trait;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every table with long but realistic values, on a terminal of 80 columns. */
final class TableWidthTest {
  private static final int TERMINAL = 80;
  private static final Instant LATELY = Instant.parse("2026-11-18T07:30:00Z");
  private static final String UUID = "0198c3f2-7b1e-7c54-9d1a-2f6b8e3a4c5d";

  private static String printed(Table table) {
    StringWriter text = new StringWriter();
    table.print(new PrintWriter(text, true), TERMINAL);
    assertThat(text.toString().lines())
        .allSatisfy(line -> assertThat(line.length()).as(line).isLessThanOrEqualTo(TERMINAL));
    return text.toString();
  }

  private static RunView run(String name, String status, String reason, String message) {
    return new RunView(
        UUID,
        name,
        "task",
        "main",
        "admin",
        status,
        reason,
        message,
        137,
        "research-gcp",
        98.3178,
        12.5,
        50,
        4,
        3,
        List.of(),
        null,
        LATELY,
        null);
  }

  @Test
  void runs() {
    assertThat(
            printed(
                RunTable.of(
                    List.of(
                        run("llama-finetune-large-2", "failed", "retry_limit_exceeded", ""),
                        run(
                            "warm",
                            "pending",
                            "",
                            "no offer matches the configuration; run `berth explain warm` to see"
                                + " why")))))
        .contains("NAME", "STATUS", "REASON", "PRIORITY", "llama-finetune-large-2")
        .contains("retry limit", "to see why");
  }

  private static OfferView offer(String backend, String region, String type, String... gpus) {
    return new OfferView(
        backend, region, type, 192, 2_097_152, 8_192_000, List.of(gpus), true, 98.3178, "no_quota");
  }

  @Test
  void plans() {
    assertThat(
            printed(
                PlanTable.table(
                    List.of(
                        offer("azure", "southeastasia", "Standard_ND96isr_H100_v5", "H100", "H100"),
                        offer("local", "local", "machine")))))
        .contains("SPOT", "$98.32/h", "gpu=H100:2", "no quota", "mem=2048GB");
  }

  private static CatalogOfferView catalogOffer(String backend, String type, String region) {
    return new CatalogOfferView(
        backend,
        region,
        null,
        type,
        192,
        "arm",
        24_012,
        new CatalogOfferView.Gpu("nvidia", "RTXPRO6000", 8, 98_304),
        null,
        true,
        98.3178,
        "unknown",
        backend,
        7_612_345,
        true,
        null,
        List.of());
  }

  @Test
  void offers() {
    assertThat(
            printed(
                OfferTable.table(
                    new OfferList(
                        2,
                        List.of(
                            catalogOffer("digitalocean", "Standard_ND96isr_H100_v5", "eu-west-1"),
                            catalogOffer("gcp", "a3-megagpu-8g", "northamerica-northeast1")),
                        null,
                        List.of()))))
        .contains("BACKEND", "TYPE", "REGION", "23.4GB", "$98.32/h ?");
  }

  @Test
  void fleets() {
    FleetView fleet =
        new FleetView(
            UUID,
            "llama-finetune-large-2",
            "main",
            "admin",
            "submitted",
            true,
            "the provider has no capacity for this offer at the moment",
            LATELY,
            new FleetView.Nodes(1, 4, 16, 2, 3, 4, 5),
            196.6356,
            LATELY);
    assertThat(printed(FleetTable.of(List.of(fleet))))
        .contains("(temporary)", "provisioning, 5", "$196.64/h", "next try at");
    InstanceView machine =
        new InstanceView(
            UUID,
            11,
            "lab-11",
            "provisioning",
            "research-gcp",
            "northamerica-northeast1",
            "northamerica-northeast1-b",
            "Standard_ND96isr_H100_v5",
            192,
            2_097_152,
            List.of(),
            true,
            98.3178,
            8,
            3,
            List.of(),
            null,
            null,
            "the machine does not respond",
            LATELY,
            null);
    assertThat(printed(FleetTable.machines(List.of(machine))))
        .contains("provisioning", "$98.32/h", "the machine does not respond");
  }

  @Test
  void usage() {
    JobUsageView job =
        new JobUsageView(
            UUID,
            11,
            "research-gcp",
            LATELY,
            372_512.5,
            191.97,
            891_604_992_000L,
            2_147_483_648_000L,
            List.of(100, 99, 98, 97, 96, 95, 94, 93),
            null);
    assertThat(printed(UsageTable.table(new RunUsageView("train", "running", List.of(job)))))
        .contains("100% 99%", "103 h 28 min", "830GB");
  }

  @Test
  void explanations() {
    List<ExplainView.Rule> rules =
        List.of(
            new ExplainView.Rule(
                "resources.gpu.total_memory",
                "640GB..1280GB",
                1287,
                642,
                "research-gcp/northamerica-northeast1-b/a3-megagpu-8g (spot): 8 × H100 with 80GB"),
            new ExplainView.Rule("max_price", "at most $3.00/h", 30, 6, "cloud/a/b: $31.20/h"));
    assertThat(printed(ExplainCommand.table(rules)))
        .contains("RULED", "CONSTRAINT", "REQUIRED", "CLOSEST", "at most $3.00/h");
  }

  @Test
  void events() {
    EventTable table = new EventTable(new PrintWriter(new StringWriter()));
    EventView submitted =
        new EventView(
            1048576,
            LATELY,
            "run.submitted",
            "run",
            UUID,
            "main",
            "ann.example@berth.example.com",
            Map.of("name", "llama-finetune-large-2", "type", "task"));
    EventView status =
        new EventView(
            1048577,
            LATELY,
            "run.status",
            "run",
            UUID,
            "main",
            "server",
            Map.of("message", "x".repeat(2_500)));
    EventView unnamed =
        new EventView(
            3,
            LATELY,
            "placement_group.ordered",
            "placement_group",
            UUID.replace('0', '1'),
            "main",
            "server",
            Map.of());
    String text = printed(table.table(List.of(submitted, status, unnamed)));
    assertThat(text)
        .startsWith(" SEQ      TIME                  EVENT")
        .contains("NAME", "BY", "type=task", "message=xxx", "…", "1198c3f2")
        .contains("2026-11-18 07:30:00Z");
    assertThat(text.lines().filter(line -> line.contains("llama-fine"))).hasSize(2);
    assertThat(text.length()).isLessThan(1_000);
  }

  @Test
  void backends() {
    List<String> traits = Stream.of(Trait.values()).map(Trait::word).toList();
    BackendTypeView type =
        new BackendTypeView(
            "kubernetes",
            "0.1.0-SNAPSHOT",
            "berth-backend-kubernetes.jar",
            "",
            "machines",
            traits,
            Map.of());
    assertThat(printed(BackendTypesCommand.table(new BackendTypeList(List.of(type), List.of()))))
        .contains("TYPE", "PROVIDES", "instance_volumes", "gpu_metrics");
    BackendView backend =
        new BackendView(
            "research-gcp",
            "kubernetes",
            "failed",
            "the provider rejects the settings: the service account has no access to the project",
            "the server's file",
            Map.of());
    assertThat(printed(BackendListCommand.table(new BackendList(List.of(backend)))))
        .contains("research-gcp", "failed", "has no access");
  }

  @Test
  void tokens() {
    TokenView token =
        new TokenView(
            UUID,
            "laptop-of-ann",
            "ann.example@berth.example.com",
            "main",
            "manager",
            LATELY,
            LATELY);
    assertThat(printed(TokenListCommand.table(new TokenList(List.of(token)))))
        .contains(UUID, "ann", "2026-11-18");
  }
}
