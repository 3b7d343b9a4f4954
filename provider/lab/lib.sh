# Sourced by the scripts of the lab, on the host and in the VM: where things are, and how to wait for them.
# shellcheck shell=bash

LAB=${LAB:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/panama-verbs/lab}
PLATFORMS='debian12-amd64 debian13-amd64 debian13-arm64'
LAB_PLATFORM=${LAB_PLATFORM:-debian12-amd64}
NOT_HERE=77                # exit status of every script: the lab is not possible on this machine, the reason is on stderr

# The head comment of the running script is its help.
help() { sed -n '2,/^[^#]/{ s/^# \{0,1\}//p }' "$0"; }
# For a wrong command line, before anything else is done: the first line of the usage, then what is wrong, which is to be seen last.
usage_error() {
    { sed -n '/^# usage: /{ s/^# //p; q }' "$0"; printf '%s\n' "$0 --help explains it" "${0##*/}: $*"; } >&2
    exit 2
}
# needs_value "$@", needs_number "$@": of an option with what follows it.
needs_value() { [ -n "${2-}" ] || usage_error "$1 needs a value"; }
needs_number() { [[ ${2-} =~ ^[1-9][0-9]{0,8}$ ]] || usage_error "$1 needs a number from 1"; }
not_here() { echo "lab not possible here: $*" >&2; exit "$NOT_HERE"; }

# Sets what depends on the platform of $LAB_PLATFORM, a release of Debian on one of its architectures:
#   at, arch, vm_root, vm_jdk          where it lies in $LAB, Debian's name of the processor, / of the VM and its JDK; vm_jdk is
#                                      empty where / is the host's
#   qemu, machine, processor, console  how QEMU emulates it
#   patience                           by how much its limits of time exceed those of the default; LAB_PATIENCE, if set
# shellcheck disable=SC2034 # for the scripts that source this
platform() {
    case " $PLATFORMS " in *" $LAB_PLATFORM "*) ;; *) usage_error "unknown platform $LAB_PLATFORM: one of $PLATFORMS" ;; esac
    export LAB_PLATFORM
    arch=${LAB_PLATFORM#*-} at=$LAB/$LAB_PLATFORM patience=1
    vm_root=$at/root vm_jdk=/usr/lib/jvm/java-25-openjdk-$arch
    # The default is older than the others: its / is the host's, and its files lie in $LAB itself.
    if [ "$LAB_PLATFORM" = debian12-amd64 ]; then at=$LAB vm_root=/ vm_jdk=''; fi
    case $arch in
        amd64) qemu=qemu-system-x86_64 machine=pc processor=max console=ttyS0 ;;
        # Pointer authentication as the standard computes it, and vectors of any length, cost an emulation a lot.
        arm64) qemu=qemu-system-aarch64 machine=virt,gic-version=3 processor=max,pauth-impdef=on,sve=off console=ttyAMA0 patience=3 ;;
    esac
    patience=${LAB_PATIENCE:-$patience}
}

# Prints what an rping ended with that gave status $1 and the errors in file $2. Without rdma-core's commit f3ae6534a of July 2025 it
# may destroy its event channel, behind the disconnect, while a thread of its own is about to read from that, and ends by it though
# all went well: that counts as 0, and what it printed before is compared as ever.
rping_status() {
    if [ "$1" -eq 255 ] && [ "$(tail -n 1 "$2")" = 'rdma_get_cm_event: Bad file descriptor' ]; then echo 0; else echo "$1"; fi
}

# For what is made for the default alone: refuses another one, which $LAB_PLATFORM may name.
default_platform() {
    [ "$LAB_PLATFORM" = debian12-amd64 ] || usage_error "made for debian12-amd64 alone, and LAB_PLATFORM is $LAB_PLATFORM"
    platform
}

# The feature release of the JDK in directory $1, from its release file; nothing where there is no compiler.
jdk_release() { [ ! -x "$1/bin/javac" ] || sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null; }

