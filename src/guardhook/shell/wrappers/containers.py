"""Commands in a container (SPEC C4): an argument list behind the image, the container or the service.

Both clients end their options at that operand. Not listed, so opaque: `docker-compose`, `nerdctl`, `kubectl`. Without
`--entrypoint`, what the arguments mean to an image's own entry point is unknown: they are read as a command.
"""

from guardhook.shell.options import Grammar
from guardhook.shell.wrappers.rows import Wrapper

_DOCKER = "docker 28.2.2"
_COMPOSE = "docker compose 2 reference"
_PODMAN = "podman 4.3.1, podman 5 reference"

_COMPOSE_VALUES = (
    "--ansi --env-file -f --file --parallel --profile --progress --project-directory -p --project-name --workdir"
)

_DOCKER_OUTER = Grammar("--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey")
_DOCKER_COMPOSE_OUTER = Grammar(
    "--config -c --context -H --host -l --log-level --tlscacert --tlscert --tlskey " + _COMPOSE_VALUES
)
# podman takes its global options behind the subcommand too.
_PODMAN_VALUES = (
    " --cdi-spec-dir --cgroup-manager --cni-config-dir --config -c --connection --conmon --context --cpu-profile"
    " --default-mounts-file --events-backend --hooks-dir -H --host --identity --imagestore --log-level --max-workers"
    " --memory-profile --module --namespace --network-cmd-path --network-config-dir --out --pull-option"
    " --registries-conf --root --runroot --runtime --runtime-flag --ssh --storage-driver --storage-opt --tls-ca"
    " --tls-cert --tls-key --tmpdir --url --volumepath"
)
_PODMAN_OUTER = Grammar(_PODMAN_VALUES)
_PODMAN_COMPOSE_OUTER = Grammar(_PODMAN_VALUES + " " + _COMPOSE_VALUES)

# What `docker run` and `podman run` have in common. `--net`, `--net-alias` and `--dns-opt` are older names.
_RUN_VALUES = (
    "--add-host --annotation -a --attach --blkio-weight --blkio-weight-device --cap-add --cap-drop --cgroup-parent"
    " --cgroupns --cidfile --cpu-period --cpu-quota --cpu-rt-period --cpu-rt-runtime -c --cpu-shares --cpus"
    " --cpuset-cpus --cpuset-mems --detach-keys --device --device-cgroup-rule --device-read-bps --device-read-iops"
    " --device-write-bps --device-write-iops --dns --dns-opt --dns-option --dns-search --entrypoint -e --env"
    " --env-file --expose --gpus --group-add --health-cmd --health-interval --health-retries --health-start-period"
    " --health-timeout -h --hostname --ip --ip6 --ipc --kernel-memory -l --label --label-file --link-local-ip"
    " --log-driver --log-opt --mac-address -m --memory --memory-reservation --memory-swap --memory-swappiness --mount"
    " --name --net --net-alias --network --network-alias --oom-score-adj --pid --pids-limit --platform -p --publish"
    " --pull --restart --runtime --security-opt --shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs"
    " --ulimit -u --user --userns --uts -v --volume --volumes-from -w --workdir "
)
_DOCKER_RUN = Grammar(
    _RUN_VALUES + "--cpu-count --cpu-percent --domainname --health-start-interval --io-maxbandwidth --io-maxiops"
    " --isolation --link --volume-driver"
)
_DOCKER_EXEC = Grammar("--detach-keys -e --env --env-file -u --user -w --workdir")

_PODMAN_RUN = Grammar(
    _RUN_VALUES + "--arch --authfile --cert-dir --cgroup-conf --cgroups --chrootdirs --conmon-pidfile --creds"
    " --decryption-key --env-merge --gidmap --group-entry --health-log-destination --health-max-log-count"
    " --health-max-log-size --health-on-failure --health-startup-cmd --health-startup-interval"
    " --health-startup-retries --health-startup-success --health-startup-timeout --hosts-file --hostuser"
    " --image-volume --init-path --os --passwd-entry --personality --pidfile --pod --pod-id-file"
    " --preserve-fd --preserve-fds --rdt-class --requires --retry --retry-delay --sdnotify --seccomp-policy --secret"
    " --shm-size-systemd --subgidname --subuidname --systemd --timeout --tz --uidmap --umask --unsetenv --variant"
    + _PODMAN_VALUES
)
_PODMAN_EXEC = Grammar(
    "--cidfile --detach-keys -e --env --env-file --preserve-fd --preserve-fds -u --user --wait -w --workdir"
    + _PODMAN_VALUES
)

_COMPOSE_RUN = Grammar(
    "--cap-add --cap-drop --entrypoint -e --env --env-from-file -l --label --name -p --publish --pull -u --user -v"
    " --volume -w --workdir"
)
_COMPOSE_EXEC = Grammar("-e --env --index -u --user -w --workdir")


def _row(name: str, path: str, outer: Grammar, grammar: Grammar, manual: str) -> Wrapper:
    return Wrapper(
        name,
        grammar,
        path=path,
        outer=outer,
        skip=1,
        instead="-l --latest --cidfile" if name == "podman" and path.endswith("exec") else "",
        entry="--entrypoint" if path.endswith("run") else "",
        idle="--help",
        remote=True,
        manual=manual,
    )


ROWS = (
    _row("docker", "run", _DOCKER_OUTER, _DOCKER_RUN, _DOCKER),
    _row("docker", "exec", _DOCKER_OUTER, _DOCKER_EXEC, _DOCKER),
    _row("docker", "container run", _DOCKER_OUTER, _DOCKER_RUN, _DOCKER),
    _row("docker", "container exec", _DOCKER_OUTER, _DOCKER_EXEC, _DOCKER),
    _row("docker", "compose run", _DOCKER_COMPOSE_OUTER, _COMPOSE_RUN, _COMPOSE),
    _row("docker", "compose exec", _DOCKER_COMPOSE_OUTER, _COMPOSE_EXEC, _COMPOSE),
    _row("podman", "run", _PODMAN_OUTER, _PODMAN_RUN, _PODMAN),
    _row("podman", "exec", _PODMAN_OUTER, _PODMAN_EXEC, _PODMAN),
    _row("podman", "container run", _PODMAN_OUTER, _PODMAN_RUN, _PODMAN),
    _row("podman", "container exec", _PODMAN_OUTER, _PODMAN_EXEC, _PODMAN),
    _row("podman", "compose run", _PODMAN_COMPOSE_OUTER, _COMPOSE_RUN, _COMPOSE),
    _row("podman", "compose exec", _PODMAN_COMPOSE_OUTER, _COMPOSE_EXEC, _COMPOSE),
)
