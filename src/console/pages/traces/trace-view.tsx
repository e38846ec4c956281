import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { bindKeys } from '../../app/keys.ts'
import { linkTo, setParams, view as currentView } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { shortTime } from '../../app/times.ts'
import { MAX_SPANS, TREE_FIELDS, spanFlags, type SpanLabel, type Trace } from '../../ask/traces.ts'
import type { AskFailure, TimeRange } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { NothingFound } from '../../widgets/nothing-found.tsx'
import { TimePicker } from '../../widgets/time-picker.tsx'
import { colourOf } from '../../widgets/time-chart.tsx'
import { nextAnswer } from '../search/answers.ts'
import { foldsOf, isFolded, toggledText, type Folds } from './folds.ts'
import { SpanDetail } from './span-detail.tsx'
import { SpanLabels } from './span-labels.ts'
import { TraceLogs } from './trace-logs.tsx'
import { spanDuration, windowOf, windowText, type Window } from './trace-times.ts'
import { ofTrace } from './trace-condition.ts'
import { rangeAround } from './trace-query.ts'
import { Waterfall } from './waterfall.tsx'

/**
 * Maximum number of ancestors that are expanded individually; the URL names each of them. If there are more, all spans
 * are expanded.
 */
const MAX_OPENED = 100

/** Maximum number of spans that the URL can mark. */
const MAX_MATCHED = 100

/** A trace that has been read. */
interface Opened {
  readonly answer: number
  readonly trace: Trace
  readonly isCut: boolean
  readonly range: TimeRange
}

/** Reads a trace, and reads it again when the range in the URL changes. */
function useTrace(id: string, from: string, to: string) {
  const { ask } = useServices()
  const [opened, setOpened] = useState<Opened>()
  const [failure, setFailure] = useState<AskFailure>()
  const [soFar, setSoFar] = useState(0)
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const run = new AbortController()
    const answer = nextAnswer()
    const range = rangeAround(from, to)
    setOpened(undefined)
    setFailure(
      range === undefined ? { kind: 'other', message: texts.time.badRange(from, to), diagnostics: [] } : undefined,
    )
    const read = async (searched: TimeRange): Promise<void> => {
      try {
        const query = `${ofTrace(id)} | fields ${TREE_FIELDS.join(', ')}`
        const request = {
          answer,
          domain: 'traces',
          query,
          range: searched,
          dialect: 'native',
          maxRows: MAX_SPANS,
        } as const
        const options = { signal: run.signal, onEvent: ({ rows }: { readonly rows: number }) => setSoFar(rows) }
        const { isCut } = await ask('query', request, options)
        const trace = await ask('trace', { answer }, { signal: run.signal })
        setOpened({ answer, trace, isCut, range: searched })
      } catch (error) {
        const found = failureOf(error)
        if (found.kind !== 'cancelled') setFailure(found)
      }
    }
    if (range !== undefined) void read(range)
    return () => {
      run.abort()
      void ask('drop', { answer })
    }
  }, [ask, id, from, to, attempt])
  return { opened, failure, soFar, retry: () => setAttempt(attempt + 1) }
}

/** Describes the anomalies of a trace in sentences. */
function noticesOf({ trace, isCut }: Opened): readonly string[] {
  const { orphans, cycles, duplicates, outside, unfinished } = trace.faults
  const notices: readonly (readonly [isShown: boolean, text: string])[] = [
    [isCut, texts.traces.cut(count(MAX_SPANS))],
    [!trace.hasRoot, texts.traces.noRoot],
    [orphans > 0, texts.traces.orphans(count(orphans))],
    [cycles > 0, texts.traces.cycles(count(cycles))],
    [duplicates > 0, texts.traces.duplicates(count(duplicates))],
    [outside > 0, texts.traces.outside(count(outside))],
    [unfinished > 0, texts.traces.unfinished(count(unfinished))],
  ]
  return notices.flatMap(([isShown, text]) => (isShown ? [text] : []))
}

function Services({ trace }: { readonly trace: Trace }): JSX.Element {
  const others = trace.serviceCount - trace.services.length
  return (
    <ul class="services" aria-label={texts.traces.services} tabIndex={0}>
      {trace.services.map(({ name, spans, colour }) => (
        <li key={name}>
          <span class="swatch" style={{ background: colourOf(colour) }} aria-hidden="true" />
          {name === '' ? texts.traces.noService : name}
          <span class="spans">{count(spans)}</span>
        </li>
      ))}
      {others > 0 && <li>{texts.traces.moreServices(count(others))}</li>}
    </ul>
  )
}

