/** Hand-made rows of one afternoon. Times are nanoseconds apart, and unordered where a test depends on that. */

type Row = Readonly<Record<string, unknown>>

const at = (clock: string): string => `2026-03-01 ${clock}`

const cart = { 'service.name': 'cart', 'k8s.pod.name': 'cart-7f', 'k8s.namespace.name': 'shop', 'host.name': 'node-1' }
const pay = {
  'service.name': 'payment',
  'k8s.pod.name': 'payment-1c',
  'k8s.namespace.name': 'shop',
  'host.name': 'node-2',
}
const auth = { 'service.name': 'auth', 'k8s.pod.name': 'auth-99', 'k8s.namespace.name': 'core', 'host.name': 'node-1' }
const resources: Readonly<Record<string, Readonly<Record<string, string>>>> = { cart, payment: pay, auth }

const T1 = '5b8efff798038103d269b633813fc60c'
const T2 = '0af7651916cd43dd8448eb211c80319c'

const severities: Readonly<Record<string, number>> = {
  TRACE: 1,
  DEBUG: 5,
  INFO: 9,
  WARN: 13,
  ERROR: 17,
  Error: 17,
  '': 0,
}

function log(clock: string, service: string, severity: string, body: string, more: Row = {}): Row {
  const { attributes = {}, trace = '', span = '', event = '' } = more
  return {
    Timestamp: at(clock),
    TraceId: trace,
    SpanId: span,
    TraceFlags: trace === '' ? 0 : 1,
    SeverityText: severity,
    SeverityNumber: severities[severity] ?? 0,
    ServiceName: service,
    Body: body,
    ResourceAttributes: resources[service] ?? {},
    ScopeName: service === 'auth' ? 'auth/log' : 'shop/log',
    ScopeVersion: '1.2.0',
    LogAttributes: attributes,
    EventName: event,
  }
}

const logs: readonly Row[] = [
  log('12:00:00.000000001', 'cart', 'INFO', 'GET /cart/42 took 12ms', {
    attributes: { 'http.route': '/cart/{id}', 'http.response.status_code': '200' },
    trace: T1,
    span: 'a1',
  }),
  log('12:00:00.000000002', 'cart', 'INFO', 'GET /cart/43 took 8ms', {
    attributes: { 'http.route': '/cart/{id}', 'http.response.status_code': '200' },
  }),
  log('12:00:01.500000000', 'payment', 'ERROR', 'connection refused by bank-gateway', {
    attributes: { 'error.type': 'ConnectException', attempt: '1' },
    trace: T1,
    span: 'b1',
  }),
  log('12:00:02.500000000', 'payment', 'ERROR', 'Connection reset by peer', {
    attributes: { 'error.type': 'IOException', attempt: '2' },
    trace: T1,
    span: 'b2',
  }),
  log('12:00:03.500000000', 'payment', 'WARN', 'retrying call 3 of 5', {
    attributes: { attempt: '3' },
    trace: T1,
    span: 'b3',
  }),
  log('12:00:04.000000000', 'payment', 'INFO', 'payment accepted: 19.99 EUR', {
    attributes: { amount: '19.99', currency: 'EUR' },
    trace: T1,
    span: 'b4',
    event: 'payment.accepted',
  }),
  log('12:01:00.000000000', 'auth', 'INFO', 'user ann logged in', {
    attributes: { user: 'ann', 'client.address': '10.0.0.7' },
    event: 'user.login',
  }),
  log('12:01:10.000000000', 'auth', 'WARN', 'wrong password for Bob', {
    attributes: { user: 'Bob', 'client.address': '10.0.0.9' },
  }),
  log('12:01:11.000000000', 'auth', 'WARN', 'wrong password for bob', {
    attributes: { user: 'bob', 'client.address': '10.0.0.9' },
  }),
  log('12:01:12.000000000', 'auth', 'Error', 'account bob is locked', {
    attributes: { user: 'bob', 'client.address': '10.0.0.9' },
    event: 'user.locked',
  }),
  log('12:02:00.000000000', 'cart', 'DEBUG', 'cache miss key=cart:42', {
    attributes: { cache: 'redis', hit: 'false' },
  }),
  log('12:02:00.000000000', 'cart', 'DEBUG', 'cache hit key=cart:43', { attributes: { cache: 'redis', hit: 'true' } }),
  log('12:02:30.000000000', 'cart', 'ERROR', 'timeout after 3000ms: GET /price', {
    attributes: { 'http.route': '/price', 'http.response.status_code': '504', 'error.type': 'Timeout' },
    trace: T2,
    span: 'c1',
  }),
  log('12:02:31.000000000', 'cart', 'ERROR', 'TIMEOUT after 3000ms: GET /price', {
    attributes: { 'http.route': '/price', 'http.response.status_code': '504', 'error.type': 'Timeout' },
    trace: T2,
    span: 'c2',
  }),
  log('12:03:00.123456789', 'cart', 'INFO', 'naïve café order: 2 × crème brûlée', {
    attributes: { 'http.route': '/order', 'http.response.status_code': '201' },
  }),
  log('12:03:01.000000000', 'cart', 'INFO', 'order_timeout set to 30s', { attributes: { 'http.route': '/order' } }),
  log('12:04:00.000000000', '', '', '', {}),
  log('12:05:00.000000000', 'payment', 'TRACE', '{"amount": 5, "ok": true}', {
    attributes: { amount: '5', currency: 'USD' },
  }),
  log('12:05:00.000000001', 'payment', 'INFO', "it's \\ 'quoted' \"text\"", {
    attributes: { amount: '100', currency: 'EUR' },
  }),
  log('12:06:00.000000000', 'auth', 'INFO', 'user ann logged out', { attributes: { user: 'ann' } }),
]

