"""Says what dstack makes of files: YAML text as one JSON string per line in, one JSON object per line out.

A file is judged by everything that `dstack apply` checks before it asks a cloud: the parser, the references that the
client fills in, and the server's checks of the file alone. The answer is {"config": ...}, with the names and units of
Berth's normalised form, or {"refused": "..."}. Nothing is read from disk and nothing is sent anywhere.
"""

import argparse
import importlib.metadata
import json
import math
import os
import sys
from types import SimpleNamespace

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import yaml
from dstack._internal.core.backends import features
from dstack._internal.core.models.backends.base import BackendType

# dstack counts only the backends whose SDKs are installed. Here a file is judged, not an installation.
for feature in ("GATEWAY", "PRIVATE_GATEWAY", "VOLUMES"):
    setattr(features, f"BACKENDS_WITH_{feature}_SUPPORT", list(BackendType))

from dstack._internal.cli.services.configurators import run as client
from dstack._internal.core.models.configurations import parse_apply_configuration
from dstack._internal.core.models.fleets import FleetSpec
from dstack._internal.core.models.instances import SSHKey
from dstack._internal.core.models.profiles import Profile, ProfilesConfig
from dstack._internal.core.models.runs import RunSpec
from dstack._internal.server.services import backends, fleets, gateways, volumes
from dstack._internal.server.services.config import ServerConfig
from dstack._internal.server.services.runs.spec import validate_run_spec_and_set_defaults

backends.check_backend_type_available = gateways.check_backend_type_available = lambda backend: None
fleets._validate_ssh_key = lambda key: None

CONFIGURATORS = {
    "task": client.TaskConfigurator,
    "service": client.ServiceConfigurator,
    "dev-environment": client.BaseRunConfigurator,
}
SIZES = {"memory", "total_memory", "shm_size", "size"}
LIMITS = {"max_duration", "stop_duration", "idle_duration", "auto_cleanup_duration"}
AS_WRITTEN = {"tags", "backends", "backend_options"}
WITHOUT_EFFECT = {"home_dir", "setup", "ssh_key"}


def judge(text):
    data = yaml.safe_load(text)
    if isinstance(data, dict) and "type" not in data:
        if "profiles" in data:
            return judge_profiles(data)
        return ServerConfig.model_validate(data)
    config = parse_apply_configuration(data)
    if config.type in CONFIGURATORS:
        judge_run(config)
    elif config.type == "fleet":
        judge_fleet(config)
    elif config.type == "gateway":
        gateways._validate_gateway_configuration(config)
    elif config.type == "volume":
        volumes._validate_volume_configuration(config)
    return parse_apply_configuration(data)


def judge_profiles(data):
    profiles = ProfilesConfig.model_validate(data)
    for profile in profiles.profiles:
        run = parse_apply_configuration({"type": "task", "commands": ["true"]})
        judge_run(run, profile)
    return profiles


def judge_run(config, profile=None):
    configurator = CONFIGURATORS[config.type](api_client=None)
    # The client would ask its own environment for variables without a value.
    for name in config.env:
        if not isinstance(config.env[name], str):
            config.env[name] = "value"
    configurator.interpolate_env(config)
    if config.type != "dev-environment":
        for group in [config] + (config.groups or []):
            configurator._interpolate_commands(group.commands, argparse.Namespace(run_args=["a"]))
    spec = RunSpec(run_name=config.name, configuration=config, profile=profile or Profile(), ssh_key_pub="key")
    validate_run_spec_and_set_defaults(SimpleNamespace(ssh_public_key=None), spec)


def judge_fleet(config):
    ssh = config.ssh_config
    if ssh is not None:
        # The client reads these files.
        for place in [ssh] + [host for host in ssh.hosts if not isinstance(host, str)]:
            if place.identity_file is not None:
                place.ssh_key = SSHKey(public="", private="key")
    fleets._validate_fleet_spec_and_set_defaults(FleetSpec(configuration=config, profile=Profile()))


def normal(value, name=""):
    """The names and units of Berth's normalised form."""
    if name in SIZES and value is not None and not isinstance(value, str):
        return mebibytes(value)
    if name in LIMITS and (value == "off" or (isinstance(value, int) and value < 0)):
        return "off"
    if name in AS_WRITTEN:
        return value
    if name == "disk" and value is None:
        return {"size_mib": {"min": 0, "max": None}}
    if name == "env":
        return {key: item if isinstance(item, str) else None for key, item in value.items()}
    if name == "retry" and value is not None:
        return retry({} if value is True else value)
    if name == "router" and value is not None:
        return {"type": {"sglang": "smg"}.get(value["type"], value["type"])}
    if name == "nodes" and isinstance(value, dict):
        return {"target": value["min"], **value}
    if name == "gpu" and value is not None and value["name"] is None:
        value = {**value, "name": []}
    if name == "compute_capability" and isinstance(value, (list, tuple)):
        return ".".join(str(part) for part in value)
    if name == "hosts":
        value = [{"hostname": host} if isinstance(host, str) else host for host in value]
    if isinstance(value, dict) and "path" in value and isinstance(value.get("name"), list) and len(value["name"]) == 1:
        value = {**value, "name": value["name"][0]}
    if isinstance(value, dict):
        return {
            renamed(key, item): normal(item, key) for key, item in value.items() if key not in WITHOUT_EFFECT
        }
    if isinstance(value, list):
        return [normal(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def retry(policy):
    if policy is False:
        return "off"
    return {
        "on_events": policy.get("on_events") or ["no-capacity", "interruption", "error"],
        "duration": 3600 if policy.get("duration") is None else policy["duration"],
    }


def mebibytes(size):
    if isinstance(size, dict):
        return {end: None if bound is None else mebibytes(bound) for end, bound in size.items()}
    return round(size * 1024) if math.isfinite(size) else str(size)


def renamed(name, value):
    if name in SIZES and not isinstance(value, str):
        return name + "_mib"
    return {"local_port": "local", "container_port": "container"}.get(name, name)


version = importlib.metadata.version("dstack")
print(json.dumps({"version": version}), file=answers, flush=True)
for line in sys.stdin:
    try:
        answer = {"config": normal(judge(json.loads(line)).model_dump(mode="json"))}
    except Exception as refusal:
        answer = {"refused": f"{type(refusal).__name__}: {refusal}"}
    print(json.dumps(answer), file=answers, flush=True)
