import { lineColumnAt, parseRfc3339 } from '../../../base/index.ts'
import { Labels, type Histogram } from '../../../data/index.ts'
import { YamlDocument, type YamlValue } from '../../yaml/index.ts'
import { MAX_SERIES_POINTS, parseSeriesNotation, type SeriesDescription } from './series/notation.ts'

/** Alerts with one name that are expected to fire at a time. Offsets are in ms from the start of the test. */
export interface AlertTest {
  readonly line: number
  readonly evalOffsetMs: number
  readonly alertName: string
  readonly expected: readonly ExpectedAlert[]
}

export interface ExpectedAlert {
  readonly labels: Labels
  readonly annotations: Labels
}

/** Expected result of an expression at a time. */
export interface ExpressionTest {
  readonly line: number
  readonly evalOffsetMs: number
  readonly expression: string
  readonly expected: readonly ExpectedSample[]
}

export interface ExpectedSample {
  readonly labels: Labels
  readonly value: number
  readonly histogram: Histogram | undefined
}

/** A test: input series, and expectations about the rules over them. */
export interface PromtoolTest {
  readonly name: string
  readonly startMs: number
  /** Interval between samples of the input series, ms. */
  readonly intervalMs: number
  readonly series: readonly SeriesDescription[]
  readonly externalLabels: Labels
  readonly externalUrl: string
  readonly alertTests: readonly AlertTest[]
  readonly expressionTests: readonly ExpressionTest[]
}

/** A file of promtool's unit tests. */
export interface PromtoolFile {
  /** Paths and patterns of rule files, as written. */
  readonly ruleFiles: readonly string[]
  readonly evaluationIntervalMs: number
  /** Names of groups in the order of their evaluation. */
  readonly groupOrder: readonly string[]
  /** True if adjacent doubles count as equal. */
  readonly isFuzzy: boolean
  readonly tests: readonly PromtoolTest[]
}

const DEFAULT_INTERVAL_MS = 60_000

/** Maximum number of samples in all series of a test; more would take hundreds of MB. */
const MAX_TEST_POINTS = 4 * MAX_SERIES_POINTS

class TestFileReader {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  run(): PromtoolFile {
    const document = YamlDocument.parse(this.#text)
    const members = ['rule_files', 'evaluation_interval', 'group_eval_order', 'fuzzy_compare', 'tests'] as const
    const member = document.root.members('a test file', members)
    const evaluationIntervalMs = member('evaluation_interval').durationMs() || DEFAULT_INTERVAL_MS
    const file = {
      ruleFiles: member('rule_files')
        .items()
        .map((path) => path.text()),
      evaluationIntervalMs,
      groupOrder: this.#groupOrder(member('group_eval_order')),
      isFuzzy: member('fuzzy_compare').boolean(),
      tests: member('tests')
        .items()
        .map((test, i) => this.#test(test, `test ${i + 1}`, evaluationIntervalMs)),
    }
    document.throwFaults()
    return file
  }

  #lineOf(value: YamlValue): number {
    return lineColumnAt(this.#text, value.span.start).line
  }

  #groupOrder(value: YamlValue): readonly string[] {
    const names = new Set<string>()
    for (const item of value.items()) {
      if (names.has(item.text())) item.fault(`The group \`${item.text()}\` is listed twice. Remove one.`)
      names.add(item.text())
    }
    return [...names]
  }

  #test(value: YamlValue, defaultName: string, evaluationIntervalMs: number): PromtoolTest {
    const member = value.members('a test', [
      'name',
      'interval',
      'start_timestamp',
      'input_series',
      'external_labels',
      'external_url',
      'alert_rule_test',
      'promql_expr_test',
    ])
    return {
      name: member('name').text() || defaultName,
      startMs: this.#startMs(member('start_timestamp')),
      intervalMs: member('interval').durationMs() || evaluationIntervalMs,
      series: this.#series(member('input_series')),
      externalLabels: Labels.from(member('external_labels').texts()),
      externalUrl: member('external_url').text(),
      alertTests: member('alert_rule_test')
        .items()
        .map((test) => this.#alertTest(test)),
      expressionTests: member('promql_expr_test')
        .items()
        .map((test) => this.#expressionTest(test)),
    }
  }

  #startMs(value: YamlValue): number {
    const ns = parseRfc3339(value.text())
    return ns === undefined ? value.number() * 1000 : Number(ns / 1_000_000n)
  }

  /** Parses the input series. If two series have equal labels, the later one counts. */
  #series(value: YamlValue): readonly SeriesDescription[] {
    const byKey = new Map<string, SeriesDescription>()
    let points = 0
    for (const item of value.items()) {
      const member = item.members('an input series', ['series', 'values'])
      const text = member('series').text()
      const { series, diagnostics } = parseSeriesNotation(`${text} ${member('values').text()}`)
      points += series?.points.length ?? 0
      if (series === undefined) item.fault(`The series cannot be read: ${diagnostics[0]?.message ?? text}`)
      else if (points > MAX_TEST_POINTS) {
        value.fault(`The series of a test have at most ${MAX_TEST_POINTS} samples. Shorten them.`)
        break
      } else byKey.set(series.labels.key, series)
    }
    return [...byKey.values()]
  }

  #alertTest(value: YamlValue): AlertTest {
    const member = value.members('an alert test', ['eval_time', 'alertname', 'exp_alerts'])
    const alertName = member('alertname').text()
    if (alertName === '') value.fault('An alert test needs an `alertname`.')
    const expected = member('exp_alerts')
      .items()
      .map((alert): ExpectedAlert => {
        const part = alert.members('an expected alert', ['exp_labels', 'exp_annotations'])
        const labels = Labels.from([...part('exp_labels').texts(), ['alertname', alertName]])
        return { labels, annotations: Labels.from(part('exp_annotations').texts()) }
      })
    return { line: this.#lineOf(value), evalOffsetMs: member('eval_time').durationMs(), alertName, expected }
  }

  #expressionTest(value: YamlValue): ExpressionTest {
    const member = value.members('an expression test', ['expr', 'eval_time', 'exp_samples'])
    return {
      line: this.#lineOf(value),
      evalOffsetMs: member('eval_time').durationMs(),
      expression: member('expr').text(),
      expected: member('exp_samples')
        .items()
        .map((sample) => this.#expectedSample(sample)),
    }
  }

  #expectedSample(value: YamlValue): ExpectedSample {
    const member = value.members('an expected sample', ['labels', 'value', 'histogram'])
    const metric = parseSeriesNotation(member('labels').text())
    if (metric.series === undefined || metric.series.points.length > 0)
      member('labels').fault(`Labels are written as \`name{label="value"}\`: ${metric.diagnostics[0]?.message ?? ''}`)
    const labels = metric.series?.labels ?? Labels.empty
    const written = member('histogram').text()
    if (written === '') return { labels, value: member('value').number(), histogram: undefined }
    const [point] = parseSeriesNotation(`{} ${written}`).series?.points ?? []
    if (point?.kind === 'histogram') return { labels, value: 0, histogram: point.histogram }
    member('histogram').fault('A histogram is written as `{{count:3 sum:2.5 buckets:[1 2]}}`.')
    return { labels, value: 0, histogram: undefined }
  }
}

/** Parses a file of promtool unit tests. Throws SluiceError with all errors and their positions. */
export function readTestFile(text: string): PromtoolFile {
  return new TestFileReader(text).run()
}
