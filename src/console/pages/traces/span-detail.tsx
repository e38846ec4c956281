import { useEffect, useState } from 'preact/hooks'
import type { JSX } from 'preact'
import { failureOf } from '../../ask/ask-error.ts'
import { linkTo } from '../../app/location.ts'
import { count } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { spanFlags, type SpanLabel, type Trace } from '../../ask/traces.ts'
import type { AskFailure, ShownRow, ShownValue, TimeRange } from '../../ask/requests.ts'
import { Failure } from '../../widgets/failure.tsx'
import { JsonTree } from '../../widgets/json-tree.tsx'
import { Value } from '../search/row-detail.tsx'
import { textIn } from '../search/row-parts.ts'
import { nextAnswer } from '../search/answers.ts'
import { spanDuration } from './trace-times.ts'
import { ofTrace, only } from './trace-condition.ts'

/** Maximum number of spans with the same id that are read. More than a few are a fault of the sender. */
const MAX_SAME_ID = 50

/** Length at which values are cut, and length that each click on "more" adds, UTF-16 units. */
const DETAIL_CHARS = 2000
const MORE_CHARS = 20_000

/** Number of attributes shown at first, and added by each click on the button. */
const MAX_ATTRIBUTES = 200

/** Maximum number of events listed for a span. The attribute value contains all of them. */
const MAX_EVENTS = 100

/** Names of fields that may hold the events of a span. */
const EVENT_FIELDS = new Set(['events', 'span_events'])

interface Props {
  readonly id: string
  readonly range: TimeRange
  readonly trace: Trace
  readonly position: number
  readonly label: SpanLabel | undefined
}

interface Found {
  readonly answer: number
  readonly row: number
  readonly values: ShownRow
}

/** Returns the row of a span. If several spans have the id, returns the one whose start is nearest. */
function nearest(rows: readonly ShownRow[], startMs: number): number {
  const distance = (row: ShownRow): number => Math.abs(Date.parse(textIn(row, '_time') ?? '') - startMs)
  let best = 0
  for (const [i, row] of rows.entries()) if (distance(row) < distance(rows[best] ?? [])) best = i
  return best
}

function useSpan({ id, range, trace, position, label }: Props) {
  const { ask } = useServices()
  const [found, setFound] = useState<Found>()
  const [failure, setFailure] = useState<AskFailure>()
  const span = label?.id
  useEffect(() => {
    if (span === undefined || span === '') return undefined
    const run = new AbortController()
    const answer = nextAnswer()
    setFailure(undefined)
    const read = async (): Promise<void> => {
      try {
        const query = `${ofTrace(id)} ${only('span_id', span)}`
        const request = { answer, domain: 'traces', query, range, dialect: 'native', maxRows: MAX_SAME_ID } as const
        await ask('query', request, { signal: run.signal })
        const rows = await ask('rows', { answer, from: 0, to: MAX_SAME_ID, maxChars: DETAIL_CHARS })
        const row = nearest(rows, trace.startMs + (trace.starts[position] ?? 0))
        setFound({ answer, row, values: rows[row] ?? [] })
      } catch (error) {
        const fault = failureOf(error)
        if (fault.kind !== 'cancelled') setFailure(fault)
      }
    }
    void read()
    return () => {
      run.abort()
      void ask('drop', { answer })
    }
  }, [ask, id, span, position, trace])
  const readMore = async ({ name, text }: ShownValue): Promise<void> => {
    if (found === undefined) return
    const { answer, row } = found
    const part = { from: text.length, to: text.length + MORE_CHARS }
    const more = await ask('value', { answer, row, field: name, ...part })
    setFound((now) => {
      if (now?.answer !== answer) return now
      const values = now.values.map((value) => (value.name === name ? { ...more, text: text + more.text } : value))
      return { ...now, values }
    })
  }
  return { found, failure, readMore }
}

interface SpanEvent {
  readonly name: string
  /** All other members, as JSON. */
  readonly rest: string
}

