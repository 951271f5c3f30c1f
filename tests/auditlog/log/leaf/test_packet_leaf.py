"""The leaf of a packet is canonical and small."""

import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from auditlog.log import leaf

SPELLED = st.binary(min_size=32, max_size=32).map(leaf.spell)


@given(
    commit=st.fixed_dictionaries(
        dict.fromkeys(("by", "index", "raw", "reading"), SPELLED), optional={"event": SPELLED}
    ),
    dialect=st.sampled_from(["nslip/1", "unknown"]),
    source=st.integers(1, 2**53 - 1),
)
def test_it_is_canonical_json(commit: dict[str, str], dialect: str, source: int) -> None:
    written = leaf.format_packet(
        commit=leaf.canonical(commit),
        log="night-run",
        dialect=dialect,
        received="2026-11-20T10:00:01.000250Z",
        source=source,
    )
    assert written == rfc8785.dumps(
        {
            "v": 2,
            "kind": "packet",
            "log": "night-run",
            "recv": "2026-11-20T10:00:01.000250Z",
            "proto": dialect,
            "src": source,
            "commit": commit,
        }
    )
    assert len(written) <= 512
