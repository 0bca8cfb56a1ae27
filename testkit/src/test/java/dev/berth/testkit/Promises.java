package dev.berth.testkit;

import java.util.List;

/** What other orchestrators ask of a backend, where it stands here, and which checks meet it. */
final class Promises {
  /**
   * One method or marker of theirs.
   *
   * @param refusals the checks that see it refused; empty where no backend can do without it
   */
  record Row(String theirs, String ours, List<String> uses, List<String> refusals) {}

  static final List<Row> ROWS =
      List.of(
          row(
              "dstack Compute.get_offers",
              "Compute.offers, OfferSource.fetch, Compute.qualify, Compute.ownMachines",
              List.of(
                  "offers-are-told",
                  "offers-are-complete",
                  "qualify-keeps-the-order",
                  "machines-are-described"),
              List.of("qualify-leaves-out-what-cannot-be-had")),
          row(
              "dstack Compute.run_job",
              "JobRuntime.start (containers), Provisioner.create of a Machine (machines)",
              List.of("job-runs-and-ends", "create-makes-it-ready"),
              List.of("job-at-unknown-place-refused", "create-unknown-type-refused")),
          row(
              "dstack Compute.terminate_instance",
              "Provisioner.delete, JobRuntime.remove",
              List.of("delete-takes-it-away", "delete-twice-is-silent", "remove-forgets-a-job"),
              List.of("delete-unknown-is-silent", "remove-twice-is-silent")),
          row(
              "dstack Compute.update_provisioning_data",
              "Provisioner.describe",
              List.of("describe-shows-what-was-made", "describe-ready-machine-has-a-host"),
              List.of("describe-unknown-is-empty")),
          row(
              "dstack ComputeWithAllOffersCached",
              "Offers.Live, Compute.qualify",
              List.of("offers-are-complete", "qualify-keeps-the-order"),
              List.of("qualify-leaves-out-what-cannot-be-had")),
          row(
              "dstack ComputeWithFilteredOffersCached",
              "OfferSource.fetch with a filter",
              List.of("offers-asked-for-are-told"),
              List.of("qualify-leaves-out-what-cannot-be-had")),
          row(
              "dstack ComputeWithCreateInstanceSupport.create_instance",
              "Traits.Base.MACHINES, Provisioner.create of a Machine",
              List.of("create-makes-it-ready", "create-answers-with-what-was-asked"),
              List.of("base-has-its-part", "reuse-refused")),
          row(
              "dstack ComputeWithGroupProvisioningSupport.run_jobs",
              "Trait.GROUPS, Provisioner.create of a Group",
              List.of("group-starts-all-its-jobs", "group-is-made-whole-or-not"),
              List.of("groups-refused")),
          row(
              "dstack ComputeWithGroupProvisioningSupport.terminate_compute_group",
              "Provisioner.delete of a group",
              List.of("group-is-deleted-as-one"),
              List.of("groups-refused")),
          row(
              "dstack ComputeWithPrivilegedSupport",
              "Trait.PRIVILEGED, Container.privileged",
              List.of("privileged-container-runs"),
              List.of("privileged-refused")),
          row(
              "dstack ComputeWithInstanceVolumesSupport",
              "Trait.INSTANCE_VOLUMES, Container.mounts",
              List.of("instance-volumes-are-mounted"),
              List.of("instance-volumes-refused")),
          row(
              "dstack ComputeWithMultinodeSupport",
              "Trait.MULTI_NODE",
              List.of("several-nodes-at-one-place"),
              List.of("several-nodes-refused")),
          row(
              "dstack ComputeWithReservationSupport",
              "Trait.RESERVATIONS, Place.reservation",
              List.of("create-out-of-a-reservation", "unknown-reservation-refused"),
              List.of("reservations-refused")),
          row(
              "dstack ComputeWithPrivateGatewaySupport",
              "Trait.PRIVATE_GATEWAYS, CreateRequest.Gateway.publicAddress",
              List.of("private-gateway-is-made"),
              List.of("private-gateways-refused")),
          row(
              "dstack ComputeWithPlacementGroupSupport.create_placement_group",
              "Provisioner.create of a PlacementGroup",
              List.of("placement-group-is-made-and-deleted"),
              List.of("placement-groups-refused")),
          row(
              "dstack ComputeWithPlacementGroupSupport.delete_placement_group",
              "Provisioner.delete of a placement group",
              List.of("placement-group-is-made-and-deleted", "placement-group-in-use-stays"),
              List.of("placement-groups-refused")),
          row(
              "dstack ComputeWithPlacementGroupSupport.is_suitable_placement_group",
              "PlacementGroups.suits",
              List.of("placement-group-suits-its-place"),
              List.of("placement-groups-refused")),
          row(
              "dstack ComputeWithPlacementGroupSupport.are_placement_groups_compatible_with_"
                  + "reservations",
              "PlacementGroups.allowReservations",
              List.of("placement-group-suits-its-place"),
              List.of("placement-groups-refused")),
          row(
              "dstack ComputeWithGatewaySupport.create_gateway_replica",
              "Provisioner.create of a Gateway",
              List.of("gateway-has-an-address"),
              List.of("gateways-refused")),
          row(
              "dstack ComputeWithGatewaySupport.terminate_gateway_replica",
              "Provisioner.delete of a gateway",
              List.of("gateway-has-an-address"),
              List.of("gateways-refused")),
          row(
              "dstack ComputeWithGatewayLoadBalancerSupport create and terminate",
              "Provisioner.create and delete of a LoadBalancer",
              List.of("load-balancer-takes-gateways", "no-thing-is-left"),
              List.of("load-balancers-refused")),
          row(
              "dstack ComputeWithGatewayLoadBalancerSupport register and deregister",
              "LoadBalancers.register, deregister",
              List.of("load-balancer-takes-gateways", "load-balancer-unknown-gateway-gone"),
              List.of("load-balancers-refused")),
          row(
              "dstack ComputeWithVolumeSupport.register_volume",
              "Volumes.register",
              List.of("volume-of-others-is-registered"),
              List.of("volumes-refused")),
          row(
              "dstack ComputeWithVolumeSupport.create_volume",
              "Provisioner.create of a Volume",
              List.of("volume-is-made-and-deleted", "volume-comes-with-its-machine"),
              List.of("volumes-refused")),
          row(
              "dstack ComputeWithVolumeSupport.delete_volume",
              "Provisioner.delete of a volume",
              List.of("volume-is-made-and-deleted"),
              List.of("volumes-refused")),
          row(
              "dstack ComputeWithVolumeSupport.attach_volume",
              "Volumes.attach",
              List.of(
                  "volume-attach-twice-same-device",
                  "volume-attached-elsewhere-refused",
                  "volume-attach-unknown-gone"),
              List.of("volumes-refused")),
          row(
              "dstack ComputeWithVolumeSupport.detach_volume",
              "Volumes.detach",
              List.of("volume-is-detached", "volume-is-detached-by-force"),
              List.of("volumes-refused")),
          row(
              "dstack ComputeWithVolumeSupport.is_volume_detached",
              "Volumes.isDetached",
              List.of("volume-is-detached", "volume-is-made-and-deleted"),
              List.of("volumes-refused")),
          row(
              "XT constructor",
              "BackendType.open with a BackendContext",
              List.of("config-is-read", "open-says-the-same-twice"),
              List.of("check-refuses-wrong-credentials")),
          row("XT get_name", "BackendType.name", List.of("type-has-a-name"), List.of()),
          row(
              "XT adjust_run_commands",
              "Trait.REWRITING, Rewriting.rewrite",
              List.of(
                  "rewriting-is-pure", "rewriting-keeps-key-share-and-place", "rewritten-job-runs"),
              List.of("rewriting-refused")),
          row(
              "XT submit_job",
              "JobRuntime.start, Provisioner.create of a Group",
              List.of("job-runs-and-ends", "start-twice-runs-once", "group-starts-all-its-jobs"),
              List.of("job-at-unknown-place-refused", "groups-refused")),
          row(
              "XT provides_container_support",
              "Trait.IMAGES",
              List.of("container-runs-an-image"),
              List.of("images-refused")),
          row(
              "XT view_status",
              "JobRuntime.observe, list, describe",
              List.of("observe-keeps-the-order", "jobs-are-listed", "describe-tells-the-status"),
              List.of("observe-unknown-is-absent", "jobs-of-others-are-not-listed")),
          row(
              "XT cancel_runs_by_names",
              "JobRuntime.stop, kill",
              List.of("stop-ends-a-job", "stop-kills-after-the-grace", "kill-ends-a-job-at-once"),
              List.of("stop-unknown-is-silent", "kill-unknown-is-silent")),
          row(
              "XT cancel_runs_by_job, cancel_job",
              "Provisioner.delete of a group, JobRuntime.stop of each job",
              List.of("group-is-deleted-as-one", "stop-ends-a-job"),
              List.of("groups-refused", "stop-unknown-is-silent")),
          row(
              "XT cancel_runs_by_user",
              "JobRuntime.list(owner), then stop; the user is the control plane's",
              List.of("jobs-are-listed", "stop-ends-a-job"),
              List.of("jobs-of-others-are-not-listed")),
          row(
              "XT cancel_node",
              "JobRuntime.stop, Provisioner.delete",
              List.of("stop-ends-a-job", "stop-races-with-the-end", "delete-takes-it-away"),
              List.of("stop-unknown-is-silent", "delete-unknown-is-silent")),
          row(
              "XT get_node_status, get_simple_status",
              "JobRuntime.describe: providerStatus and observation",
              List.of("describe-tells-the-status"),
              List.of("observe-unknown-is-absent")),
          row(
              "XT read_log_file",
              "JobRuntime.read by offset",
              List.of(
                  "logs-hold-all-output",
                  "logs-are-read-by-offset",
                  "logs-come-in-small-pieces",
                  "logs-of-a-running-job"),
              List.of("logs-of-unknown-job-gone")),
          row(
              "XT get_client_cs",
              "Trait.CONNECT, JobRuntime.connect; Trait.EXEC, JobRuntime.exec",
              List.of("connect-reaches-a-port", "exec-gives-output-and-code"),
              List.of("connect-refused", "exec-refused")),
          row(
              "XT get_service_queue_entries",
              "Trait.QUEUE_POSITION, JobQueue.positions",
              List.of("queue-positions-are-of-waiting-jobs"),
              List.of("queue-positions-refused")),
          row(
              "dstack utilization_policy",
              "Trait.GPU_METRICS, GpuMetrics.utilisation",
              List.of("gpu-metrics-are-of-running-jobs", "gpu-metrics-count-each-accelerator"),
              List.of("gpu-metrics-refused")),
          row(
              "dstack metrics",
              "Trait.USAGE, JobRuntime.usage",
              List.of("usage-is-of-running-jobs", "usage-grows"),
              List.of("usage-refused")),
          row(
              "dstack files",
              "Trait.FILES, Archives.open",
              List.of("job-gets-its-files", "job-without-its-files-is-refused"),
              List.of("files-refused")));

  private Promises() {}

  private static Row row(String theirs, String ours, List<String> uses, List<String> refusals) {
    return new Row(theirs, ours, uses, refusals);
  }
}
