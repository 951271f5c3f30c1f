"""Names of vectors that are read wrongly today. Each set only shrinks, and the tests excuse nothing else."""


def _names(listed: str) -> frozenset[str]:
    return frozenset(" ".join(listed.split()).split("; ")) if listed else frozenset()


UNREAD = _names("""
    logging: basicConfig; logging: level:asctime:message; airflow: task log; structlog: console; structlog:
    colored console; structlog: JSON; structlog: JSON indented; structlog: key and value; structlog: logfmt;
    loguru: colored; rich: colored console; colorlog; colorlog: aligned; logfmter; docker compose: colored; CI:
    ::notice::; nginx: request body; NLog: default; zap: console with fields; zerolog: console; logrus: text;
    logrus: terminal; Go: slog text; winston: simple with fields; ANSI: whole line, reset; ANSI: message colored;
    remark: (12ms); remark: [200]; remark: JSON; remark: took=12ms; remark: <- 200 OK; remark: => 200; remark: #
    comment; remark: // comment; Markdown: code in a sentence; Markdown: cell; Markdown: cell, bars escaped;
    quote; quote: twice; diff: added; diff: removed; diff: added, spaced; HTML: code; HTML: list item; HTML: cell;
    HTML: paragraph; HTML: preformatted; HTML: attribute; XML: element; XML: CDATA; shell: echo '…'; shell: echo
    "…"; shell: $ send "…"; shell: curl -d '…'; shell: pipe; Python: list; Python: tuple; Python: dictionary;
    Python: call; Python: assignment; JSON: list; JSON: list, more strings; JSON: string; JSON: string with
    escapes; YAML: list; YAML: double quotes; YAML: single quotes; YAML: plain; TOML: string; logfmt; logfmt: more
    behind; CSV; CSV: more behind; prose: quoted; brackets; parentheses; angle quotes
""")
"""Printers whose messages end in the wrong place."""

UNHEARD = _names("""
    logging: basicConfig; logging: asctime - name - level; logging: asctime level name; logging: asctime [level]
    name: message; logging: padded level; logging: level:asctime:message; logging: RFC 3339 and parties; logging:
    numeric offset; logging: with thread and place; logging: bars between columns; logging: level only; logging:
    epoch seconds; celery: worker; airflow: task log; structlog: console; structlog: colored console; structlog:
    JSON; structlog: JSON indented; structlog: key and value; structlog: logfmt; loguru: default; loguru: colored;
    rich: log handler; python-json-logger: default; python-json-logger: timestamp and indent; json-log-formatter;
    ecs-logging; coloredlogs; colorlog; colorlog: aligned; logfmter; eliot; daiquiri: text; absl; picologging;
    logbook; uvicorn: default; uvicorn: colored; granian: generic; gunicorn: error log; syslog: RFC 3164; syslog:
    RFC 3164 without PRI; syslog: RFC 3164, day of one digit; syslog: RFC 5424; syslog: RFC 5424 without PRI;
    syslog: RFC 5424 with data; journald: short-precise; journald: short-iso; docker logs -t; klog; glog with a
    year; Heroku; CloudWatch: aws logs tail; AWS Lambda: Node.js; gcloud logging; GitHub Actions; GitHub Actions:
    gh run view; CI: ##[debug]; PostgreSQL; nginx: error log; nginx: request body; Apache: error log; Android
    logcat: threadtime; log4j: ISO date; logback: default; Spring Boot; Serilog: console; Serilog: file; .NET:
    console on one line; NLog: default; zap: console; zap: console with fields; zerolog: console; zerolog: console
    with time; logrus: text; logrus: terminal; Go: slog text; Go: log; Go: log with file; pino-pretty; winston:
    simple; winston: simple with fields; winston: timestamp; bunyan: CLI; Rails: tagged; Rust: env_logger; Rust:
    tracing; Twisted: text file; ANSI: whole line; ANSI: whole line, reset; speaker; speaker in brackets; speaker
    and listener; speaker and listener, arrow; speaker and listener, bare; a bus with parties; parties as pairs;
    epoch in nanoseconds; IRC; WhatsApp: iOS; WhatsApp: Android; Discord; Markdown: speaker and code; Markdown:
    speakers and code; remark: (12ms); remark: [200]; remark: JSON; remark: took=12ms; remark: <- 200 OK; remark:
    => 200; Python: dictionary; logfmt; logfmt: more behind; CSV; CSV: more behind
""")
"""Printers whose facts are not read."""

