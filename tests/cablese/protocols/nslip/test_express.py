"""The frame that a message of another protocol gets, where its topic is none of nSLIP."""

import pytest

from cablese.translation.translate import translate_text


@pytest.mark.parametrize(
    ("wire", "head"),
    [
        ("SLIP v3 a b Request Generic x", "REQ/TSK"),
        ("SLIP v3 a b Ask Generic x", "QRY/TSK"),
        ("SLIP v3 a b Propose Generic x", "PRO/PLN"),
        ("SLIP v3 a b Accept Generic x", "ACC/PLN"),
        ("SLIP v3 a b Reject Generic x", "REJ/PLN"),
        ("SLIP v3 a b Eval Generic x", "EVL/EVL"),
        ("SLIP v3 a b Inform Generic x", "INF/OBS"),
        ("SLIP v3 a b Error Generic x", "INF/ERR"),
        ("T|1|C|obj=door", "REQ/TSK"),
        ("T|1|A|res=open", "INF/OBS"),
        ('{"status":"VALID","reply_to":"m1"}', "CFM/TSK"),
    ],
)
def test_the_frame_follows_the_act(wire: str, head: str) -> None:
    assert str(translate_text(wire, "nslip").wire).partition("|")[0] == head