function span(
  clock: string,
  trace: string,
  id: string,
  parent: string,
  service: string,
  name: string,
  ms: number,
  more: Row = {},
): Row {
  const { kind = 'Internal', status = 'Unset', message = '', attributes = {}, events = [] } = more
  const list = events as readonly (readonly [string, string])[]
  return {
    Timestamp: at(clock),
    TraceId: trace,
    SpanId: id,
    ParentSpanId: parent,
    SpanName: name,
    SpanKind: kind,
    ServiceName: service,
    ResourceAttributes: resources[service] ?? {},
    ScopeName: 'otel',
    ScopeVersion: '0.9',
    SpanAttributes: attributes,
    Duration: String(BigInt(ms) * 1_000_000n),
    StatusCode: status,
    StatusMessage: message,
    'Events.Timestamp': list.map(([when]) => at(when)),
    'Events.Name': list.map(([, what]) => what),
    'Events.Attributes': list.map(() => ({})),
  }
}

const traces: readonly Row[] = [
  span('12:00:00.000000000', T1, 'a1', '', 'cart', 'POST /checkout', 4100, {
    kind: 'Server',
    attributes: { 'http.request.method': 'POST', 'http.route': '/checkout', 'http.response.status_code': '200' },
  }),
  span('12:00:00.100000000', T1, 'a2', 'a1', 'cart', 'redis GET', 3, {
    kind: 'Client',
    attributes: { 'db.system': 'redis' },
  }),
  span('12:00:01.000000000', T1, 'b1', 'a1', 'payment', 'charge', 3000, {
    kind: 'Server',
    status: 'Ok',
    attributes: { amount: '19.99' },
    events: [
      ['12:00:01.500000000', 'exception'],
      ['12:00:02.500000000', 'exception'],
    ],
  }),
  span('12:00:01.200000000', T1, 'b2', 'b1', 'payment', 'bank call', 900, {
    kind: 'Client',
    status: 'Error',
    message: 'connection refused',
    attributes: { 'peer.service': 'bank-gateway', attempt: '1' },
  }),
  span('12:00:02.300000000', T1, 'b3', 'b1', 'payment', 'bank call', 800, {
    kind: 'Client',
    status: 'Error',
    message: 'Connection reset by peer',
    attributes: { 'peer.service': 'bank-gateway', attempt: '2' },
  }),
  span('12:00:03.400000000', T1, 'b4', 'b1', 'payment', 'bank call', 500, {
    kind: 'Client',
    status: 'Ok',
    attributes: { 'peer.service': 'bank-gateway', attempt: '3' },
  }),
  span('12:02:27.000000000', T2, 'c0', '', 'cart', 'GET /price', 3001, {
    kind: 'Server',
    status: 'Error',
    message: 'timeout',
    attributes: { 'http.request.method': 'GET', 'http.route': '/price', 'http.response.status_code': '504' },
  }),
  span('12:02:27.001000000', T2, 'c1', 'c0', 'cart', 'pricing call', 3000, {
    kind: 'Client',
    status: 'Error',
    message: 'deadline exceeded',
    attributes: { 'peer.service': 'pricing' },
  }),
  span('12:01:00.000000000', 'aa', 'd0', '', 'auth', 'POST /login', 45, {
    kind: 'Server',
    status: 'Ok',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/login',
      'http.response.status_code': '204',
      user: 'ann',
    },
  }),
  span('12:01:10.000000000', 'bb', 'e0', '', 'auth', 'POST /login', 52, {
    kind: 'Server',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/login',
      'http.response.status_code': '401',
      user: 'Bob',
    },
  }),
  span('12:01:11.000000000', 'cc', 'f0', '', 'auth', 'POST /login', 48, {
    kind: 'Server',
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/login',
      'http.response.status_code': '401',
      user: 'bob',
    },
  }),
  span('12:03:00.000000000', 'dd', 'g0', '', 'cart', 'GET /cart/{id}', 12, {
    kind: 'Server',
    attributes: { 'http.request.method': 'GET', 'http.route': '/cart/{id}', 'http.response.status_code': '200' },
  }),
  span('12:03:00.000000001', 'dd', 'g1', 'g0', 'cart', 'redis GET', 2, {
    kind: 'Client',
    attributes: { 'db.system': 'redis' },
  }),
  span('12:04:00.000000000', 'ee', 'h0', '', 'cart', 'GET /cart/{id}', 9, {
    kind: 'Server',
    attributes: { 'http.request.method': 'GET', 'http.route': '/cart/{id}', 'http.response.status_code': '404' },
  }),
]