UNWRAPPED = _names("""
    MCP: structuredContent; MCP: embedded resource; MCP: prompts/get; MCP: sampling/createMessage; MCP:
    notifications/message; A2A: status update; A2A: artifact update; A2A 0.3: artifact-update; OpenAI: stream
    chunk; OpenAI: Responses input text; OpenAI: Responses input; OpenAI: Responses output; OpenAI: Responses
    function_call; OpenAI: Assistants message; Anthropic: tool_use; Anthropic: content_block_delta; Gemini:
    contents; Gemini: answer; Gemini: functionCall; Ollama: chat; Ollama: generate; Cohere; Bedrock: converse;
    LangChain: message dictionary; LangChain: messages_to_dict; LangChain: dumps; LangChain: tool call; LangChain:
    tool message; LangGraph: stream event; LangSmith: run; AutoGen: user message; AutoGen: text message; CrewAI:
    task output; Semantic Kernel; OpenAI Agents: handoff; OTLP: logs; OTLP: span attribute; OTLP: span events;
    OTLP: gen_ai.input.messages; Langfuse: generation; docker: json-file; journald: JSON; pino; zap: production;
    zerolog; slog: JSON; Serilog: compact; Serilog: compact template; winston: JSON; GELF; Cloud Logging:
    textPayload; Cloud Logging: jsonPayload; CloudWatch: export; CloudWatch: get-log-events; Azure Monitor;
    Application Insights; Loki: push; Splunk: HEC; Fluent Bit: stdout; Fluent Bit: http; Elasticsearch: hit;
    Sentry; CloudEvents: data as text; CloudEvents: data as object; CloudEvents: batch; CloudEvents: base64
    beside; Kafka: console JSON; Kafka: REST proxy; SQS: event; SNS; SNS in SQS; SNS in SQS in CloudWatch;
    EventBridge; Redis stream; Redis stream: object; NATS; RabbitMQ: management; MQTT; Pub/Sub: plain data; Slack:
    event; Discord; Telegram: update; GitHub: issue comment; HAR: postData; JSON-RPC; JSON-RPC: list of
    parameters; GraphQL: variables; GitHub Actions: dispatch; Postman: request; an unknown record; a list; a map
    of names; tool call in a chat in docker json-file; docker json-file around structlog; docker json-file around
    a line; journald around a line; wrapped three times; wrapped six times; wrapped eight times
""")
"""Wrappers whose messages are not found as they are."""

UNSAID = _names("""
    MCP: structuredContent; MCP: embedded resource; MCP: notifications/message; A2A: status update; A2A 0.3:
    status-update; OpenAI: chat request; OpenAI: tool calls; OpenAI: completion; OpenAI: stream chunk; OpenAI:
    Responses input text; OpenAI: Responses input; OpenAI: Responses output; OpenAI: Responses function_call;
    OpenAI: Assistants message; Anthropic: request; Anthropic: response; Anthropic: tool_use; Gemini: contents;
    Ollama: chat; Ollama: generate; Cohere; Mistral; Bedrock: converse; LangChain: messages_to_dict; LangSmith:
    run; AutoGen: text message; CrewAI: task output; OTLP: logs; OTLP: span attribute; OTLP: span events; OTLP:
    gen_ai.input.messages; OpenTelemetry: console log; Langfuse: generation; docker: json-file; pino; bunyan; zap:
    production; zerolog; logrus: JSON; slog: JSON; Serilog: compact; Serilog: compact template; winston: JSON;
    ECS; ECS: nested; GELF; logstash; Cloud Logging: textPayload; Cloud Logging: jsonPayload; CloudWatch: export;
    CloudWatch: get-log-events; Azure Monitor; Application Insights; Splunk: HEC; Fluent Bit: stdout; Vector;
    Elasticsearch: hit; Sentry; CloudEvents: data as text; CloudEvents: data as object; CloudEvents: batch; Kafka:
    console JSON; SNS; SNS in SQS; SNS in SQS in CloudWatch; EventBridge; Redis stream: object; NATS; Slack:
    event; Discord; Telegram: update; GitHub: issue comment; HAR: postData; tool call in a chat in docker
    json-file; tool call in a chat; docker json-file around structlog; docker json-file around a line; journald
    around a line
""")
"""Wrappers whose facts are not read."""

