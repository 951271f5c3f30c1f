"""What nSLIP's vectors cannot say."""

from hypothesis import given
from hypothesis import strategies as st

from protocols.nslip.codec import codec

SLOT = st.sampled_from(
    [
        "g=42",
        "g=007",
        "t=1",
        "p=2",
        "sc=10",
        "s=done",
        "s=odd",
        "@=auth_refactor",
        "@=a=b",
        "!=scope",
        "!=a b",
        "!=a%2Cb",
        "x=1",
    ]
)


@given(st.sampled_from(["REQ/TSK", "REJ/PLN"]), st.lists(SLOT, max_size=4))
def test_the_canonical_form_is_what_encode_writes(head: str, slots: list[str]) -> None:
    message = codec.decode(f"{head}|{','.join(slots)}")
    assert message.valid
    assert codec.canonical(message) == codec.encode(message.values)