/** A trace: the waterfall of its spans, and beside it the selected span or the logs of the trace. */
export function TraceView({ id }: { readonly id: string }): JSX.Element {
  const { params } = currentView.value
  const [from, to] = [params.get('from') ?? 'now-1h', params.get('to') ?? 'now']
  const { opened, failure, soFar, retry } = useTrace(id, from, to)
  const picker = (
    <TimePicker from={from} to={to} onChange={(nextFrom, nextTo) => setParams({ from: nextFrom, to: nextTo })} />
  )
  if (opened !== undefined && opened.trace.count > 0) return <OpenTrace key={opened.answer} id={id} opened={opened} />
  return (
    <div class="search">
      <header class="trace-head">
        <a class="quiet" href={linkTo('traces')}>
          ← {texts.pages.traces}
        </a>
        <h1>{id}</h1>
        {picker}
      </header>
      {failure !== undefined ? (
        <Failure failure={failure} onRetry={retry} />
      ) : opened === undefined ? (
        <p class="empty" role="status">
          {soFar === 0 ? texts.rows.loading : texts.traces.soFar(count(soFar))}
        </p>
      ) : (
        <NothingFound message={texts.traces.notFound} hint={texts.traces.notFoundHint} />
      )}
    </div>
  )
}

/** Returns the span that the URL selects, and functions that select another one. */
function useSelected({ answer }: Opened, labels: SpanLabels) {
  const { ask } = useServices()
  const [span, setSpan] = useState<{ readonly position: number; readonly label: SpanLabel | undefined }>()
  const latest = useRef<number>(undefined)
  const linked = currentView.value.params.get('span')
  const show = (label: SpanLabel): void => {
    latest.current = label.position
    setSpan({ position: label.position, label })
  }
  const select = (position: number | undefined): void => {
    latest.current = position
    if (position === undefined) {
      setSpan(undefined)
      setParams({ span: undefined }, 'same')
      return
    }
    const chosen = (label: SpanLabel): void => {
      // Another span may have been selected while the label was loading.
      if (latest.current !== position) return
      show(label)
      setParams({ span: label.id, side: undefined }, 'same')
    }
    const known = labels.label(position)
    if (known !== undefined) {
      chosen(known)
      return
    }
    setSpan({ position, label: undefined })
    void ask('spans', { answer, positions: [position] }).then(([label]) => label && chosen(label))
  }
  useEffect(() => {
    if (linked === undefined || span?.label?.id === linked) return
    void ask('spans', { answer, ids: [linked] }).then(([label]) => {
      // The user may have opened another view meanwhile.
      if (currentView.peek().params.get('span') !== linked) return
      if (label !== undefined) return show(label)
      latest.current = undefined
      setSpan(undefined)
    })
  }, [linked, answer])
  /** Returns the last selected span. It is more recent than the rendered one if keys are pressed quickly. */
  const now = (): number | undefined => latest.current
  return linked === undefined && span?.label !== undefined ? { select, now } : { span, select, now }
}

const noPositions: ReadonlySet<number> = new Set()

/** Returns the list indexes of the spans that the preceding search matched. The URL names these spans. */
function useMatched({ answer }: Opened): ReadonlySet<number> {
  const { ask } = useServices()
  const linked = currentView.value.params.get('match')
  const [positions, setPositions] = useState(noPositions)
  useEffect(() => {
    const ids = linked?.split(',', MAX_MATCHED)
    if (ids === undefined) setPositions(noPositions)
    else
      void ask('spans', { answer, ids }).then((found) => setPositions(new Set(found.map(({ position }) => position))))
  }, [ask, answer, linked])
  return positions
}

