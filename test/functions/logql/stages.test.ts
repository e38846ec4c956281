import { describe, expect, test } from 'vitest'
import { lineHoldsAddress, readAddressSet } from '../../../src/functions/logql/addresses.ts'
import { captureLine, matchesPattern, readCapturePattern } from '../../../src/functions/logql/capture-pattern.ts'
import { discoveredLevel, discoveredService } from '../../../src/ingest/loki/discover.ts'
import { LogEntry } from '../../../src/functions/logql/entry.ts'
import { fieldsOfLine } from '../../../src/functions/logql/line-fields.ts'
import type { LogqlStage } from '../../../src/functions/logql/stage.ts'
import { compileStages } from '../../../src/functions/logql/stages.ts'
import { readGoDuration, readSize } from '../../../src/functions/logql/units.ts'
import { lowerLogs, parseLogqlOrThrow, type LogqlTable } from '../../../src/lang/logql/index.ts'
import type { LogqlParams } from '../../../src/functions/logql/index.ts'

const table: LogqlTable = {
  name: 'logs',
  timeField: '_time',
  textField: 'content',
  streamFields: [],
  schema: { fields: [], isOpen: true },
  aliases: new Map(),
  discovered: [],
}

/** Compiles the stages of a LogQL query for use on a row. */
function stagesOf(text: string): readonly LogqlStage[] {
  const query = parseLogqlOrThrow(`{app="x"} ${text}`)
  if (query.kind !== 'log-query') throw new Error('is no log query')
  const plan = lowerLogs(query, table)
  const applied = plan.kind === 'project' ? plan.input : plan
  if (applied.kind !== 'apply') throw new Error('has no stages')
  return (applied.params as unknown as LogqlParams).stages
}

/** Runs stages on a line. Returns its labels, with the line if it has changed; `undefined` if the line is dropped. */
function made(stages: string, line: string): Readonly<Record<string, string>> | undefined {
  const entry = new LogEntry(line, 0n)
  entry.give('app', 'x', 'stream')
  entry.give('trace', 't1', 'metadata')
  if (!compileStages(stagesOf(stages), 0n)(entry)) return undefined
  const labels = [...entry.labels()].flatMap(([name, value, category]) =>
    category === 'parsed' ? [[name, value]] : [],
  )
  return { ...Object.fromEntries(labels), ...(entry.line === line ? {} : { line: entry.line }) } as Record<
    string,
    string
  >
}

const notArray = "Value is array, but can't find closing ']' symbol"
const notObject = "Value looks like object, but can't find closing '}' symbol"

describe('parsers', () => {
  test.each([
    ['| json', '{"a":{"b":{"c":"deep"}},"dup":1,"dup":2}', { a_b_c: 'deep', dup: '1' }],
    [
      '| json',
      '{"a-b":"dash","a.b":"dot","1st":"digit","":"empty","ключ":"w"}',
      { a_b: 'dash', _1st: 'digit', ____: 'w' },
    ],
    [
      '| json',
      '{"app":"line","trace":"t2","n":null,"l":[1],"t":true,"e":""}',
      { app_extracted: 'line', trace_extracted: 't2', t: 'true', e: '' },
    ],
    ['| json', String.raw`{"s":"q\"\\\n\u00e9"}`, { s: 'q"\\\né' }],
    ['| json', '{"a":1', { a: '1', __error__: 'JSONParserErr', __error_details__: notArray }],
    ['| json', 'no object', { __error__: 'JSONParserErr', __error_details__: notObject }],
    ['| json a="p.q[0].r", b="nothing", c="p"', '{"p":{"q":[{"r":1}]}}', { a: '1', b: '', c: '{"q":[{"r":1}]}' }],
    ['| json a', 'text', { __error__: 'JSONParserErr' }],
    ['| logfmt', 'k="a b" bare e= a=b=c x=1 x=2 app=line', { k: 'a b', x: '1', app_extracted: 'line' }],
    ['| logfmt --keep-empty', 'bare e="" x=1', { bare: '', e: '', x: '1' }],
    [
      '| logfmt --strict',
      'x=1 a=b=c',
      { x: '1', __error__: 'LogfmtParserErr', __error_details__: "logfmt syntax error at pos 8 : unexpected '='" },
    ],
    ['| logfmt k, z="y"', 'k=1 k=2', { k: '2', z: '' }],
    ['| pattern "<ip> - <_> [<at>]"', '10.0.0.1 - ana [now]', { ip: '10.0.0.1', at: 'now' }],
    ['| pattern "<a> x <b>"', 'no such text', { a: 'no such text' }],
    ['| regexp "(?P<n>\\\\d+) (?P<u>[a-z]+)?"', 'took 12 ms', { n: '12', u: 'ms' }],
    [
      '| unpack',
      '{"_entry":"the line","container":"c1","count":3,"app":"y"}',
      { container: 'c1', app_extracted: 'y', line: 'the line' },
    ],
    ['| unpack', '{"container":"c1"}', {}],
  ])('%s reads %s', (stages, line, labels) => {
    expect(made(stages, line)).toEqual(labels)
  })

  test('stop where all labels that are needed are found', () => {
    const stages: LogqlStage[] = [{ kind: 'json', extractions: [], needed: ['a'] }]
    const entry = new LogEntry('{"a":1,"b":', 0n)
    compileStages(stages, 0n)(entry)
    expect([...entry.labels()]).toEqual([['a', '1', 'parsed']])
  })

  test('the fields of a line say where they stand in it', () => {
    expect([...fieldsOfLine('{"a":{"b":1}}', new Set(['a_b']))]).toEqual([
      { label: 'a_b_extracted', value: '1', parser: 'json', path: ['a', 'b'] },
    ])
    expect([...fieldsOfLine('k=v', new Set())]).toEqual([{ label: 'k', value: 'v', parser: 'logfmt', path: undefined }])
  })
})

