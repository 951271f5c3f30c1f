import resource
import subprocess
import sys

from playground.server.launch import descriptors


def test_a_low_limit_is_raised() -> None:
    source = (
        "import resource; from playground.server.launch import descriptors;"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 512));"
        "print(descriptors.raise_limit(), resource.getrlimit(resource.RLIMIT_NOFILE))"
    )

    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True
    )

    assert done.stdout == "512 (512, 512)\n"


def test_connections_leave_room_for_files() -> None:
    assert descriptors.connections(1_024) == 768
    assert descriptors.connections(100) == 50
    assert (
        descriptors.connections(descriptors.raise_limit())
        < resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    )
