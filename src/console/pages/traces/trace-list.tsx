import { useMemo } from 'preact/hooks'
import type { JSX } from 'preact'
import { linkTo, setParams, view as currentView } from '../../app/location.ts'
import { count, milliseconds, percent } from '../../app/numbers.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { rowTime } from '../../app/times.ts'
import { colourOf } from '../../widgets/time-chart.tsx'
import { Failure } from '../../widgets/failure.tsx'
import { serviceColour } from '../../ask/traces.ts'
import { Facets } from '../search/facets.tsx'
import { Histogram } from '../search/histogram.tsx'
import { QueryBar, useQuery } from '../search/query-bar.tsx'
import { spanDuration } from './trace-times.ts'
import {
  MAX_TRACES,
  TraceSearch,
  traceOrders,
  type FoundTrace,
  type TraceOrder,
  type TraceSearchView,
} from './trace-search.ts'

function viewOfParams(params: ReadonlyMap<string, string>): TraceSearchView {
  return {
    domain: 'traces',
    query: params.get('q') ?? '',
    from: params.get('from') ?? 'now-1h',
    to: params.get('to') ?? 'now',
    dialect: params.get('dialect') === 'logsql' ? 'logsql' : 'native',
    order: traceOrders.find((order) => order === params.get('sort')) ?? 'start',
  }
}

function TraceRow({ trace, longestMs }: { readonly trace: FoundTrace; readonly longestMs: number }): JSX.Element {
  const { id, name, service, isRoot, start, durationMs, spans, errors } = trace
  const colour = colourOf(serviceColour(service))
  return (
    <tr>
      <td class="start">{rowTime(start)}</td>
      <td class="what">
        <a href={linkTo('traces', { trace: id })}>
          <span class="swatch" style={{ background: colour }} aria-hidden="true" />
          <span class="service">{service === '' ? texts.traces.noService : service}</span>
          <span class="name">{name === '' ? id : name}</span>
          <span class="when">{rowTime(start)}</span>
          {!isRoot && <span class="hint">{texts.traces.firstSpan}</span>}
        </a>
      </td>
      <td class="duration">
        <span class="bar" style={{ width: percent(durationMs ?? 0, longestMs), background: colour }} />
        <span class="text">{durationMs === undefined ? '–' : spanDuration(durationMs)}</span>
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

/** The traces that a query over spans finds. Everything that it shows follows from its link. */
export function TraceList(): JSX.Element {
  const { ask, language } = useServices()
  const search = useMemo(() => new TraceSearch(ask, language), [ask, language])
  const wanted = viewOfParams(currentView.value.params)
  const query = useQuery(search, wanted)
  const found = search.found.value
  const failure = search.failure.value
  const longestMs = Math.max(0, ...(found?.traces ?? []).map(({ durationMs }) => durationMs ?? 0))
  return (
    <div class="search">
      <QueryBar search={search} wanted={wanted} query={query} placeholder={texts.traces.placeholder} />
      <div class="search-body">
        {failure === undefined && (
          <Facets
            facets={search.overview.facets.value}
            sinceMs={search.overview.countedSinceMs.value}
            columns={[]}
            onNarrow={query.narrow}
          />
        )}
        <section class="results">
          {failure === undefined && (
            <Histogram
              hits={search.overview.hits.value}
              onZoom={({ startMs, endMs }) =>
                setParams({ from: new Date(startMs).toISOString(), to: new Date(endMs).toISOString() })
              }
            />
          )}
          {failure !== undefined ? (
            <Failure
              failure={failure}
              query={wanted.query}
              onFix={query.write}
              onRetry={() => void search.run(wanted)}
            />
          ) : found === undefined ? (
            <p class="empty" aria-busy="true">
              {texts.rows.loading}
            </p>
          ) : (
            <>
              <div class="toolbar">
                <p class="status" role="status">
                  {search.isRunning.value
                    ? texts.rows.loading
                    : texts.traces.found(
                        found.isCut ? texts.rows.cut(count(MAX_TRACES)) : count(found.traces.length),
                        milliseconds(found.elapsedMs),
                      )}
                </p>
              </div>
              {found.traces.length === 0 ? (
                <section class="empty">
                  <p>{texts.traces.empty}</p>
                  <p class="note">{texts.rows.emptyHint}</p>
                  <button type="button" class="button" onClick={() => setParams({ from: 'now-7d', to: 'now' })}>
                    {texts.rows.wider}
                  </button>
                </section>
              ) : (
                <div class="table-scroll" tabIndex={0} role="region" aria-label={texts.pages.traces}>
                  <table class="groups traces">
                    <thead>
                      <tr>
                        <TitleCell order="start" present={wanted.order} />
                        <th scope="col" class="what">
                          {texts.traces.trace}
                        </th>
                        <TitleCell order="longest" present={wanted.order} />
                        <TitleCell order="spans" present={wanted.order} />
                        <TitleCell order="errors" present={wanted.order} />
                      </tr>
                    </thead>
                    <tbody>
                      {found.traces.map((trace) => (
                        <TraceRow key={trace.id} trace={trace} longestMs={longestMs} />
                      ))}
                    </tbody>
                  </table>
                </div>
              )}
            </>
          )}
        </section>
      </div>
    </div>
  )
}
