import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import type { Ask } from '../../ask/client.ts'
import { bindKeys } from '../../app/keys.ts'
import { linkTo, setParams, view as currentView } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { zone } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { durationWords, rangeOfWords, stepFor } from '../../app/time-words.ts'
import { shortTime } from '../../app/times.ts'
import type { AskFailure, TimeRange } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { TimeChart, shortNumber, type ChartPoint, type ChartSeries } from '../../widgets/time-chart.tsx'
import { TimePicker } from '../../widgets/time-picker.tsx'
import { useAnswer } from '../../widgets/use-answer.ts'
import { useLatest } from '../../widgets/use-latest.ts'
import { Expression, LETTERS, type Letter } from './expressions.tsx'
import { InstantTable, type NamedRow } from './instant-table.tsx'
import { MetricList } from './metric-list.tsx'
import { metricsOf, type Metadata, type Metric } from './metric-names.ts'
import { chartedSeries, exemplarsOf, instantRows, timesOf } from './metric-series.ts'
import { askPrometheus, type Result, type SentExemplars } from './prometheus.ts'
import { PromqlLanguage } from './promql-language.ts'

/** Steps that the user can choose, ms. By default the step depends on the range. */
const STEPS = [1000, 5000, 15_000, 30_000, 60_000, 300_000, 900_000, 3_600_000, 21_600_000, 86_400_000]

/** Points of a line if the step depends on the range: about one for every four pixels. */
const POINTS = 240

/**
 * Maximum number of values that an expression may return, which keeps the page fast for any step. It determines the
 * maximum number of series, which is between `MIN_SERIES` and `MAX_SERIES`.
 */
const MAX_VALUES = 50_000
const MAX_SERIES = 50
const MIN_SERIES = 5

/** Maximum number of series in the table. */
const MAX_ROWS = 1000

/** Maximum number of exemplars that are drawn; those with the largest values. */
const MAX_EXEMPLARS = 60

/** Maximum number of metric names that are read. The list shows a note if there are more. */
const MAX_NAMES = 20_000

/** Time before and after an exemplar in which the page searches its trace, ms. */
const AROUND_MS = 1_800_000

interface MetricsView {
  readonly expressions: readonly { readonly letter: Letter; readonly text: string }[]
  readonly from: string
  readonly to: string
  /** Step in ms; `undefined` if the step depends on the range. */
  readonly stepMs: number | undefined
  readonly form: 'graph' | 'table'
  readonly hasExemplars: boolean
}

function viewOfParams(params: ReadonlyMap<string, string>): MetricsView {
  return {
    expressions: LETTERS.flatMap((letter) => {
      const text = params.get(letter) ?? ''
      return text === '' ? [] : [{ letter, text }]
    }),
    from: params.get('from') ?? 'now-1h',
    to: params.get('to') ?? 'now',
    stepMs: STEPS.find((step) => durationWords(step) === params.get('step')),
    form: params.get('form') === 'table' ? 'table' : 'graph',
    hasExemplars: params.get('exemplars') !== 'off',
  }
}

/** The answer to one expression. */
interface ExpressionAnswer {
  readonly letter: Letter
  readonly text: string
  readonly failure?: AskFailure
  readonly notices: readonly string[]
  readonly series: readonly ChartSeries[]
  readonly rows: readonly NamedRow[]
  readonly points: readonly ChartPoint[]
}

interface Answers {
  readonly range: TimeRange
  readonly timesMs: readonly number[]
  readonly stepMs: number
  readonly each: readonly ExpressionAnswer[]
}

async function exemplarPoints(
  ask: Ask,
  text: string,
  range: TimeRange,
  signal: AbortSignal,
): Promise<readonly ChartPoint[]> {
  try {
    const parameters = { query: text, start: String(range.startMs / 1000), end: String(range.endMs / 1000) }
    const { data } = await askPrometheus<readonly SentExemplars[]>(ask, 'query_exemplars', parameters, signal)
    return exemplarsOf(data, MAX_EXEMPLARS).map(({ timeMs, value, trace }) => ({
      timeMs,
      value,
      label: texts.metrics.exemplar(shortNumber(value), shortTime(timeMs)),
      href: linkTo('traces', {
        trace,
        from: new Date(timeMs - AROUND_MS).toISOString(),
        to: new Date(timeMs + AROUND_MS).toISOString(),
      }),
    }))
  } catch {
    // Without exemplars the graph is still useful, and not every server has them.
    return []
  }
}