# Prints a JDK of at least release 22: JAVA_HOME if it is one, else the newest below /usr/lib/jvm.
find_jdk() {
    local dir release best='' newest=21
    release=$(jdk_release "${JAVA_HOME:-/nonexistent}")
    if [ "${release:-0}" -gt 21 ]; then echo "$JAVA_HOME"; return; fi
    for dir in /usr/lib/jvm/*/; do
        release=$(jdk_release "${dir%/}")
        if [ "${release:-0}" -gt "$newest" ]; then newest=$release best=${dir%/}; fi
    done
    if [ -z "$best" ]; then
        echo "no JDK 22 or later: JAVA_HOME is '${JAVA_HOME:-}', /usr/lib/jvm has none" >&2
        return 1
    fi
    echo "$best"
}

# up_to_date SOURCES BUILT: ends the script, with what to do, where a file below SOURCES is newer than all of BUILT, a directory or a
# file. VERBS_REBUILD=0 takes what is built, whatever has changed since, as it does for ./verbs.
up_to_date() {
    local newest changed
    [ "${VERBS_REBUILD:-}" != 0 ] || return 0
    newest=$(find "$2" -type f -printf '%T@ %p\n' | sort -n | tail -n 1)
    changed=$(find "$1" -type f -newer "${newest#* }" -print -quit)
    [ -n "$changed" ] || return 0
    echo "$changed is newer than $2: run mvn -DskipTests package first, or set VERBS_REBUILD=0 to take what is built" >&2
    echo '0 passed, 1 failed'
    exit 1
}

# Prints the commit of the checkout $root, with a + where git status, asked with $@, tells of a change.
# shellcheck disable=SC2154 # $root is that of the script that sources this
commit() {
    local commit changed
    commit=$(git -C "$root" rev-parse --short=8 HEAD 2>/dev/null) || { echo 'not known'; return; }
    changed=$(git -C "$root" status --porcelain "$@")
    echo "$commit${changed:++}"
}

# Prints $1 TCP ports of 127.0.0.1 that were free a moment ago, all different.
free_ports() {
    python3 -c 'import socket, sys
held = [socket.create_server(("127.0.0.1", 0)) for _ in range(int(sys.argv[1]))]
print(*(s.getsockname()[1] for s in held))' "$1"
}

# Is somebody listening on TCP port $1? Asks the kernel: a probing connection would be taken for a peer.
listening() {
    local hex; hex=$(printf ':%04X' "$1")
    awk -v port="$hex" '$4 == "0A" && substr($2, length($2) - 4) == port { found = 1 } END { exit !found }' \
        /proc/net/tcp /proc/net/tcp6 2>/dev/null
}

# Does RDMA device $1 take connections on port $2? For siw the TCP socket must be there: the connection manager shows a
# listener before it has one. RoCE has no socket, and a listener of another device says nothing.
takes_connections() {
    case $1 in
        siw*) listening "$2" ;;
        *) rdma resource show cm_id 2>/dev/null | grep -q "^link $1/.* state LISTEN .*src-addr [^ ]*:$2 " ;;
    esac
}

# await SECONDS PID COMMAND...: until the command succeeds; fails when PID has ended or the time is over. Asks every $nap seconds,
# 0.05 unless set: in the VM each asking takes time that a JVM that starts has not.
await() {
    local until=$((SECONDS + $1)) pid=$2; shift 2
    while ! "$@"; do
        if [ "$SECONDS" -ge "$until" ] || ! kill -0 "$pid" 2>/dev/null; then "$@"; return; fi
        sleep "${nap:-0.05}"
    done
}

# capture_start FILE FILTER: captures the loopback with dumpcap or tcpdump, returns when the capture runs; sets capture_pid.
# Fails, with the reason on stderr, where there is no such tool or it may not capture.
capture_start() {
    local file=$1 filter=$2 log=$1.log ready
    if command -v dumpcap >/dev/null; then
        ready='^File: '
        dumpcap -q -i lo -B 64 -P -w "$file" -f "$filter" >"$log" 2>&1 &
    elif command -v tcpdump >/dev/null; then
        ready='listening on '
        tcpdump -i lo -B 65536 -s 0 -U -w "$file" "$filter" >"$log" 2>&1 &
    else
        echo 'no capture: neither dumpcap nor tcpdump is installed' >&2
        return 1
    fi
    capture_pid=$!
    await 10 "$capture_pid" grep -qs "$ready" "$log" && return
    echo "no capture: $(cat "$log")" >&2
    kill "$capture_pid" 2>/dev/null || true
    return 1
}

# Ends the capture once its file has not grown for half a second: packets reach the file a little late.
capture_stop() {
    local file=$1 before=-1 size quiet=0
    while [ "$quiet" -lt 5 ]; do
        size=$(stat -c %s "$file" 2>/dev/null || echo 0)
        if [ "$size" = "$before" ]; then quiet=$((quiet + 1)); else quiet=0; fi
        before=$size
        sleep 0.1
    done
    kill -INT "$capture_pid" 2>/dev/null || true
    wait "$capture_pid" || true
}

seconds_since() { awk -v from="$1" -v to="$EPOCHREALTIME" 'BEGIN { printf "%.1f", to - from }'; }
