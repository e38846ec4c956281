import { MINUTE_MS, parseRfc3339, SluiceError, type Span } from '../../../base/index.ts'
import { Labels } from '../../../data/index.ts'
import type { LabelMatcher } from '../../../plan/index.ts'
import { readSilenceMatchers, parseMatchers } from '../../matchers/index.ts'
import { durationMs } from '../../monitors/index.ts'
import { YamlDocument, type YamlValue } from '../../yaml/index.ts'
import { parseSeriesNotation, type SeriesDescription } from '../promtool/series/notation.ts'

/** A JSON object of a test file. */
export type TestObject = Readonly<Record<string, unknown>>

/** Rows of one table: a single row, or a row repeated at regular times. Times are Unix ms. */
export interface TestRows {
  readonly table: string
  readonly row: TestObject
  readonly timesMs: readonly number[]
}

/** Samples of one series, `intervalMs` apart from the start of the test. */
export interface TestSeries {
  readonly series: SeriesDescription
  readonly intervalMs: number
}

/** An event during a test. `endMs` is exclusive. */
export type Happening =
  | { readonly kind: 'fail'; readonly atMs: number; readonly endMs: number; readonly reason: string }
  | { readonly kind: 'down'; readonly atMs: number; readonly endMs: number }
  /** `monitor` is a title; `undefined` means the first monitor. */
  | { readonly kind: 'edit'; readonly atMs: number; readonly monitor: string | undefined; readonly body: TestObject }
  | { readonly kind: 'delete'; readonly atMs: number; readonly monitor: string | undefined }
  | {
      readonly kind: 'silence'
      readonly atMs: number
      readonly endMs: number
      readonly matchers: readonly LabelMatcher[]
    }

/** Expected members of an instance; missing members are not compared. */
export interface ExpectedInstance {
  readonly labels: Labels
  readonly state: string | undefined
  readonly value: number | undefined
  readonly activeAtMs: number | undefined
  readonly annotations: Labels | undefined
}

export interface ExpectedDelivery {
  readonly atMs: number
  readonly status: string
  readonly firing: readonly string[]
  readonly resolved: readonly string[]
}

export interface MonitorTest {
  readonly name: string
  /** Position of the test in its file. */
  readonly span: Span
  readonly startMs: number
  /** Evaluation interval that replaces those of the monitors; `undefined` if each has its own. */
  readonly intervalMs: number | undefined
  readonly untilMs: number
  readonly rows: readonly TestRows[]
  readonly series: readonly TestSeries[]
  readonly happenings: readonly Happening[]
  /** Expected states by label set, one letter for each evaluation; `undefined` if not compared. */
  readonly states: ReadonlyMap<string, string> | undefined
  readonly expected: readonly { readonly atMs: number; readonly instances: readonly ExpectedInstance[] }[]
  readonly notified: readonly ExpectedDelivery[] | undefined
  /** Members of Alertmanager's `route` that override those of the test. */
  readonly route: TestObject
}

export interface MonitorTestFile {
  /** Definitions, or paths of files with one definition each. */
  readonly monitors: readonly (string | TestObject)[]
  readonly tests: readonly MonitorTest[]
}

/** Maximum number of rows in a test, and of samples. Within these limits a test takes at most some minutes. */
const MAX_TEST_ROWS = 1_000_000

/** Maximum size of the rows in a test as JSON, UTF-16 units. */
const MAX_TEST_CHARS = 64 * 1024 * 1024

class TestReader {
  readonly #startMs: number
  #rows = 0
  #rowChars = 0
  #samples = 0

  constructor(startMs: number) {
    this.#startMs = startMs
  }

  /** Parses an offset from the start of the test, or an RFC 3339 time. */
  timeMs(value: YamlValue): number {
    const text = value.text()
    const ns = parseRfc3339(text)
    if (ns !== undefined) return Number(ns / 1_000_000n)
    return this.#startMs + this.durationMs(value)
  }

  durationMs(value: YamlValue): number {
    const ms = durationMs(value.text())
    if (ms === undefined)
      value.fault(`${value.name} must be a duration such as \`5m\`, or a time such as \`2026-01-01T00:00:00Z\`.`)
    return ms ?? 0
  }

