import type { JSX } from 'preact'
import { linkTo, setParams } from '../../app/location.ts'
import { count, milliseconds, percent } from '../../app/numbers.ts'
import { texts } from '../../app/texts.ts'
import { rowTime } from '../../app/times.ts'
import { serviceColour } from '../../ask/traces.ts'
import { Failure } from '../../widgets/failure.tsx'
import { NothingFound } from '../../widgets/nothing-found.tsx'
import { colourOf } from '../../widgets/time-chart.tsx'
import type { Query } from '../search/query-bar.tsx'
import type { QueryRun } from '../search/query-run.ts'
import { MAX_TRACES, type FoundTrace, type FoundTraces, type TraceOrder, type TraceView } from './found-traces.ts'
import { spanDuration } from './trace-times.ts'

/** Formats the duration of a trace. TraceQL results have whole milliseconds. */
function durationOf({ durationMs, matched }: FoundTrace): string {
  if (durationMs === undefined) return '–'
  return durationMs === 0 && matched !== undefined ? texts.traces.tooShort : spanDuration(durationMs)
}

function TraceRow({ trace, longestMs }: { readonly trace: FoundTrace; readonly longestMs: number }): JSX.Element {
  const { id, name, service, isRoot, start, durationMs, spans, errors, matched } = trace
  const colour = colourOf(serviceColour(service))
  const marks = matched === undefined || matched.ids.length === 0 ? {} : { match: matched.ids.join(',') }
  return (
    <tr>
      <td class="start">{rowTime(start)}</td>
      <td class="what">
        <a href={linkTo('traces', { trace: id, ...marks })}>
          <span class="swatch" style={{ background: colour }} aria-hidden="true" />
          <span class="service">{service === '' ? texts.traces.noService : service}</span>
          <span class="name">{name === '' ? id : name}</span>
          <span class="when">{rowTime(start)}</span>
          {matched === undefined && !isRoot && <span class="hint">{texts.traces.firstSpan}</span>}
          {matched !== undefined && matched.count > 0 && (
            <span class="hint">{texts.traces.matches(count(matched.count))}</span>
          )}
        </a>
      </td>
      <td class="duration">
        <span class="bar" style={{ width: percent(durationMs ?? 0, longestMs), background: colour }} />
        <span class="text">{durationOf(trace)}</span>
      </td>
      <td class="number">{count(spans)}</td>
      <td class={`number${errors > 0 ? ' fault' : ''}`}>{count(errors)}</td>
    </tr>
  )
}

const titles: readonly { readonly order: TraceOrder; readonly title: string; readonly class: string }[] = [
  { order: 'start', title: texts.traces.start, class: 'start' },
  { order: 'longest', title: texts.traces.duration, class: 'duration' },
  { order: 'spans', title: texts.traces.spans, class: 'number' },
  { order: 'errors', title: texts.traces.errors, class: 'number' },
]

function TitleCell({ order, present }: { readonly order: TraceOrder; readonly present: TraceOrder }): JSX.Element {
  const title = titles.find((each) => each.order === order)
  return (
    <th scope="col" class={title?.class} aria-sort={order === present ? 'descending' : undefined}>
      <button type="button" onClick={() => setParams({ sort: order === 'start' ? undefined : order }, 'same')}>
        {title?.title}
        {order === present ? ' ↓' : ''}
      </button>
    </th>
  )
}

function TraceTable({ traces, order }: { readonly traces: readonly FoundTrace[]; readonly order: TraceOrder }) {
  const longestMs = Math.max(0, ...traces.map(({ durationMs }) => durationMs ?? 0))
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.pages.traces}>
      <table class="groups traces">
        <thead>
          <tr>
            <TitleCell order="start" present={order} />
            <th scope="col" class="what">
              {texts.traces.trace}
            </th>
            <TitleCell order="longest" present={order} />
            <TitleCell order="spans" present={order} />
            <TitleCell order="errors" present={order} />
          </tr>
        </thead>
        <tbody>
          {traces.map((trace) => (
            <TraceRow key={trace.id} trace={trace} longestMs={longestMs} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface Props<View extends TraceView> {
  readonly search: QueryRun<View>
  readonly wanted: View
  readonly query: Query
  /** The latest results; `undefined` before the first ones. */
  readonly found: FoundTraces | undefined
  /** Returns the text for an incomplete list, given the number of traces. */
  readonly cutWords: (traces: string) => string
}

/** Shows found traces, or the failure of the search. */
export function TraceResults<View extends TraceView>(props: Props<View>): JSX.Element {
  const { search, wanted, query, found, cutWords } = props
  const failure = search.failure.value
  if (failure !== undefined)
    return (
      <Failure failure={failure} query={wanted.query} onFix={query.write} onRetry={() => void search.run(wanted)} />
    )
  if (found === undefined)
    return (
      <p class="empty" aria-busy="true">
        {texts.rows.loading}
      </p>
    )
  const { traces, isCut, elapsedMs } = found
  const number = isCut ? cutWords(count(MAX_TRACES)) : count(traces.length)
  return (
    <>
      <div class="toolbar">
        <p class="status" role="status">
          {search.isRunning.value ? texts.rows.loading : texts.traces.found(number, milliseconds(elapsedMs))}
        </p>
      </div>
      {traces.length === 0 ? (
        <NothingFound message={texts.traces.empty} hint={texts.rows.emptyHint} />
      ) : (
        <TraceTable traces={traces} order={wanted.order} />
      )}
    </>
  )
}