/** Runs all expressions. If one fails, the others are still shown. */
async function answersOf(ask: Ask, view: MetricsView, signal: AbortSignal): Promise<Answers | undefined> {
  const range = rangeOfWords(view.from, view.to, Date.now(), zone.peek() === 'utc')
  if (range === undefined) {
    const failure: AskFailure = {
      kind: 'other',
      message: texts.time.badRange(view.from, view.to),
      diagnostics: [],
    }
    return {
      range: { startMs: 0, endMs: 0 },
      timesMs: [],
      stepMs: 0,
      each: [{ letter: 'a', text: '', failure, notices: [], series: [], rows: [], points: [] }],
    }
  }
  const stepMs = view.stepMs ?? Math.max(1000, stepFor(range, POINTS))
  const steps = Math.floor((range.endMs - range.startMs) / stepMs) + 1
  const most = Math.min(MAX_SERIES, Math.max(MIN_SERIES, Math.floor(MAX_VALUES / steps)))
  const timesMs = steps > MAX_VALUES ? [] : timesOf(range.startMs, range.endMs, stepMs)
  const prefixOf = (letter: Letter): string => (view.expressions.length > 1 ? `${letter.toUpperCase()}: ` : '')
  const answerOf = async (letter: Letter, text: string): Promise<ExpressionAnswer> => {
    const nothing = { letter, text, notices: [], series: [], rows: [], points: [] }
    try {
      if (view.form === 'table') {
        const parameters = { query: text, time: String(range.endMs / 1000), limit: String(MAX_ROWS) }
        const answer = await askPrometheus<Result>(ask, 'query', parameters, signal)
        const rows = instantRows(answer.data).map((row) => ({ ...row, letter: letter.toUpperCase() }))
        return { ...nothing, notices: [...(answer.warnings ?? []), ...(answer.infos ?? [])], rows }
      }
      const parameters = {
        query: text,
        start: String((timesMs[0] ?? range.startMs) / 1000),
        end: String((timesMs.at(-1) ?? range.endMs) / 1000),
        step: String(stepMs / 1000),
        limit: String(most),
      }
      const [answer, points] = await Promise.all([
        askPrometheus<Result>(ask, 'query_range', parameters, signal),
        view.hasExemplars ? exemplarPoints(ask, text, range, signal) : [],
      ])
      const { series, histograms } = chartedSeries(answer.data, text, prefixOf(letter), timesMs)
      const notices = [
        ...(answer.warnings ?? []),
        ...(answer.infos ?? []),
        ...(series.length === most ? [texts.metrics.cut(count(most))] : []),
        ...(histograms > 0 ? [texts.metrics.histograms(count(histograms))] : []),
      ]
      return { ...nothing, notices, series, points }
    } catch (error) {
      return { ...nothing, failure: failureOf(error) }
    }
  }
  const each = await Promise.all(view.expressions.map(({ letter, text }) => answerOf(letter, text)))
  return { range, timesMs, stepMs, each }
}

/** Reads the names and metadata of all metrics. */
async function readMetrics(ask: Ask, signal: AbortSignal) {
  const [names, metadata] = await Promise.all([
    askPrometheus<readonly string[]>(ask, 'label/__name__/values', { limit: String(MAX_NAMES) }, signal),
    askPrometheus<Readonly<Record<string, readonly Metadata[]>>>(ask, 'metadata', { limit: String(MAX_NAMES) }, signal),
  ])
  return { names: names.data, metrics: metricsOf(names.data, metadata.data) }
}

function Graph({ answers }: { readonly answers: Answers }): JSX.Element {
  const series = useMemo(() => answers.each.flatMap((each) => each.series), [answers])
  const points = useMemo(() => answers.each.flatMap((each) => each.points), [answers])
  if (series.length === 0) return <p class="empty">{texts.metrics.noSeries}</p>
  return (
    <section class="lines-view">
      <TimeChart
        timesMs={answers.timesMs}
        series={series}
        points={points}
        label={texts.metrics.graph(count(series.length))}
        onZoom={(startMs, endMs) =>
          setParams({ from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() })
        }
      />
    </section>
  )
}

