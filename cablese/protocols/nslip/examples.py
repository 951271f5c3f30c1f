"""One wire or conversation for each rule, with no other diagnostic where possible."""

EXAMPLES = {
    "nslip.unknown-act": "RJE/PLN|g=42,t=1,!=scope_too_large",
    "nslip.unknown-frame": "REQ/TSX|g=42,t=1",
    "nslip.missing-bar": "REQ/TSK g=42,t=1",
    "nslip.extra-bar": "REQ/TSK|g=42|t=1",
    "nslip.missing-slash": "REQTSK|g=42,t=1",
    "nslip.several-lines": "REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1",
    "nslip.slot-without-equals": "REQ/TSK|g=42,urgent",
    "nslip.slot-without-name": "REQ/TSK|=42",
    "nslip.not-an-integer": "REQ/TSK|g=auth",
    "nslip.out-of-range": "EVL/EVL|g=42,t=1,sc=11",
    "nslip.leading-zero": "ACC/PLN|g=42,t=01",
    "nslip.unknown-slot": "REQ/TSK|g=42,due=monday",
    "nslip.repeated-slot": "REQ/TSK|g=42,t=1,t=2",
    "nslip.blank": "REQ/TSK|g=42, t=1",
    "nslip.empty-text": "REQ/TSK|g=42,t=1,@=",
    "nslip.reject-without-reason": "REJ/PLN|g=42,t=1",
    "nslip.unknown-status": "INF/OBS|g=42,t=1,s=snoozed",
    "nslip.out-of-order": "REQ/TSK|g=42,t=1\nINF/OBS|g=42,t=1,r=1,s=done",
    "nslip.changed-decision": "REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1\n"
    "ACC/PLN|g=42,t=1\nREJ/PLN|g=42,t=1,!=too_large",
    "nslip.no-request": "PRO/PLN|g=42,t=1\nACC/PLN|g=42,t=1",
    "nslip.new-round": "REQ/TSK|g=42,t=1\nPRO/PLN|g=42,t=1\nACC/PLN|g=42,t=1\n"
    "INF/OBS|g=42,t=1,s=done\nEVL/EVL|g=42,t=1,sc=4\nPRO/PLN|g=42,t=1",
}
