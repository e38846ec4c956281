import snappy from 'snappyjs'
import type { Operation, Takes } from './operations.ts'
import type { BadCall, RequestClass } from './request-class.ts'

type Bytes = Uint8Array<ArrayBuffer>

function ingest(
  name: string,
  takes: Takes,
  bodies: readonly (string | Bytes)[],
  headers: Readonly<Record<string, string>> = {},
  statuses?: readonly number[],
): RequestClass {
  return {
    name,
    of: (operation) =>
      operation.takes === takes
        ? bodies.map((body, i): BadCall => ({ name: `${name} ${i}`, body, headers, statuses }))
        : [],
  }
}

const bytes = (...values: readonly number[]): Bytes => Uint8Array.from(values)

/** Returns a protobuf field with its length prefix. The default field number is 1. */
const field = (content: Uint8Array, number = 1): Bytes =>
  Uint8Array.from([(number << 3) | 2, content.length, ...content])

/** Byte sequences that are no valid protobuf message of any type. */
const noMessages: readonly Bytes[] = [
  bytes(0xff),
  bytes(0x0a),
  bytes(0x0a, 0x05, 0x01),
  bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f),
  bytes(0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01),
  bytes(0x0b, 0x0b, 0x0b),
  bytes(0x0f, 0x00),
  bytes(0x08, 0x01, 0x0a, 0x02, 0x08),
  bytes(0x00, 0x00),
  Uint8Array.from(Buffer.from('this is not a message at all')),
  Uint8Array.from(Array.from({ length: 500 }, (_, i) => (i * 73 + 11) % 256)),
]

const JSON_LINES = { 'Content-Type': 'application/x-ndjson' }
const JSON_TYPE = { 'Content-Type': 'application/json' }
const SNAPPY = { 'Content-Encoding': 'snappy' }

const packed = (content: Uint8Array): Bytes => Uint8Array.from(snappy.compress(content))

/** A snappy header that announces 4 GiB, followed by no data. */
const SNAPPY_BOMB = bytes(0xff, 0xff, 0xff, 0xff, 0x0f, 0x00)

const notLogs: RequestClass = {
  name: 'lines: nothing that is JSON',
  of: ({ takes, template }) =>
    takes === 'lines' && template !== '/api/ingest/logs'
      ? ['x', 'a=b', '<x/>', '{', '[', '{"a":1', '1', '"x"', 'null', '[1,2]', '[[]]', 'x\ny\nz'].map((body) => ({
          name: body,
          body,
          headers: JSON_LINES,
          statuses: [400],
        }))
      : [],
}

/** Bodies that are no JSON objects, for agent operations. The `/raw` operations accept any text. */
const notAgents: RequestClass = {
  name: 'agents: no objects',
  of: ({ takes, template }) =>
    takes === 'agent' && !template.endsWith('/raw')
      ? ['x', '7', '"x"', '{', '[', '[1,2]', '{"a":', 'null', '['.repeat(100_000), `${'{"a":'.repeat(10_000)}1`].map(
          (body) => ({ name: body.slice(0, 20), body, statuses: [400] }),
        )
      : [],
}

const dataClasses: readonly RequestClass[] = [
  notLogs,
  notAgents,
  ingest(
    'lines: broken JSON',
    'lines',
    ['{"a":', '{"a":1,}', '{"a":01}', "{'a':1}", '{"a":tru}', '[{"a":1}', '{"a":"\u0001"}', '{"a":1}}'],
    JSON_TYPE,
    [400],
  ),
  ingest(
    'lines: too deep',
    'lines',
    [
      `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
      `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
      '['.repeat(100_000),
    ],
    JSON_TYPE,
    [400],
  ),
  ingest(
    'lines: no UTF-8',
    'lines',
    [bytes(0x7b, 0xff, 0x7d), Uint8Array.from(Buffer.from('{"a":1}', 'utf16le'))],
    JSON_TYPE,
    [400],
  ),
  ingest('OTLP: broken messages', 'otlp', noMessages, {}, [400]),
  ingest('OTLP: too deep', 'otlp', [Uint8Array.from(Array(20_000).fill(0x0b))], {}, [400]),
  ingest(
    'OTLP: broken JSON',
    'otlp',
    [
      '',
      ' ',
      'null',
      '[]',
      '1',
      '{',
      '{"resourceLogs":1}x',
      '{"a":1,}',
      '['.repeat(10_000),
      `{"resourceLogs":${'['.repeat(10_000)}${']'.repeat(10_000)}}`,
    ],
    JSON_TYPE,
    [400],
  ),
  ingest(
    'OTLP: JSON of the wrong shape',
    'otlp',
    [
      '{"resourceLogs":1,"resourceSpans":1,"resourceMetrics":1}',
      '{"resourceLogs":"x","resourceSpans":"x","resourceMetrics":"x"}',
      '{"resourceLogs":[1],"resourceSpans":[1],"resourceMetrics":[1]}',
      '{"resourceLogs":[{"scopeLogs":5}],"resourceSpans":[{"scopeSpans":5}],"resourceMetrics":[{"scopeMetrics":5}]}',
    ],
    JSON_TYPE,
    [400],
  ),
  ingest('Loki: not packed', 'loki', ['x', '', SNAPPY_BOMB, ...noMessages.slice(0, 3)], {}, [400, 413]),
  ingest('Loki: broken messages', 'loki', noMessages.map(packed), {}, [400]),
  ingest(
    'Loki: JSON of the wrong shape',
    'loki',
    ['', 'null', '[]', '1', '{', '{"streams":1}', '{"streams":[1]}', '{"streams":[{"stream":{},"values":[1]}]}'],
    JSON_TYPE,
    [400],
  ),
  ingest(
    'remote write: not packed',
    'snappy',
    ['x', '', bytes(0xff, 0xff), SNAPPY_BOMB, bytes(0x05, 0x00), ...noMessages.slice(0, 3)],
    SNAPPY,
    [400, 413],
  ),
  ingest(
    'remote write: broken messages',
    'snappy',
    noMessages.filter((message) => message[0] !== 0).map(packed),
    SNAPPY,
    [400],
  ),
  ingest(
    'remote write: series without a name',
    'snappy',
    [packed(field(bytes(0x12, 0x09, 0x09, 0, 0, 0, 0, 0, 0, 0, 0)))],
    SNAPPY,
    [400],
  ),
  ingest(
    'text format: broken lines',
    'exposition',
    [
      '{',
      'a{',
      'a{b',
      'a{b=',
      'a{b="',
      'a{b="c"',
      'a{b="c"}',
      'a x',
      'a 1 x',
      '1a 2',
      'a{b="c",b="d"} 1 x',
      '🙂 🙂',
      'a\u0000b',
      'a b c d',
    ],
    {},
    [400],
  ),
]