/** Shows PromQL expressions as a graph or table. The URL determines everything that the page shows. */
export function MetricsPage(): JSX.Element {
  const { ask } = useServices()
  const wanted = viewOfParams(currentView.value.params)
  const drafts = useRef(new Map<Letter, string>())
  const [added, setAdded] = useState<ReadonlySet<Letter>>(new Set())
  const focused = useRef<Letter>('a')
  const known = useAnswer((signal) => readMetrics(ask, signal), [ask])
  const knownNow = useRef(known.answer)
  knownNow.current = known.answer
  const key = JSON.stringify(wanted)
  const { answer, reload } = useAnswer((signal) => answersOf(ask, wanted, signal), [ask, key])
  const answers = useLatest(answer)
  const rangeNow = useRef<TimeRange>(undefined)
  rangeNow.current = answers?.range
  const language = useMemo(
    () =>
      new PromqlLanguage(ask, () => ({
        names: knownNow.current?.names ?? [],
        metrics: knownNow.current?.metrics ?? [],
        range: rangeNow.current,
      })),
    [ask],
  )
  const linked = new Map(wanted.expressions.map(({ letter, text }) => [letter, text]))
  const letters = LETTERS.filter((letter) => linked.has(letter) || added.has(letter))
  const shown: readonly Letter[] = letters.length === 0 ? ['a'] : letters

  const run = (changes: Readonly<Partial<Record<Letter, string>>> = {}): void => {
    const texts = shown.map((letter) => [letter, (drafts.current.get(letter) ?? linked.get(letter) ?? '').trim()])
    const next: Partial<Record<Letter, string>> = { ...Object.fromEntries(texts), ...changes }
    const isSame = LETTERS.every((letter) => !(letter in next) || (next[letter] ?? '') === (linked.get(letter) ?? ''))
    if (isSame) reload()
    else setParams(next)
  }
  const add = (letter: Letter | undefined): void => {
    if (letter !== undefined) setAdded(new Set([...added, ...shown, letter]))
  }
  const remove = (letter: Letter): void => {
    drafts.current.delete(letter)
    setAdded(new Set([...added].filter((each) => each !== letter)))
    setParams({ [letter]: undefined })
  }
  const choose = ({ expression }: Metric): void => {
    const letter = shown.includes(focused.current) ? focused.current : (shown[0] ?? 'a')
    drafts.current.delete(letter)
    run({ [letter]: expression })
  }
  useEffect(() => bindKeys([{ key: 'Ctrl+Enter', help: texts.query.runHint, run: () => run() }]), [key, added])

  const free = LETTERS.find((letter) => !shown.includes(letter))
  const failures = answers?.each.filter(({ failure }) => failure !== undefined && failure.kind !== 'cancelled') ?? []
  const notices = [...new Set(answers?.each.flatMap((each) => each.notices))]
  const rows = answers?.each.flatMap((each) => each.rows) ?? []
  return (
    <div class="search">
      <form class="metrics-bar" onSubmit={(event) => (event.preventDefault(), run())}>
        {shown.map((letter) => (
          <Expression
            key={letter}
            letter={letter}
            linked={linked.get(letter) ?? ''}
            language={language}
            onChange={(text) => drafts.current.set(letter, text)}
            onFocus={() => (focused.current = letter)}
            onRun={() => run()}
            onRemove={shown.length > 1 ? () => remove(letter) : undefined}
          />
        ))}
        <div class="metrics-tools">
          <button type="button" class="button" disabled={free === undefined} onClick={() => add(free)}>
            {texts.metrics.add}
          </button>
          <label>
            {texts.metrics.step}
            <select
              value={wanted.stepMs === undefined ? '' : String(wanted.stepMs)}
              onChange={(event) => {
                const step = STEPS.find((each) => String(each) === event.currentTarget.value)
                setParams({ step: step === undefined ? undefined : durationWords(step) })
              }}
            >
              <option value="">
                {answers === undefined || wanted.stepMs !== undefined
                  ? texts.metrics.auto
                  : texts.metrics.autoStep(durationWords(answers.stepMs))}
              </option>
              {STEPS.map((step) => (
                <option key={step} value={String(step)}>
                  {durationWords(step)}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={wanted.hasExemplars}
              onChange={(event) => setParams({ exemplars: event.currentTarget.checked ? undefined : 'off' }, 'same')}
            />
            {texts.metrics.exemplars}
          </label>
          <span class="gap" />
          <TimePicker from={wanted.from} to={wanted.to} onChange={(from, to) => setParams({ from, to })} />
          <button class="button primary" title={texts.query.runHint}>
            {texts.query.run}
          </button>
        </div>
      </form>
      <div class="search-body">
        <MetricList metrics={known.answer?.metrics} failure={known.failure} onChoose={choose} />
        <section class="results" aria-busy={answer === undefined}>
          <div class="toolbar">
            <div class="tabs" role="tablist">
              {(['graph', 'table'] as const).map((form) => (
                <button
                  type="button"
                  role="tab"
                  key={form}
                  aria-selected={form === wanted.form}
                  onClick={() => setParams({ form: form === 'graph' ? undefined : form }, 'same')}
                >
                  {form === 'graph' ? texts.metrics.graphTab : texts.forms.table}
                </button>
              ))}
            </div>
            <p class="status" role="status">
              {answers === undefined || answer === undefined
                ? texts.rows.loading
                : wanted.form === 'table'
                  ? texts.metrics.series(count(rows.length))
                  : texts.metrics.series(count(answers.each.reduce((sum, each) => sum + each.series.length, 0)))}
            </p>
          </div>
          {notices.map((notice) => (
            <p class="advice" key={notice}>
              {notice}
            </p>
          ))}
          {failures.map(({ letter, text, failure }) =>
            failure === undefined ? null : (
              <div key={letter} class="expression-failure">
                {wanted.expressions.length > 1 && <h2>{texts.metrics.expression(letter.toUpperCase())}</h2>}
                <Failure
                  failure={failure}
                  query={text}
                  onFix={(next) => {
                    drafts.current.delete(letter)
                    run({ [letter]: next })
                  }}
                  onRetry={reload}
                />
              </div>
            ),
          )}
          {wanted.expressions.length === 0 ? (
            <section class="empty">
              <p>{texts.metrics.begin}</p>
              <p class="note">{texts.metrics.beginHint}</p>
            </section>
          ) : answers === undefined || failures.length === answers.each.length ? null : wanted.form === 'table' ? (
            rows.length === 0 ? (
              <p class="empty">{texts.metrics.noSeries}</p>
            ) : (
              <InstantTable rows={rows} time={shortTime(answers.range.endMs)} />
            )
          ) : (
            <Graph answers={answers} />
          )}
        </section>
      </div>
    </div>
  )
}