function point(clock: string, service: string, name: string, unit: string, attributes: Row, more: Row): Row {
  return {
    ResourceAttributes: resources[service] ?? {},
    ScopeName: 'meter',
    ScopeVersion: '2',
    ServiceName: service,
    MetricName: name,
    MetricDescription: `${name} of ${service}`,
    MetricUnit: unit,
    Attributes: attributes,
    StartTimeUnix: at('11:00:00.000000000'),
    TimeUnix: at(clock),
    ...more,
  }
}

const clocks = ['12:00:00.000000000', '12:00:30.000000000', '12:01:00.000000000', '12:01:30.000000000']

const gauge: readonly Row[] = clocks.flatMap((clock, i) => [
  point(clock, 'cart', 'process.memory', 'By', { state: 'used' }, { Value: 100_000_000 + i * 1_000_000 }),
  point(clock, 'cart', 'process.cpu', '1', { core: '0' }, { Value: [0.1, 0.25, 0.7, 0.3][i] }),
  point(clock, 'cart', 'process.cpu', '1', { core: '1' }, { Value: [0.2, 0.35, 0.9, 0.1][i] }),
  point(clock, 'payment', 'process.cpu', '1', { core: '0' }, { Value: [0.05, 0.05, 0.5, 0.75][i] }),
  point(
    clock,
    'auth',
    'queue.length',
    '{item}',
    { queue: 'mail', Priority: 'high' },
    { Value: [0, 3, 12, 7][i], Flags: i === 0 ? 1 : 0 },
  ),
])

const sum: readonly Row[] = clocks.flatMap((clock, i) => [
  point(
    clock,
    'cart',
    'http.requests',
    '{request}',
    { route: '/cart', code: '200' },
    { Value: 1000 + 50 * i, AggregationTemporality: 2, IsMonotonic: true },
  ),
  point(
    clock,
    'cart',
    'http.requests',
    '{request}',
    { route: '/cart', code: '500' },
    { Value: 3 * i, AggregationTemporality: 2, IsMonotonic: true },
  ),
  point(
    clock,
    'cart',
    'http.requests',
    '{request}',
    { route: '/price', code: '200' },
    { Value: 400 + 10 * i, AggregationTemporality: 2, IsMonotonic: true },
  ),
  point(
    clock,
    'payment',
    'http.requests',
    '{request}',
    { route: '/charge', code: '200' },
    { Value: 77 + i, AggregationTemporality: 2, IsMonotonic: true },
  ),
  point(
    clock,
    'payment',
    'connections',
    '{connection}',
    { pool: 'bank' },
    { Value: [5, 8, 2, 4][i], AggregationTemporality: 1, IsMonotonic: false },
  ),
])