  rows(data: YamlValue): readonly TestRows[] {
    return [...data.entries()].flatMap(([table, list]) => (table === 'metrics' ? [] : this.#rowsOf(table, list)))
  }

  #rowsOf(table: string, list: YamlValue): readonly TestRows[] {
    return list.items().map((item) => {
      const entries = item.entries()
      const at = entries.get('at')
      if (at !== undefined) {
        const { at: _, ...row } = item.plain() as TestObject
        this.#countRows(item, row, 1)
        return { table, row, timesMs: [this.timeMs(at)] }
      }
      const missing = ['from', 'to', 'every'].filter((name) => !entries.has(name))
      const member = item.members('rows', ['from', 'to', 'every', 'row'])
      if (missing.length > 0) {
        const names = missing.map((name) => `\`${name}\``).join(', ')
        item.fault(`A row has \`at\`, or \`from\`, \`to\`, \`every\` and \`row\`. Missing here: ${names}.`)
        return { table, row: {}, timesMs: [] }
      }
      const [fromMs, toMs, everyMs] = [
        this.timeMs(member('from')),
        this.timeMs(member('to')),
        this.durationMs(member('every')),
      ]
      const count = everyMs > 0 ? Math.max(0, Math.ceil((toMs - fromMs) / everyMs)) : 0
      if (everyMs <= 0) member('every').fault('`every` must be longer than 0.')
      const row = (member('row').plain() ?? {}) as TestObject
      if (!this.#countRows(item, row, count)) return { table, row: {}, timesMs: [] }
      const timesMs = Array.from({ length: count }, (_, i) => fromMs + i * everyMs)
      return { table, row, timesMs }
    })
  }

  /** Returns false and records an error if the test has too many rows or rows that are too long. */
  #countRows(item: YamlValue, row: TestObject, count: number): boolean {
    this.#rows += count
    this.#rowChars += count * JSON.stringify(row).length
    if (this.#rows > MAX_TEST_ROWS) item.fault(`A test has at most ${MAX_TEST_ROWS} rows.`)
    else if (this.#rowChars > MAX_TEST_CHARS) item.fault('The rows of a test have at most 64 Mi characters.')
    else return true
    return false
  }

  series(metrics: YamlValue | undefined): readonly TestSeries[] {
    return (metrics?.items() ?? []).flatMap((item) => {
      const member = item.members('a series', ['series', 'values', 'interval'])
      const text = `${member('series').text()} ${member('values').text()}`
      const { series, diagnostics } = parseSeriesNotation(text)
      if (series === undefined) {
        member('values').fault(`The series cannot be read: ${diagnostics[0]?.message ?? text}`)
        return []
      }
      this.#samples += series.points.length
      if (this.#samples > MAX_TEST_ROWS) {
        member('values').fault(`The series of a test have at most ${MAX_TEST_ROWS} samples.`)
        return []
      }
      return [{ series, intervalMs: member('interval').given((value) => this.durationMs(value)) ?? MINUTE_MS }]
    })
  }

  happenings(list: YamlValue): readonly Happening[] {
    return list.items().map((item): Happening => {
      const member = item.members('an event', ['at', 'fail', 'for', 'down', 'edit', 'delete', 'monitor', 'silence'])
      const atMs = this.timeMs(member('at'))
      const monitor = member('monitor').text() || undefined
      if (!member('fail').isNull)
        return { kind: 'fail', atMs, endMs: atMs + this.durationMs(member('for')), reason: member('fail').text() }
      if (!member('down').isNull) return { kind: 'down', atMs, endMs: atMs + this.durationMs(member('down')) }
      if (!member('edit').isNull) return { kind: 'edit', atMs, monitor, body: member('edit').plain() as TestObject }
      if (!member('silence').isNull) {
        const silence = member('silence').members('a silence', ['matchers', 'for'])
        const given = silence('matchers').plain()
        const matchers = readSilenceMatchers(Array.isArray(given) ? given : [], ['matchers'])
        return { kind: 'silence', atMs, endMs: atMs + this.durationMs(silence('for')), matchers }
      }
      if (!member('delete').boolean())
        item.fault('An event is one of `fail`, `down`, `edit`, `delete: true` and `silence`.')
      return { kind: 'delete', atMs, monitor }
    })
  }

  expected(list: YamlValue): MonitorTest['expected'] {
    return list.items().map((item) => {
      const member = item.members('an expectation', ['at', 'instances'])
      return {
        atMs: this.timeMs(member('at')),
        instances: member('instances')
          .items()
          .map((each) => this.#instance(each)),
      }
    })
  }

  #instance(item: YamlValue): ExpectedInstance {
    const member = item.members('an instance', ['labels', 'state', 'value', 'activeAt', 'annotations'])
    return {
      labels: Labels.from(member('labels').texts()),
      state: member('state').given((value) => value.text()),
      value: member('value').given((value) => value.number()),
      activeAtMs: member('activeAt').given((value) => this.timeMs(value)),
      annotations: member('annotations').given((value) => Labels.from(value.texts())),
    }
  }

  notified(list: YamlValue): readonly ExpectedDelivery[] {
    return list.items().map((item) => {
      const member = item.members('a notification', ['at', 'status', 'firing', 'resolved'])
      const labels = (value: YamlValue): readonly string[] => value.items().map((each) => labelText(each, each.text()))
      const status = member('status')
      if (!['firing', 'resolved'].includes(status.text())) status.fault('`status` must be `firing` or `resolved`.')
      return {
        atMs: this.timeMs(member('at')),
        status: status.text(),
        firing: labels(member('firing')),
        resolved: labels(member('resolved')),
      }
    })
  }
}

/** Returns labels such as `{a="x", b="y"}` in canonical form. Records an error for another text. */
function labelText(value: YamlValue, text: string): string {
  try {
    const matchers = parseMatchers(text)
    if (matchers.every(({ op }) => op === '='))
      return Labels.from(matchers.map((matcher) => [matcher.label, matcher.value])).toString()
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
  }
  value.fault(`\`${text}\` must be labels such as \`{alertname="T", host="a"}\`.`)
  return text
}

/** Returns the state letters of a label set. Records an error for an unknown letter. */
function stateLetters(value: YamlValue): string {
  const text = value.text()
  const unknown = /[^.PANE-]/u.exec(text)
  if (unknown !== null)
    value.fault(`\`${unknown[0]}\` is no state. The letters are \`.\`, \`P\`, \`A\`, \`N\`, \`E\` and \`-\`.`)
  return text
}

const TEST_MEMBERS = [
  'name',
  'start',
  'interval',
  'until',
  'data',
  'happen',
  'states',
  'expect',
  'notified',
  'route',
] as const

function readTest(item: YamlValue, index: number): MonitorTest {
  const member = item.members('a test', TEST_MEMBERS)
  const start = member('start')
  const startNs = start.given((value) => parseRfc3339(value.text()))
  if (startNs === undefined && !start.isNull) start.fault('`start` must be a time such as `2026-01-01T00:00:00Z`.')
  const startMs = Number((startNs ?? 0n) / 1_000_000n)
  const reader = new TestReader(startMs)
  const data = member('data')
  const until = member('until').required('A test')
  const untilMs = until.isNull ? startMs : reader.timeMs(until)
  if (untilMs < startMs) until.fault('`until` must not be before the start of the test.')
  return {
    name: member('name').text() || `test ${index + 1}`,
    span: item.span,
    startMs,
    intervalMs: member('interval').given((value) => Math.max(1000, reader.durationMs(value))),
    untilMs,
    rows: reader.rows(data),
    series: reader.series(data.entries().get('metrics')),
    happenings: reader.happenings(member('happen')).toSorted((a, b) => a.atMs - b.atMs),
    states: member('states').given(
      (states) => new Map([...states.entries()].map(([text, value]) => [labelText(value, text), stateLetters(value)])),
    ),
    expected: reader.expected(member('expect')),
    notified: member('notified').given((value) => reader.notified(value)),
    route: (member('route').plain() ?? {}) as TestObject,
  }
}

/** True if a test file tests monitors, false if it tests rules as promtool does. */
export function isMonitorTests(text: string): boolean {
  return YamlDocument.parse(text).root.entries().has('monitors')
}

/** Parses a file of monitor tests. Throws SluiceError with all errors and their positions. */
export function readMonitorTests(text: string): MonitorTestFile {
  const document = YamlDocument.parse(text)
  const member = document.root.members('a file of monitor tests', ['monitors', 'tests'])
  const monitors = member('monitors')
    .items()
    .map((item) => {
      const plain = item.plain()
      return typeof plain === 'object' && plain !== null ? (plain as TestObject) : item.text()
    })
  const tests = member('tests').items().map(readTest)
  document.throwFaults()
  return { monitors, tests }
}
