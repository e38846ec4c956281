import { at, atMs, atNs, atUs, one, some, span, trace } from './corpus.ts'

export const go = [
  some(
    'logrus, a value over several lines',
    'time="2025-11-30T10:11:12Z" level=error msg="failed:\nmain.main()\n\n\tmain.go:17" user=bob\ntime="2025-11-30T10:11:13Z" level=info msg=next\n',
    { text: 'failed:\nmain.main()\n\n\tmain.go:17', level: 'error', time: at, fields: { user: 'bob' } },
    { text: 'next', level: 'info', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  one(
    'zap, production',
    {
      level: 'error',
      ts: 1764497472.345678,
      caller: 'api/main.go:17',
      msg: 'failed',
      status: 500,
      stacktrace: 'main.main\n\t/app/main.go:17',
    },
    { text: 'failed', level: 'error', time: atUs, fields: { caller: 'api/main.go:17', status: 500 } },
  ),
  one(
    'zap, named logger',
    { level: 'info', ts: 1764497472.345, logger: 'ingest', caller: 'x.go:1', msg: 'ready' },
    { text: 'ready', level: 'info', time: atMs, service: 'ingest', fields: { logger: 'ingest' } },
  ),
  one(
    'zap, ISO 8601 time',
    { level: 'warn', ts: '2025-11-30T10:11:12.345Z', caller: 'x.go:1', msg: 'slow' },
    { text: 'slow', level: 'warn', time: atMs },
  ),
  one('zap, capital levels', { level: 'DPANIC', ts: 1764497472, msg: 'x' }, { text: 'x', level: 'DPANIC', time: at }),
  one('zap, development', '2025-11-30T10:11:12.345Z\tINFO\tapi/main.go:17\tserver started\t{"port": 8080}', {
    text: '2025-11-30T10:11:12.345Z\tINFO\tapi/main.go:17\tserver started\t{"port": 8080}',
    level: 'info',
    time: atMs,
  }),
  one(
    'zerolog',
    { level: 'debug', time: '2025-11-30T10:11:12Z', message: 'tick', n: 3 },
    { text: 'tick', level: 'debug', time: at, fields: { n: 3 } },
  ),
  one(
    'zerolog, Unix time',
    { level: 'error', error: 'EOF', time: 1764497472, message: 'read failed' },
    { text: 'read failed', level: 'error', time: at, fields: { error: 'EOF' } },
  ),
  one(
    'zerolog, Unix milliseconds',
    { level: 'trace', time: 1764497472345, message: 'x' },
    { text: 'x', level: 'trace', time: atMs },
  ),
  one('zerolog, console', '10:11AM INF server started port=8080', {
    text: '10:11AM INF server started port=8080',
    level: 'info',
  }),
  one(
    'logrus, JSON',
    { animal: 'walrus', level: 'warning', msg: 'it swims', size: 10, time: '2025-11-30T10:11:12Z' },
    { text: 'it swims', level: 'warning', time: at, fields: { animal: 'walrus' } },
  ),
  one('logrus, text', 'time="2025-11-30T10:11:12Z" level=warning msg="it swims" animal=walrus', {
    text: 'it swims',
    level: 'warning',
    time: at,
    fields: { animal: 'walrus' },
  }),
  one(
    'slog, JSON',
    { time: '2025-11-30T10:11:12.345678901Z', level: 'INFO', msg: 'hello', count: 3 },
    { text: 'hello', level: 'INFO', time: atNs, fields: { count: 3 } },
  ),
  one(
    'slog, a level between',
    { time: '2025-11-30T10:11:12.345678901Z', level: 'INFO+2', msg: 'hello' },
    { text: 'hello', level: 'INFO+2', time: atNs, fields: {} },
  ),
  one(
    'slog, source and group',
    {
      time: '2025-11-30T10:11:12.345678901Z',
      level: 'ERROR',
      source: { function: 'main.f', file: 'x.go', line: 3 },
      msg: 'x',
      request: { method: 'GET' },
    },
    { text: 'x', level: 'ERROR', time: atNs, fields: { 'request.method': 'GET', 'source.line': 3 } },
  ),
  one('slog, text', 'time=2025-11-30T10:11:12.345Z level=WARN msg="two words" n=3', {
    text: 'two words',
    level: 'WARN',
    time: atMs,
    fields: { n: '3' },
  }),
  one('log of the standard library', '2025/11/30 10:11:12 listening on :8080', {
    text: '2025/11/30 10:11:12 listening on :8080',
    time: at,
  }),
  one('klog', 'W1130 10:11:12.345678       1 reflector.go:424] failed to list', {
    text: 'W1130 10:11:12.345678       1 reflector.go:424] failed to list',
    level: 'warn',
    time: atUs,
    fields: { source: 'reflector.go:424', thread: '1' },
  }),
  one('klog, fatal', 'F1130 10:11:12.345678   12345 main.go:17] cannot start', {
    text: 'F1130 10:11:12.345678   12345 main.go:17] cannot start',
    level: 'fatal',
    time: atUs,
  }),
  one(
    'klog, JSON',
    { ts: 1764497472345.678, caller: 'x.go:1', msg: 'ready', v: 2 },
    { text: 'ready', time: atUs, fields: { v: 2 } },
  ),
  one(
    'controller-runtime',
    {
      level: 'info',
      ts: '2025-11-30T10:11:12Z',
      logger: 'controller',
      caller: 'c.go:1',
      msg: 'Starting workers',
      controller: 'pod',
    },
    { text: 'Starting workers', level: 'info', time: at, service: 'controller' },
  ),
  one(
    'OpenTelemetry Go bridge',
    { time: '2025-11-30T10:11:12Z', level: 'INFO', msg: 'x', trace_id: trace, span_id: span },
    { text: 'x', level: 'INFO', time: at, trace, span },
  ),
  one(
    'hclog',
    { '@level': 'info', '@message': 'raft started', '@module': 'raft', '@timestamp': '2025-11-30T10:11:12.345678Z' },
    { text: 'raft started', level: 'info', time: atUs, service: 'raft' },
  ),
  one('hclog, text', '2025-11-30T10:11:12.345Z [INFO]  agent: Started DNS server', {
    text: '2025-11-30T10:11:12.345Z [INFO]  agent: Started DNS server',
    level: 'info',
    time: atMs,
  }),
  one('Prometheus', 'ts=2025-11-30T10:11:12.345Z caller=main.go:1 level=info component=tsdb msg="Head GC completed"', {
    text: 'Head GC completed',
    level: 'info',
    time: atMs,
    fields: { component: 'tsdb' },
  }),
  one('a panic', 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:5 +0x1d\nexit status 2', {
    text: 'panic: boom\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/x.go:5 +0x1d\nexit status 2',
    level: 'panic',
  }),
  ...[
    ['C', 'critical'],
    ['E', 'error'],
    ['W', 'warn'],
    ['N', 'notice'],
    ['I', 'info'],
    ['D', 'debug'],
  ].map(([letter, level]) =>
    one(`capnslog, ${letter}`, `2025-11-30 10:11:12.345678 ${letter} | etcdserver: ERROR is in the text`, {
      text: `2025-11-30 10:11:12.345678 ${letter} | etcdserver: ERROR is in the text`,
      level: String(level),
      time: '2025-11-30T10:11:12.345678000Z',
    }),
  ),
  one('a letter and a bar in the text', '2025-11-30 10:11:12.345 read E | F', {
    time: '2025-11-30T10:11:12.345000000Z',
  }),
]