const bounds = [5, 10, 25, 50, 100]

const histogram: readonly Row[] = clocks.flatMap((clock, i) => [
  point(
    clock,
    'cart',
    'http.duration',
    'ms',
    { route: '/cart' },
    {
      Count: 10 * (i + 1),
      Sum: 123.5 * (i + 1),
      BucketCounts: [1, 2, 3, 2, 1, 1].map((n) => n * (i + 1)),
      ExplicitBounds: bounds,
      Min: 1.5,
      Max: 130 + i,
      AggregationTemporality: 2,
    },
  ),
  point(
    clock,
    'cart',
    'http.duration',
    'ms',
    { route: '/price' },
    {
      Count: 4 * (i + 1),
      Sum: 4000.25 * (i + 1),
      BucketCounts: [0, 0, 0, 1, 1, 2].map((n) => n * (i + 1)),
      ExplicitBounds: bounds,
      Min: 40,
      Max: 3000 + i,
      AggregationTemporality: 2,
    },
  ),
  point(
    clock,
    'payment',
    'http.duration',
    'ms',
    { route: '/charge' },
    {
      Count: i + 1,
      Sum: 900 * (i + 1),
      BucketCounts: [0, 0, 0, 0, 0, 1].map((n) => n * (i + 1)),
      ExplicitBounds: bounds,
      Min: 850,
      Max: 1000 + i,
      AggregationTemporality: 2,
    },
  ),
])

const exponential: readonly Row[] = clocks.flatMap((clock, i) => [
  point(
    clock,
    'cart',
    'db.duration',
    's',
    { 'db.system': 'redis' },
    {
      Count: 20 * (i + 1),
      Sum: 0.5 * (i + 1),
      Scale: 3,
      ZeroCount: i,
      PositiveOffset: -10,
      PositiveBucketCounts: [4, 8, 8],
      NegativeOffset: 0,
      NegativeBucketCounts: [],
      Min: 0.001,
      Max: 0.0625,
      AggregationTemporality: 2,
    },
  ),
  point(
    clock,
    'payment',
    'db.duration',
    's',
    { 'db.system': 'postgresql' },
    {
      Count: 6 * (i + 1),
      Sum: 1.25 * (i + 1),
      Scale: 2,
      ZeroCount: 0,
      PositiveOffset: -4,
      PositiveBucketCounts: [1, 2, 3],
      NegativeOffset: 0,
      NegativeBucketCounts: [],
      Min: 0.01,
      Max: 0.5 + i,
      AggregationTemporality: 2,
    },
  ),
  point(
    clock,
    'auth',
    'drift',
    's',
    { peer: 'ntp' },
    {
      Count: 5,
      Sum: -0.25 * i,
      Scale: 0,
      ZeroCount: 1,
      PositiveOffset: 0,
      PositiveBucketCounts: [1, 1],
      NegativeOffset: 0,
      NegativeBucketCounts: [1, 1],
      Min: -2,
      Max: 2,
      AggregationTemporality: 1,
    },
  ),
])

const summary: readonly Row[] = clocks.flatMap((clock, i) => [
  point(
    clock,
    'cart',
    'gc.pause',
    'ms',
    { gc: 'young' },
    { Count: 100 + i, Sum: 250.5 + i, 'ValueAtQuantiles.Quantile': [0.5, 0.99], 'ValueAtQuantiles.Value': [2, 9 + i] },
  ),
  point(
    clock,
    'cart',
    'gc.pause',
    'ms',
    { gc: 'old' },
    { Count: 2, Sum: 90, 'ValueAtQuantiles.Quantile': [0.5, 0.99], 'ValueAtQuantiles.Value': [40, 50] },
  ),
  point(
    clock,
    'payment',
    'gc.pause',
    'ms',
    { gc: 'young' },
    { Count: 40 + 2 * i, Sum: 60.25, 'ValueAtQuantiles.Quantile': [0.5], 'ValueAtQuantiles.Value': [1.5] },
  ),
])

export const otelRows: Readonly<Record<string, readonly Row[]>> = {
  otel_logs: logs,
  otel_traces: traces,
  otel_metrics_gauge: gauge,
  otel_metrics_sum: sum,
  otel_metrics_histogram: histogram,
  otel_metrics_exponential_histogram: exponential,
  otel_metrics_summary: summary,
}
