import { at, atMs, atNs, one, some } from './corpus.ts'

/** Exported search results with one record per object. */
export const exports = [
  some(
    'logcli, JSON lines',
    [
      '{"labels":{"app":"shop","level":"error"},"line":"boom in checkout","timestamp":"2025-11-30T10:11:12.345678901Z"}',
      '{"labels":{"app":"shop"},"line":"{\\"level\\":\\"info\\",\\"msg\\":\\"up\\"}","timestamp":"2025-11-30T10:11:13Z"}',
    ].join('\n'),
    { text: 'boom in checkout', level: 'error', time: atNs, service: 'shop' },
    { text: 'up', level: 'info', time: '2025-11-30T10:11:13.000000000Z', service: 'shop' },
  ),
  some(
    'Splunk',
    [
      '{"preview":false,"offset":0,"result":{"_time":"2025-11-30T10:11:12.345+0000","_raw":"GET /checkout","host":"web-1"}}',
      '{"preview":false,"offset":1,"lastrow":true,"result":{"_time":"2025-11-30T10:11:13.000+0000","_raw":"GET /a"}}',
    ].join('\n'),
    { text: 'GET /checkout', time: atMs, fields: { host: 'web-1', offset: undefined } },
    { text: 'GET /a', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  one(
    'Splunk, one list',
    { preview: false, results: [{ _time: '2025-11-30T10:11:12.345+00:00', _raw: 'GET /checkout' }] },
    { text: 'GET /checkout', time: atMs },
  ),
  one(
    'elasticdump',
    {
      _index: 'logs-1',
      _id: 'a',
      _score: 1,
      _source: { '@timestamp': '2025-11-30T10:11:12.345Z', message: 'up', log: { level: 'warn' } },
    },
    { text: 'up', level: 'warn', time: atMs, fields: { _score: undefined } },
  ),
  one(
    'Elasticsearch, answer of a search',
    {
      took: 3,
      hits: { total: 1, hits: [{ _id: 'a', _source: { '@timestamp': '2025-11-30T10:11:12.345Z', message: 'up' } }] },
    },
    { text: 'up', time: atMs },
  ),
  one('a record with a result and a line', '{"result":{"ok":true},"line":7,"msg":"up","time":"2025-11-30T10:11:12Z"}', {
    text: 'up',
    time: at,
    fields: { 'result.ok': true, line: 7 },
  }),
  some(
    'kubectl get events',
    JSON.stringify(
      {
        apiVersion: 'v1',
        items: [
          {
            kind: 'Event',
            lastTimestamp: '2025-11-30T10:11:12Z',
            firstTimestamp: '2025-11-30T10:00:00Z',
            involvedObject: { kind: 'Pod', name: 'shop-1' },
            message: 'Back-off restarting',
            reason: 'BackOff',
            type: 'Warning',
          },
          {
            kind: 'Event',
            eventTime: '2025-11-30T10:11:13.000000Z',
            lastTimestamp: null,
            involvedObject: { kind: 'Pod', name: 'shop-2' },
            message: 'Started',
            reason: 'Started',
            type: 'Normal',
          },
        ],
        kind: 'List',
        metadata: { resourceVersion: '' },
      },
      null,
      2,
    ),
    { text: 'Back-off restarting', level: 'warn', time: at, service: 'shop-1' },
    { text: 'Started', level: 'info', time: '2025-11-30T10:11:13.000000000Z', service: 'shop-2' },
  ),
  some(
    'a list of items',
    '{"items":[{"msg":"a","time":"2025-11-30T10:11:12Z"},{"msg":"b","time":"2025-11-30T10:11:13Z"}]}',
    { text: 'a', time: at },
    { text: 'b', time: '2025-11-30T10:11:13.000000000Z' },
  ),
  one(
    'a record with items of its own',
    {
      items: [{ sku: 1 }],
      data: [{ type: 'x' }],
      status: 'ok',
      events: [{ a: 1 }],
      msg: 'own',
      time: '2025-11-30T10:11:12Z',
    },
    { text: 'own', time: at, fields: { items: [{ sku: 1 }], data: [{ type: 'x' }], events: [{ a: 1 }] } },
  ),
  one(
    'a record with a status and data',
    { status: 'success', data: { resultType: 'x', result: [1] }, msg: 'own', time: '2025-11-30T10:11:12Z' },
    { text: 'own', time: at, fields: { 'data.resultType': 'x' } },
  ),
  one('a record of hits alone', { hits: { hits: 3 } }, { fields: { 'hits.hits': 3 } }),
  some(
    'Loki, answer of a query',
    JSON.stringify({
      status: 'success',
      data: {
        resultType: 'streams',
        result: [
          {
            stream: { app: 'shop', level: 'error' },
            values: [
              ['1764497472345678901', 'boom in checkout'],
              ['1764497473345678901', '{"level":"info","msg":"up"}', { pod: 'shop-1' }],
            ],
          },
          { stream: { app: 'db' }, values: [['1764497474345678901', 'ready']] },
        ],
        stats: {},
      },
    }),
    { text: 'boom in checkout', level: 'error', time: atNs, service: 'shop' },
    { text: 'up', level: 'info', time: '2025-11-30T10:11:13.345678901Z', service: 'shop', fields: { pod: 'shop-1' } },
    { text: 'ready', time: '2025-11-30T10:11:14.345678901Z', service: 'db' },
  ),
  some(
    'logcli, text',
    [
      '2025-11-30T10:11:12Z {app="shop", level="error"} boom in checkout',
      '2025-11-30T11:11:13+01:00 {app="db"}                   {"level":"info","msg":"up"}',
      '2025-11-30T10:11:14Z {}  plain {not="labels"}',
    ].join('\n'),
    { text: 'boom in checkout', level: 'error', time: at, service: 'shop' },
    { text: 'up', level: 'info', time: '2025-11-30T10:11:13.000000000Z', service: 'db' },
    { text: 'plain {not="labels"}', time: '2025-11-30T10:11:14.000000000Z' },
  ),
  one('a line with braces that are no labels', '2025-11-30T10:11:12Z {a, b} ERROR no room', {
    text: '2025-11-30T10:11:12Z {a, b} ERROR no room',
    level: 'error',
    time: at,
  }),
  ...[{}, { searchedLogStreams: [] }, { nextToken: 'f/1' }, { nextForwardToken: 'f/1', nextBackwardToken: 'b/1' }].map(
    (beside, i) =>
      one(
        `CloudWatch, events, ${i}`,
        { events: [{ timestamp: 1764497472345, message: 'no room', ingestionTime: 1764497472346 }], ...beside },
        { text: 'no room', time: atMs },
      ),
  ),
  one(
    'Datadog, answer of a search',
    {
      data: [
        {
          id: 'A',
          type: 'log',
          attributes: {
            timestamp: '2025-11-30T10:11:12.345Z',
            status: 'error',
            service: 'shop',
            message: 'no room',
            tags: ['env:prod'],
            attributes: { http: { status_code: 500 } },
          },
        },
      ],
      meta: { elapsed: 1 },
    },
    {
      text: 'no room',
      level: 'error',
      time: atMs,
      service: 'shop',
      fields: { 'http.status_code': 500, tags: ['env:prod'] },
    },
  ),
  some(
    'Elasticsearch, hits alone',
    JSON.stringify({
      hits: {
        hits: [
          { _id: '1', _source: { message: 'a', '@timestamp': '2025-11-30T10:11:12Z' } },
          { _id: '2', fields: { message: ['b'], '@timestamp': ['2025-11-30T10:11:13Z'], tags: ['x', 'y'] } },
        ],
      },
    }),
    { text: 'a', time: at },
    { text: 'b', time: '2025-11-30T10:11:13.000000000Z', fields: { tags: ['x', 'y'] } },
  ),
]