/** Parses the events of a span; `undefined` for a value of another form. */
function eventsOf(text: string): readonly SpanEvent[] | undefined {
  try {
    const events: unknown = JSON.parse(text)
    if (!Array.isArray(events)) return undefined
    return events.slice(0, MAX_EVENTS).map((event: unknown, i): SpanEvent => {
      const { name, ...rest } = typeof event === 'object' && event !== null ? (event as { name?: unknown }) : {}
      return { name: typeof name === 'string' ? name : String(i + 1), rest: JSON.stringify(rest) }
    })
  } catch {
    return undefined
  }
}

function Events({ value }: { readonly value: ShownValue }): JSX.Element {
  const events = eventsOf(value.text)
  return (
    <section class="events">
      <h3>{texts.traces.events}</h3>
      {events === undefined ? (
        <JsonTree text={value.text} />
      ) : (
        <ol>
          {events.map(({ name, rest }, i) => (
            <li key={i}>
              <strong>{name}</strong>
              <JsonTree text={rest} />
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** Describes the anomalies of a span in words. */
function faultsOf(flags: number, label: SpanLabel): readonly string[] {
  const words: readonly (readonly [flag: number, text: string])[] = [
    [spanFlags.orphan, texts.traces.isOrphan(label.parent)],
    [spanFlags.cycle, texts.traces.isCycle],
    [spanFlags.duplicate, texts.traces.isDuplicate],
    [spanFlags.outside, texts.traces.isOutside],
    [spanFlags.unfinished, texts.traces.isUnfinished],
  ]
  return words.flatMap(([flag, text]) => ((flags & flag) === 0 ? [] : [text]))
}

/** Times, anomalies, attributes and events of a span. */
export function SpanDetail(props: Props): JSX.Element | null {
  const { id, trace, position, label } = props
  const { found, failure, readMore } = useSpan(props)
  const [most, setMost] = useState(MAX_ATTRIBUTES)
  if (label === undefined) return null
  const [start, end] = [trace.starts[position] ?? 0, trace.ends[position] ?? 0]
  const { critical } = trace
  let criticalMs = 0
  for (let i = critical.from[position] ?? 0; i < (critical.from[position + 1] ?? 0); i++)
    criticalMs += (critical.ends[i] ?? 0) - (critical.starts[i] ?? 0)
  const faults = faultsOf(trace.flags[position] ?? 0, label)
  const events = found?.values.filter(({ name, type }) => EVENT_FIELDS.has(name) && type === 'json') ?? []
  return (
    <div class="span-detail">
      <h2 class="title">{label.name === '' ? label.id : label.name}</h2>
      <dl class="facts">
        <div>
          <dt>{texts.traces.service}</dt>
          <dd>{label.service === '' ? texts.traces.noService : label.service}</dd>
        </div>
        <div>
          <dt>{texts.traces.begins}</dt>
          <dd>+{spanDuration(start)}</dd>
        </div>
        <div>
          <dt>{texts.traces.duration}</dt>
          <dd>{spanDuration(end - start)}</dd>
        </div>
        <div>
          <dt>{texts.traces.onPath}</dt>
          <dd>{spanDuration(criticalMs)}</dd>
        </div>
      </dl>
      {faults.map((fault) => (
        <p class="odd" key={fault}>
          {fault}
        </p>
      ))}
      <div class="detail-actions">
        <a class="button" href={linkTo('logs', { q: `${ofTrace(id)} ${only('span_id', label.id)}` })}>
          {texts.traces.spanLogs}
        </a>
      </div>
      {failure !== undefined && <Failure failure={failure} />}
      {label.id === '' && <p class="note">{texts.traces.noId}</p>}
      {events.map((value) => (
        <Events key={value.name} value={value} />
      ))}
      <h3>{texts.traces.attributes}</h3>
      <dl class="fields" aria-busy={found === undefined && failure === undefined}>
        {found?.values.slice(0, most).map((value) => (
          <div class="field" key={value.name}>
            <dt>{value.name}</dt>
            <dd>
              <Value value={value} onMore={() => void readMore(value)} />
            </dd>
          </div>
        ))}
      </dl>
      {found !== undefined && found.values.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + MAX_ATTRIBUTES)}>
          {texts.detail.moreFields(count(found.values.length - most))}
        </button>
      )}
    </div>
  )
}
