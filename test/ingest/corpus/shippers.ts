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
]