SWALLOWED = _names("""
    SACP, then nSLIP; SACP, then SLIP; SACP, then AACP; SACP, then T-line; SACP, then a log line with a message;
    SACP, then a log line with an object; SACP, then a line of basicConfig; SACP, then a speaker; SACP, then a log
    line without a message; SACP, then prose; NLIP, then nSLIP; NLIP, then SLIP; NLIP, then AACP; NLIP, then
    T-line; NLIP, then a log line with a message; NLIP, then a log line with an object; NLIP, then a line of
    basicConfig; NLIP, then a speaker; NLIP, then a log line without a message; NLIP, then prose; NLIP with
    escapes, then nSLIP; NLIP with escapes, then SLIP; NLIP with escapes, then AACP; NLIP with escapes, then
    T-line; NLIP with escapes, then a log line with a message; NLIP with escapes, then a log line with an object;
    NLIP with escapes, then a line of basicConfig; NLIP with escapes, then a speaker; NLIP with escapes, then a
    log line without a message; NLIP with escapes, then prose; SACP in a log line, then nSLIP; SACP in a log line,
    then SLIP; SACP in a log line, then AACP; SACP in a log line, then T-line; SACP in a log line, then a log line
    with a message; SACP in a log line, then a log line with an object; SACP in a log line, then a line of
    basicConfig; SACP in a log line, then a speaker; SACP in a log line, then a log line without a message; SACP
    in a log line, then prose; NLIP behind a speaker, then nSLIP; NLIP behind a speaker, then SLIP; NLIP behind a
    speaker, then AACP; NLIP behind a speaker, then T-line; NLIP behind a speaker, then a log line with a message;
    NLIP behind a speaker, then a log line with an object; NLIP behind a speaker, then a line of basicConfig; NLIP
    behind a speaker, then a speaker; NLIP behind a speaker, then a log line without a message; NLIP behind a
    speaker, then prose; SACP indented, then nSLIP; SACP indented, then SLIP; SACP indented, then AACP; SACP
    indented, then T-line; SACP indented, then a log line with a message; SACP indented, then a log line with an
    object; SACP indented, then a line of basicConfig; SACP indented, then a speaker; SACP indented, then a log
    line without a message; SACP indented, then prose; NLIP indented, then nSLIP; NLIP indented, then SLIP; NLIP
    indented, then AACP; NLIP indented, then T-line; NLIP indented, then a log line with a message; NLIP indented,
    then a log line with an object; NLIP indented, then a line of basicConfig; NLIP indented, then a speaker; NLIP
    indented, then a log line without a message; NLIP indented, then prose; a line, then SACP; a line, then NLIP;
    a line, then SACP indented; a line, then a log line with an object; a line, then a line of basicConfig; a
    line, then a log line without a message; a line, then prose; a line in a log, then SACP; a line in a log, then
    NLIP; a line in a log, then SACP indented; a line in a log, then a log line with an object; a line in a log,
    then a line of basicConfig; a line in a log, then a log line without a message; a line in a log, then prose; a
    folded packet, then SACP; a folded packet, then NLIP; a folded packet, then SACP indented; a folded packet,
    then a log line with an object; a folded packet, then a line of basicConfig; a folded packet, then a log line
    without a message; a folded packet, then prose; a record, then a log line with an object; a record, then a
    line of basicConfig; a record around an object, then nSLIP; a record around an object, then SLIP; a record
    around an object, then AACP; a record around an object, then T-line; a record around an object, then a log
    line with a message; a record around an object, then a log line with an object; a record around an object,
    then a line of basicConfig; a record around an object, then a speaker; a record around an object, then a log
    line without a message; a record around an object, then prose
""")
"""Cut-off messages that harm their neighbors, or are called valid."""

UNFOLDED = _names("""
    bar first; quoted; quoted twice; diff; diff, spaced; comment; log line; log line, bar first; log line, later
    times; log line with parties; basicConfig; speaker; docker logs -t; syslog; klog
""")
"""Prefixes behind which a folded packet is not read whole."""

SWALLOWING: frozenset[str] = frozenset(["2026-11-20T10:00:01Z INFO planner: ", "executor: ", "> "])
"""Prefixes behind which one cut-off record swallows 2,999 good ones."""

UNENDED = _names("""
    line end; brackets; parentheses; code tag; quotes and more pairs; quotes and a bar; quotes and a command; a
    duration; a status; an object; a pair; an arrow; a comment; a reset color; spaces; a carriage return
""")
"""What follows a message, or closes it, and becomes part of it."""