const badTimes = ['x', '1e400', 'now', '2026-13-01T00:00:00Z', '-', '0x10', 'NaN', '99999999999999999']
const badExpressions = [
  'up{',
  'sum(',
  'up{a=~"("}',
  '1 +',
  'foo bar',
  'up[5m',
  'rate(up)',
  'unknown_function(up)',
  '{}',
  '('.repeat(3000),
  'x'.repeat(70_000),
  '"',
  'up{__name__="a",__name__=~',
].map((text) => ({ query: text }))
const badSteps = ['0', '-1', 'x', '1e-9', '-1m', 'NaN', '1e400']
const range = { query: 'up', start: '1767225600', end: '1767229200', step: '60' }

type Given = Readonly<Record<string, string>>

/** Returns every kind of invalid parameter for a read route. */
function wrongQuestions(template: string): Readonly<Record<string, readonly Given[]>> {
  const times = (base: Given, names: readonly string[]): readonly Given[] =>
    names.flatMap((name) => badTimes.map((value) => ({ ...base, [name]: value })))
  const limits = (base: Given): readonly Given[] =>
    ['-1', 'x', '1.5', '1e3', '99999999999999999999'].map((limit) => ({ ...base, limit }))
  const selectors = ['up{', 'sum(up)', '{', '{}', 'up[5m]', '1', 'a b', '('.repeat(3000)].map((match) => ({
    'match[]': match,
  }))
  switch (template) {
    case '/api/v1/query':
      return {
        'no expression': [{}, { query: '' }],
        expressions: badExpressions,
        times: times({ query: 'up' }, ['time']),
        limits: limits({ query: 'up' }),
        durations: ['timeout', 'lookback_delta']
          .flatMap((name) => ['-1', 'x', '1y1'].map((value) => ({ query: 'up', [name]: value })))
          .concat({ query: 'up', timeout: '0' }),
      }
    case '/api/v1/query_range':
      return {
        'no expression': [{}, { ...range, query: '' }],
        expressions: badExpressions.map(({ query }) => ({ ...range, query })),
        times: [
          ...times(range, ['start', 'end']),
          { ...range, start: '' },
          { ...range, end: '' },
          { ...range, start: range.end, end: range.start },
        ],
        limits: limits(range),
        durations: [
          ...badSteps.map((step) => ({ ...range, step })),
          { ...range, step: '' },
          { ...range, step: '0.001' },
          { ...range, start: '0', step: '1' },
        ],
      }
    case '/api/v1/series':
    case '/api/v1/labels':
    case '/api/v1/label/{name}/values':
      return {
        'no expression': template === '/api/v1/series' ? [{}] : [],
        expressions: selectors,
        times: times({ 'match[]': 'up' }, ['start', 'end']),
        limits: limits({ 'match[]': 'up' }),
      }
    case '/api/v1/metadata':
      return { limits: [...limits({}), ...['-1', 'x'].map((limit) => ({ limit_per_metric: limit }))] }
    case '/api/v1/parse_query':
    case '/api/v1/format_query':
      return {
        'no expression': [{}, { query: '' }],
        expressions: badExpressions.filter(({ query }) => !/^rate|^unknown/.test(query)),
      }
    default:
      return {}
  }
}

function readClass(name: string): RequestClass {
  return {
    name: `metric reads: ${name}`,
    of: ({ template, path, takes }: Operation) =>
      (wrongQuestions(template)[name] ?? []).map((given): BadCall => {
        const text = new URLSearchParams(given).toString()
        const shown = text.slice(0, 60)
        return takes === 'form'
          ? { name: shown, body: text, statuses: [400, 422, 431] }
          : { name: shown, path: `${path}?${text}`, statuses: [400, 422, 431] }
      }),
  }
}

export const ingestAndReadClasses: readonly RequestClass[] = [
  ...dataClasses,
  ...['no expression', 'expressions', 'times', 'limits', 'durations'].map(readClass),
]