describe('conditions', () => {
  test.each([
    ['| logfmt | n>=5 and s="x"', 'n=5 s=x', true],
    ['| logfmt | n>=5 and s="x"', 'n=5 s=y', false],
    ['| logfmt | nothing!=1', 'n=5', false],
    ['| logfmt | nothing!="x"', 'n=5', true],
    ['| logfmt | s=~"a.c"', 's=xabcx', false],
    ['| logfmt | took>1s', 'took=1m30s', true],
    ['| logfmt | size>=1KiB', 'size=1024', true],
    ['| logfmt | ip=ip("10.0.0.0/8")', 'ip=10.1.2.3', true],
    ['| logfmt | ip!=ip("10.0.0.0/8")', 'ip=10.1.2.3', false],
    ['| logfmt | a=1 or b=2', 'b=2 a=3', true],
  ])('%s of %s: %s', (stages, line, passes) => {
    expect(made(stages, line) !== undefined).toBe(passes)
  })

  test('a value that cannot be read passes, with an error', () => {
    expect(made('| logfmt | n>5', 'n=x')).toEqual({
      n: 'x',
      __error__: 'LabelFilterErr',
      __error_details__: 'strconv.ParseFloat: parsing "x": invalid syntax',
    })
  })
})

describe('changes', () => {
  test.each([
    ['| logfmt | label_format b=a', 'a=1', { b: '1' }],
    ['| logfmt | label_format b="{{.a}}!"', 'a=1', { a: '1', b: '1!' }],
    ['| logfmt | line_format "{{.a}} {{.app}}"', 'a=1', { a: '1', line: '1 x' }],
    ['| logfmt | drop a, b="2"', 'a=1 b=2 c=3', { c: '3' }],
    ['| logfmt | keep c', 'a=1 c=3', { c: '3' }],
    ['| json | drop __error__, __error_details__', 'text', {}],
    ['| decolorize', '\u001b[31mred\u001b[0m', { line: 'red' }],
  ])('%s of %s', (stages, line, labels) => {
    expect(made(stages, line)).toEqual(labels)
  })
})

describe('patterns of lines', () => {
  test.each([
    ['progress <_>', 'in progress 5%', true],
    ['<_>beat', 'beat', false],
    ['job', 'my job', true],
    ['job', 'job 1', false],
    ['', '', true],
    ['', 'x', false],
    ['a <_> b', 'a \n b', true],
  ])('%j matches %j: %s', (pattern, line, matches) => {
    expect(matchesPattern(readCapturePattern(pattern), line)).toBe(matches)
  })

  test('a `<` that begins no name is text', () => {
    expect(captureLine(readCapturePattern('<a><<b>'), 'x<y')).toEqual([
      ['a', 'x'],
      ['b', 'y'],
    ])
  })
})

describe('addresses', () => {
  test.each([
    ['10.0.0.1', 'from 10.0.0.1:80', true],
    ['10.0.0.1', '1.10.0.0.1', false],
    ['10.0.0.0/8', 'x 10.255.1.1', true],
    ['10.0.0.1-10.0.0.9', '10.0.0.9', true],
    ['2001:db8::/32', '[2001:db8::1]:443', true],
    ['::/0', '10.0.0.1', false],
  ])('%s in %s: %s', (set, line, isHeld) => {
    const addresses = readAddressSet(set)
    expect(addresses !== undefined && lineHoldsAddress(addresses, line)).toBe(isHeld)
  })

  test.each(['x', '10.0.0', '10.0.0.9-10.0.0.1', '10.0.0.1-::1', '10.0.0.0/33'])('%s is none', (text) => {
    expect(readAddressSet(text)).toBeUndefined()
  })
})

test.each([
  ['1h2m3.5s', 3_723_500_000_000],
  ['-5ms', -5_000_000],
  ['0', 0],
  ['5', { reason: 'time: missing unit in duration "5"' }],
  ['1d', { reason: 'time: unknown unit "d" in duration "1d"' }],
  ['', { reason: 'time: invalid duration ""' }],
])('the duration %j', (text, value) => {
  expect(readGoDuration(text)).toEqual(value)
})

test.each([
  ['1.5 MB', 1_500_000],
  ['1kib', 1024],
  ['700', 700],
  ['5s', { reason: 'unhandled size name: s' }],
  ['x', { reason: 'strconv.ParseFloat: parsing "": invalid syntax' }],
])('the size %j', (text, value) => {
  expect(readSize(text)).toEqual(value)
})

describe('what a push of Loki tells', () => {
  test.each([
    [
      [
        ['job', 'j'],
        ['app', 'a'],
      ],
      'a',
    ],
    [[['pod', 'p']], 'unknown_service'],
  ] as const)('service of %j', (labels, service) => {
    expect(discoveredService(labels)).toBe(service)
  })

  test.each([
    [[['level', 'WARN']], [], 'x', 'warn'],
    [[], [['severity', 'high']], 'level=err x', 'error'],
    [[], [], '{"level":"dbg"}', 'debug'],
    [[], [], 'ERROR: no', 'error'],
    [[], [], 'GET / 200', 'unknown'],
  ] as const)('level of %j %j %s', (labels, metadata, line, level) => {
    expect(discoveredLevel(labels, metadata, line)).toBe(level)
  })
})
