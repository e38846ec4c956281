import { at, atMs, atNs, atUs, one, some, span, trace } from './corpus.ts'

export const shippers = [
  one(
    'Docker',
    { log: 'hello\n', stream: 'stdout', time: '2025-11-30T10:11:12.345678901Z' },
    { text: 'hello', time: atNs, fields: { stream: 'stdout' } },
  ),
  some(
    'Docker, a level and a stack',
    '{"log":"2025-11-30T10:11:12.345Z ERROR boom\\n","stream":"stderr","time":"2025-11-30T10:11:13Z"}\n{"log":"\\tat a.b(c)\\n","stream":"stderr","time":"2025-11-30T10:11:13Z"}\n',
    {
      text: '2025-11-30T10:11:12.345Z ERROR boom\n\tat a.b(c)',
      level: 'error',
      time: atMs,
      fields: { stream: 'stderr' },
    },
  ),
  one(
    'Docker, JSON inside',
    { log: '{"level":"warn","msg":"slow","n":1}\n', stream: 'stdout', time: '2025-11-30T10:11:12Z' },
    { text: 'slow', level: 'warn', time: at, fields: { n: 1, stream: 'stdout' } },
  ),
  one(
    'Docker, parts',
    '{"log":"first ","stream":"stdout","time":"2025-11-30T10:11:12Z"}\n{"log":"second\\n","stream":"stdout","time":"2025-11-30T10:11:13Z"}',
    { text: 'first second', time: at },
  ),
  one('CRI', '2025-11-30T10:11:12.345678901Z stdout F hello world', {
    text: 'hello world',
    time: atNs,
    fields: { stream: 'stdout' },
  }),
  one('CRI, parts', '2025-11-30T10:11:12.345678901Z stdout P hello \n2025-11-30T10:11:13Z stdout F world', {
    text: 'hello world',
    time: atNs,
  }),
  one(
    'CRI, JSON inside',
    '2025-11-30T10:11:12.345678901Z stderr F {"severity":"ERROR","message":"x","time":"2025-11-30T10:11:12Z"}',
    { text: 'x', level: 'ERROR', time: at, fields: { stream: 'stderr' } },
  ),
  one(
    'CRI with a stack',
    '2025-11-30T10:11:12.345678901Z stdout F java.lang.X: boom\n2025-11-30T10:11:12.4Z stdout F \tat a.b(c)',
    { text: 'java.lang.X: boom\n\tat a.b(c)', time: atNs },
  ),
  one(
    'Fluent Bit',
    { date: 1764497472.345, log: 'hello', stream: 'stdout' },
    { text: 'hello', time: atMs, fields: { stream: 'stdout' } },
  ),
  one(
    'Fluent Bit, Kubernetes',
    {
      '@timestamp': '2025-11-30T10:11:12.345Z',
      log: 'hello\n',
      stream: 'stdout',
      kubernetes: {
        pod_name: 'shop-1',
        namespace_name: 'prod',
        container_name: 'shop',
        labels: { app: 'shop' },
        host: 'n1',
      },
    },
    { text: 'hello', time: atMs, service: 'shop', fields: { pod: 'shop-1', namespace: 'prod', container: 'shop' } },
  ),
  one(
    'Fluent Bit, merged log',
    { date: 1764497472.345, level: 'error', msg: 'boom', kubernetes: { pod_name: 'shop-1', namespace_name: 'prod' } },
    { text: 'boom', level: 'error', time: atMs, fields: { pod: 'shop-1' } },
  ),
  one(
    'Fluentd',
    { time: '2025-11-30T10:11:12+00:00', tag: 'app', message: 'hello', hostname: 'h' },
    { text: 'hello', time: at, fields: { tag: 'app' } },
  ),
  one(
    'Fluentd, Kubernetes metadata',
    {
      log: 'x',
      docker: { container_id: 'c' },
      kubernetes: {
        container_name: 'shop',
        namespace_name: 'prod',
        pod_name: 'shop-1',
        labels: { 'app.kubernetes.io/name': 'shop' },
      },
      '@timestamp': '2025-11-30T10:11:12Z',
    },
    { text: 'x', time: at, service: 'shop', fields: { namespace: 'prod' } },
  ),
  one(
    'Vector',
    {
      file: '/var/log/a',
      host: 'h',
      message: 'hello',
      source_type: 'file',
      timestamp: '2025-11-30T10:11:12.345678901Z',
    },
    { text: 'hello', time: atNs, fields: { source_type: 'file' } },
  ),
  one(
    'Vector, Kubernetes',
    {
      kubernetes: { container_name: 'shop', pod_name: 'shop-1', pod_namespace: 'prod', pod_labels: { app: 'shop' } },
      message: 'x',
      stream: 'stdout',
      timestamp: '2025-11-30T10:11:12Z',
    },
    { text: 'x', time: at, service: 'shop', fields: { pod: 'shop-1', namespace: 'prod' } },
  ),
  one(
    'Filebeat',
    {
      '@timestamp': '2025-11-30T10:11:12.345Z',
      '@metadata': { beat: 'filebeat' },
      message: 'hello',
      log: { file: { path: '/a' }, offset: 1 },
      agent: { name: 'h' },
      ecs: { version: '8.0.0' },
    },
    { text: 'hello', time: atMs, fields: { 'log.file.path': '/a' } },
  ),
  one(
    'Filebeat, Kubernetes',
    {
      '@timestamp': '2025-11-30T10:11:12.345Z',
      message: 'x',
      log: { level: 'warn' },
      kubernetes: {
        pod: { name: 'shop-1' },
        namespace: 'prod',
        container: { name: 'shop' },
        deployment: { name: 'shop' },
      },
    },
    {
      text: 'x',
      level: 'warn',
      time: atMs,
      service: 'shop',
      fields: { pod: 'shop-1', namespace: 'prod', container: 'shop' },
    },
  ),
  one(
    'ECS with traces',
    {
      '@timestamp': '2025-11-30T10:11:12.345Z',
      message: 'x',
      'log.level': 'info',
      service: { name: 'shop' },
      trace: { id: trace },
      span: { id: span },
    },
    { text: 'x', level: 'info', time: atMs, service: 'shop', trace, span },
  ),
  one(
    'Logstash',
    { '@version': '1', '@timestamp': '2025-11-30T10:11:12.345Z', host: { name: 'h' }, message: 'hello', tags: ['a'] },
    { text: 'hello', time: atMs, fields: { 'host.name': 'h' } },
  ),
  one(
    'GELF',
    {
      version: '1.1',
      host: 'h',
      short_message: 'boom',
      timestamp: 1764497472.345,
      level: 3,
      _app: 'shop',
      _trace_id: trace,
    },
    { text: 'boom', level: 'error', time: atMs, service: 'shop', trace, fields: { 'level.original': 3 } },
  ),
  one(
    'journald',
    {
      __REALTIME_TIMESTAMP: '1764497472345678',
      MESSAGE: 'Started shop',
      PRIORITY: '6',
      SYSLOG_IDENTIFIER: 'systemd',
      _PID: '1',
      _SYSTEMD_UNIT: 'shop.service',
      _HOSTNAME: 'h',
    },
    {
      text: 'Started shop',
      level: 'info',
      time: atUs,
      service: 'systemd',
      fields: { 'level.original': '6', _HOSTNAME: 'h' },
    },
  ),
  one(
    'journald, bytes',
    { __REALTIME_TIMESTAMP: '1764497472345678', MESSAGE: [104, 105, 27], PRIORITY: '3', _SYSTEMD_UNIT: 'shop.service' },
    { text: 'hi\u001B', level: 'error', time: atUs, service: 'shop.service' },
  ),
  some(
    'OpenTelemetry file exporter',
    `${JSON.stringify({
      resourceLogs: [
        {
          resource: { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] },
          scopeLogs: [
            {
              scope: { name: 's' },
              logRecords: [
                {
                  timeUnixNano: '1764497472345678901',
                  severityNumber: 17,
                  body: { stringValue: 'boom' },
                  traceId: trace,
                  spanId: span,
                  attributes: [{ key: 'n', value: { intValue: '3' } }],
                },
                { timeUnixNano: '1764497473000000000', severityText: 'Warning', body: { stringValue: 'slow' } },
              ],
            },
          ],
        },
      ],
    })}\n`,
    {
      text: 'boom',
      level: 'error',
      time: atNs,
      service: 'shop',
      trace,
      span,
      fields: { n: 3, 'service.name': 'shop' },
    },
    { text: 'slow', level: 'warn', time: '2025-11-30T10:11:13.000000000Z', service: 'shop' },
  ),
  one(
    'OpenTelemetry, flat',
    {
      Timestamp: '2025-11-30T10:11:12.345678901Z',
      SeverityText: 'INFO',
      SeverityNumber: 9,
      Body: 'hello',
      TraceId: trace,
      SpanId: span,
      Resource: { 'service.name': 'shop' },
    },
    { text: 'hello', level: 'INFO', time: atNs, service: 'shop', trace, span },
  ),
  one(
    'OpenTelemetry, number of the level',
    { timeUnixNano: '1764497472345678901', severityNumber: 13, body: 'x', traceId: trace },
    { text: 'x', level: 'warn', time: atNs, trace },
  ),
  one(
    'a record as this project keeps it',
    { _time: '2025-11-30T10:11:12.345678901Z', level: 'info', workload: 'shop', content: 'x', trace_id: trace },
    { text: 'x', level: 'info', time: atNs, service: 'shop', trace },
  ),
  some(
    'docker compose logs',
    [
      'web-1  | {"level":"info","time":1764497472345,"msg":"up"}',
      'db-1   | checkpoint complete',
      'web-1  | {"level":"error","time":1764497473000,"msg":"boom"}',
    ].join('\n'),
    { text: 'up', level: 'info', time: atMs, fields: { container: 'web-1' } },
    { text: 'checkpoint complete', time: atMs, fields: { container: 'db-1' } },
    { text: 'boom', level: 'error', time: '2025-11-30T10:11:13.000000000Z', fields: { container: 'web-1' } },
  ),
  some(
    'docker compose logs with times',
    ['web-1 | 2025-11-30T10:11:12.345678901Z {"level":"info","msg":"up"}', 'web-1 | 2025-11-30T10:11:13Z plain'].join(
      '\n',
    ),
    { text: 'up', level: 'info', time: atNs },
    { text: 'plain', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  one('docker compose logs, a name that was chosen', 'gate | {"ts":"2025-11-30T10:11:12Z","msg":"up"}', {
    text: 'up',
    time: at,
    fields: { container: 'gate' },
  }),
  some(
    'docker compose logs, logfmt and a trace',
    [
      'web-1 | time=2025-11-30T10:11:12Z level=error msg="no end"',
      'api-1 | 2025-11-30T10:11:12.345Z ERROR failed',
      'web-1 | time=2025-11-30T10:11:12.1Z level=info msg=up',
      'api-1 | \tat a.b(c)',
    ].join('\n'),
    { text: 'no end', level: 'error', time: at },
    { text: 'up', level: 'info', time: '2025-11-30T10:11:12.100000000Z' },
    { text: 'ERROR failed\n\tat a.b(c)', level: 'error', time: atMs },
  ),
  one('docker service logs', 'web.1.3j9x@node7    | {"level":"info","time":"2025-11-30T10:11:12Z","msg":"up"}', {
    text: 'up',
    level: 'info',
    time: at,
    fields: { container: 'web.1.3j9x@node7' },
  }),
  one('a table in a text is none of them', 'name | state', { text: 'name | state' }),
  some(
    'kubectl logs with times',
    [
      '2025-11-30T10:11:12.345Z {"ts":"2025-11-30T10:11:12Z","msg":"its own time"}',
      '2025-11-30T10:11:12.345678Z starting {}',
      '2025-11-30T10:11:12.345678901Z {"level":"error","msg":"boom","user":"u1"}',
    ].join('\n'),
    { text: 'its own time', time: at },
    { text: '2025-11-30T10:11:12.345678Z starting {}', time: atUs },
    { text: 'boom', level: 'error', time: atNs, fields: { user: 'u1' } },
  ),
  some(
    'kubectl logs with prefixes',
    [
      '[pod/web-6d4cf56db6-abcde/app] {"level":"info","ts":"2025-11-30T10:11:12Z","msg":"ready"}',
      '[pod/web-6d4cf56db6-abcde/app] 2025-11-30T10:11:12.345Z plain text',
    ].join('\n'),
    { text: 'ready', level: 'info', time: at, fields: { pod: 'web-6d4cf56db6-abcde', container: 'app' } },
    { text: 'plain text', time: atMs, fields: { pod: 'web-6d4cf56db6-abcde', container: 'app' } },
  ),
  some(
    'stern',
    [
      'web-6d4cf56db6-abcde app {"level":"info","ts":"2025-11-30T10:11:12Z","msg":"ready"}',
      'shop web-0 app 2025-11-30T10:11:12.345Z {"level":"error","msg":"boom"}',
    ].join('\n'),
    { text: 'ready', level: 'info', time: at, fields: { pod: 'web-6d4cf56db6-abcde', container: 'app' } },
    { text: 'boom', level: 'error', time: atMs, fields: { namespace: 'shop', pod: 'web-0', container: 'app' } },
  ),
  one('Fluentd, standard output', '2025-11-30 10:11:12.345678901 +0000 app.web: {"level":"warn","message":"slow"}', {
    text: 'slow',
    level: 'warn',
    time: atNs,
    fields: { tag: 'app.web' },
  }),
]
