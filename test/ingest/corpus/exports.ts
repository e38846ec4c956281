import { at, atMs, atNs, one, some } from './corpus.ts'

/** Exports of searches, a record in each object. */
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
]