function OpenTrace({ id, opened }: { readonly id: string; readonly opened: Opened }): JSX.Element {
  const { ask } = useServices()
  const { trace, answer, range } = opened
  const { params } = currentView.value
  const labels = useMemo(() => new SpanLabels(ask, answer), [ask, answer])
  const { span, select, now } = useSelected(opened, labels)
  const matched = useMatched(opened)
  const selected = span?.position
  const [root, setRoot] = useState<SpanLabel>()
  const [depth, fold, zoom] = [params.get('depth'), params.get('fold'), params.get('zoom')]
  const folds = useMemo(() => foldsOf(depth, fold), [depth, fold])
  const window = useMemo(() => windowOf(zoom, trace.durationMs), [zoom, trace])
  useEffect(() => {
    void ask('spans', { answer, positions: [0] }).then(([label]) => setRoot(label))
  }, [ask, answer])

  const toggle = (positions: readonly number[]): void => {
    const toggled = new Set(folds.toggled)
    for (const position of positions) if (!toggled.delete(position)) toggled.add(position)
    setParams({ fold: toggledText(toggled) }, 'same')
  }
  const foldAt = (level: number | undefined): void =>
    setParams({ depth: level === undefined ? undefined : String(level), fold: undefined }, 'same')
  const zoomTo = (shown: Window | undefined): void => setParams({ zoom: shown && windowText(shown) }, 'same')
  const zoomToSpan = (): void => {
    const position = now()
    if (position === undefined) return
    const [start, end] = [trace.starts[position] ?? 0, trace.ends[position] ?? 0]
    const margin = (end - start || trace.durationMs / 1000) / 20
    zoomTo({ start: Math.max(0, start - margin), end: end + margin })
  }
  /** Selects the next failed span and expands its ancestors. */
  const nextError = (): void => {
    for (let i = 1; i <= trace.count; i++) {
      const position = ((now() ?? -1) + i) % trace.count
      if (((trace.flags[position] ?? 0) & spanFlags.error) === 0) continue
      const closed = closedAbove(position, folds, trace)
      if (closed.length > MAX_OPENED) foldAt(undefined)
      else if (closed.length > 0) toggle(closed)
      select(position)
      return
    }
  }
  useEffect(
    () =>
      bindKeys([
        { key: 'z', help: texts.traces.zoomSpan, run: zoomToSpan },
        { key: 'Z', help: texts.traces.zoomOut, run: () => zoomTo(undefined) },
        { key: 'e', help: texts.traces.nextError, run: nextError },
        { key: 'c', help: texts.traces.foldAll, run: () => foldAt(1) },
        { key: 'o', help: texts.traces.unfoldAll, run: () => foldAt(undefined) },
        {
          key: 'Escape',
          help: texts.detail.close,
          run: () => (select(undefined), setParams({ side: 'none' }, 'same')),
        },
      ]),
    [selected, folds, trace],
  )
  const side = params.get('side')
  const isSpan = selected !== undefined && side === undefined
  const notices = noticesOf(opened)
  return (
    <div class="search">
      <header class="trace-head">
        <a class="quiet" href={linkTo('traces')}>
          ← {texts.pages.traces}
        </a>
        <h1>{root === undefined ? id : `${root.service} ${root.name}`}</h1>
        <p class="facts">
          {shortTime(trace.startMs)} · {spanDuration(trace.durationMs)} · {texts.traces.spanCount(count(trace.count))}
          {trace.errors > 0 && (
            <>
              {' · '}
              <button type="button" class="link fault" onClick={nextError} title={texts.traces.nextError}>
                {texts.traces.errorCount(count(trace.errors))}
              </button>
            </>
          )}
        </p>
        <span class="id">{id}</span>
      </header>
      <div class="toolbar trace-tools">
        <Services trace={trace} />
        <span class="path-key">
          <span class="critical" aria-hidden="true" /> {texts.traces.criticalPath}
        </span>
        {matched.size > 0 && (
          <span class="path-key">
            <span class="match-sign" aria-hidden="true" /> {texts.traces.matched}
          </span>
        )}
        <button type="button" class="quiet" onClick={() => foldAt(1)}>
          {texts.traces.foldAll}
        </button>
        <button type="button" class="quiet" onClick={() => foldAt(undefined)}>
          {texts.traces.unfoldAll}
        </button>
        <button type="button" class="quiet" disabled={selected === undefined} onClick={zoomToSpan}>
          {texts.traces.zoomSpan}
        </button>
        <button type="button" class="quiet" disabled={zoom === undefined} onClick={() => zoomTo(undefined)}>
          {texts.traces.zoomOut}
        </button>
        <button
          type="button"
          class="quiet"
          aria-pressed={!isSpan && side !== 'none'}
          onClick={() => setParams({ side: isSpan || side === 'none' ? 'logs' : 'none' }, 'same')}
        >
          {texts.pages.logs}
        </button>
      </div>
      {notices.length > 0 && (
        <details class="advice odd" open={notices.length <= 2}>
          <summary>{texts.traces.oddities(count(notices.length))}</summary>
          <ul>
            {notices.map((notice) => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </details>
      )}
      <div class="search-body">
        <section class="results">
          <Waterfall
            trace={trace}
            labels={labels}
            folds={folds}
            window={window}
            selected={selected}
            matched={matched}
            onSelect={select}
            onFold={(position) => toggle([position])}
            onZoom={zoomTo}
          />
        </section>
        {side !== 'none' && (
          <aside
            class={`detail trace-side${isSpan || side === 'logs' ? '' : ' unasked'}`}
            aria-label={isSpan ? texts.traces.span : texts.traces.logsOf}
          >
            <header>
              <div class="tabs" role="tablist">
                <button
                  type="button"
                  role="tab"
                  aria-selected={isSpan}
                  disabled={selected === undefined}
                  onClick={() => setParams({ side: undefined }, 'same')}
                >
                  {texts.traces.span}
                </button>
                <button
                  type="button"
                  role="tab"
                  aria-selected={!isSpan}
                  onClick={() => setParams({ side: 'logs' }, 'same')}
                >
                  {texts.pages.logs}
                </button>
              </div>
              <button
                type="button"
                class="quiet"
                aria-label={texts.detail.close}
                onClick={() => (select(undefined), setParams({ side: 'none' }, 'same'))}
              >
                ×
              </button>
            </header>
            {isSpan ? (
              <SpanDetail id={id} range={range} trace={trace} position={selected} label={span?.label} />
            ) : (
              <TraceLogs id={id} range={range} startMs={trace.startMs} />
            )}
          </aside>
        )}
      </div>
    </div>
  )
}

/** Returns the collapsed ancestors of a span. */
function closedAbove(position: number, folds: Folds, { parents, depths }: Trace): readonly number[] {
  const closed: number[] = []
  for (let at = parents[position] ?? -1; at !== -1; at = parents[at] ?? -1)
    if (isFolded(folds, at, depths)) closed.push(at)
  return closed
}
