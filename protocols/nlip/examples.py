"""A wire for each rule of NLIP that shows the rule, and nothing else where that can be."""

EXAMPLES = {
    "nlip.not-json": '{"Format":"text","Subformat":"English","Content":"Hello",}',
    "nlip.number-out-of-range": '{"Format":"structured","Subformat":"json","Content":NaN}',
    "nlip.too-deep": '{"Format":"structured","Subformat":"json","Content":' + "[" * 64 + "]" * 64 + "}",
    "nlip.not-an-object": '"Hello"',
    "nlip.repeated-key": '{"Format":"text","format":"token","Subformat":"English","Content":"Hello"}',
    "nlip.unknown-key": '{"Format":"text","Subformat":"English","Content":"Hello","x-trace":7}',
    "nlip.not-a-string": '{"Format":"text","Subformat":["English"],"Content":"Hello"}',
    "nlip.control-field": '{"control":true,"Format":"text","Subformat":"English","Content":"Who are you?"}',
    "nlip.control-contradiction": '{"MessageType":"x","control":true,"Format":"token","Subformat":"a","Content":"b"}',
    "nlip.missing-format": '{"Subformat":"English","Content":"Hello"}',
    "nlip.missing-subformat": '{"Format":"text","Content":"Hello"}',
    "nlip.missing-content": '{"Format":"text","Subformat":"English"}',
    "nlip.unknown-format": '{"Format":"picture","Subformat":"png","Content":"x"}',
    "nlip.format-not-in-dialect": '{"Format":"error","Subformat":"text","Content":"No."}',
    "nlip.empty-subformat": '{"Format":"text","Subformat":"","Content":"Hello"}',
    "nlip.unknown-subformat": '{"Format":"location","Subformat":"map","Content":"Geneva"}',
    "nlip.authorization-token": '{"Format":"token","Subformat":"authorization","Content":"t-17"}',
    "nlip.video": '{"Format":"binary","Subformat":"video/mp4","Content":"aGVsbG8="}',
    "nlip.content-type": '{"Format":"text","Subformat":"English","Content":42}',
    "nlip.not-base64": '{"Format":"binary","Subformat":"image/png","Content":"not base64!"}',
    "nlip.not-a-uri": '{"Format":"structured","Subformat":"uri","Content":"www.example.org"}',
    "nlip.submessages-not-a-list": '{"Format":"text","Subformat":"English","Content":"Hello","Submessages":[]}',
    "nlip.submessage-not-an-object": '{"Format":"text","Subformat":"English","Content":"Hi","Submessages":["Hello"]}',
    "nlip.nested-submessages": (
        '{"Format":"text","Subformat":"English","Content":"1","Submessages":['
        '{"Format":"text","Subformat":"English","Content":"2","Submessages":['
        '{"Format":"text","Subformat":"English","Content":"3"}]}]}'
    ),
    "nlip.label-on-message": '{"Format":"text","Subformat":"English","Content":"Hello","Label":"user"}',
}
