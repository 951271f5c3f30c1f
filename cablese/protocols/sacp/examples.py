"""Show each rule of SACP with a wire that breaks it, and no other rule where possible."""

EXAMPLES = {
    "sacp.syntax": "{'g':'FIND_HOTEL','plan':[['search','H_API',{}]]}",
    "sacp.repeated-key": '{"g":"FIND_HOTEL","g":"FIND_CAR","plan":[["search","H_API",{}]]}',
    "sacp.too-deep": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"ctx":{"a":'
    + "[" * 63
    + "]" * 63
    + "}}",
    "sacp.number-range": '{"g":"FIND_HOTEL","plan":[["search","H_API",{"p_max":1e999}]]}',
    "sacp.not-an-object": '[["search","H_API",{}]]',
    "sacp.unknown-key": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"mood":"calm"}',
    "sacp.missing-field": '{"g":"FIND_HOTEL"}',
    "sacp.bad-goal": '{"g":5,"plan":[["search","H_API",{}]]}',
    "sacp.bad-context": '{"g":"FIND_HOTEL","ctx":"Paris","plan":[["search","H_API",{}]]}',
    "sacp.bad-plan": '{"g":"FIND_HOTEL","plan":"search, then rank"}',
    "sacp.empty-plan": '{"g":"FIND_HOTEL","plan":[]}',
    "sacp.bad-step": '{"g":"FIND_HOTEL","plan":[["search"]]}',
    "sacp.bad-params": '{"g":"FIND_HOTEL","plan":[["search","H_API","Paris"]]}',
    "sacp.null-param": '{"g":"FIND_HOTEL","plan":[["search","H_API",{"c":null}]]}',
    "sacp.missing-join": (
        '{"g":"FIND_HOTEL","plan":[{"parallel":[["search","H_API",{}],["search","B_API",{}]]}]}'
    ),
    "sacp.join-without-parallel": (
        '{"g":"FIND_HOTEL","plan":[["search","H_API",{}],["join","MERGE",{}]]}'
    ),
    "sacp.bad-out-fmt": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"out_fmt":"markdown"}',
    "sacp.bad-state": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"state":"CANCELLED"}',
    "sacp.bad-lifecycle": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"msg_id":17}',
    "sacp.bad-subtask": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"subtask":"later"}',
    "sacp.bad-test-mode": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"test_mode":"yes"}',
    "sacp.test-modes-differ": (
        '{"g":"FIND","ctx":{"test_mode":false},"plan":[["search","API",{}]],"test_mode":true}'
    ),
    "sacp.version": '{"g":"FIND_HOTEL","plan":[["search","H_API",{}]],"proto_ver":"2.4"}',
    "sacp.unknown-status": '{"status":"OK"}',
    "sacp.bad-reply": '{"status":"REQ_CLARIFY","details":["a","b"]}',
    "sacp.unknown-error-code": '{"status":"ERR","code":"BAD_PLAN","details":"step 1"}',
    "sacp.missing-details": '{"status":"ERR","code":"MISSING_FIELD"}',
    "sacp.unnamed-step": '{"status":"ERR","code":"BAD_PARAM","details":"a number was expected"}',
    "sacp.bad-version": (
        '{"proto_ver":"1.2.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"PENDING"}'
    ),
    "sacp.bad-name": (
        '{"proto_ver":"1.0.0","msg_id":"m 1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"PENDING"}'
    ),
    "sacp.bad-time": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09 00:00","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"PENDING"}'
    ),
    "sacp.bad-policy": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{},"timeout_ms":0}],'
        '"state":"PENDING"}'
    ),
    "sacp.repeated-step": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}},{"id":"s1","verb":"rank",'
        '"tool":"RANK","params":{}}],"state":"PENDING"}'
    ),
    "sacp.unknown-step": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{},"depends_on":["s0"]}],'
        '"state":"PENDING"}'
    ),
    "sacp.cycle": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{},"depends_on":["s1"]}],'
        '"state":"PENDING"}'
    ),
    "sacp.later-step": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"rank","tool":"RANK","params":{},"depends_on":["s2"]},'
        '{"id":"s2","verb":"search","tool":"H_API","params":{}}],"state":"PENDING"}'
    ),
    "sacp.missing-outcome": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"DONE"}'
    ),
    "sacp.two-outcomes": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"DONE",'
        '"result":{"outputs":{}},"error":{"code":"TIMEOUT","message":"too slow"}}'
    ),
    "sacp.bad-result": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"DONE",'
        '"result":{"summary":"done"}}'
    ),
    "sacp.bad-error": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"FAILED",'
        '"error":{"code":"TIMEOUT"}}'
    ),
    "sacp.absent-step": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"FAILED",'
        '"error":{"code":"TIMEOUT","message":"too slow","step_id":"s9"}}'
    ),
    "sacp.bad-trace": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"PENDING",'
        '"trace":{"attempt":0}}'
    ),
    "sacp.bad-extension": (
        '{"proto_ver":"1.0.0","msg_id":"m1","ts":"2026-05-09T00:00:00Z","sender":"A","g":"FIND",'
        '"plan":[{"id":"s1","verb":"search","tool":"H_API","params":{}}],"state":"PENDING",'
        '"ext":{"runbook":"rb-17"}}'
    ),
}
