import { useMemo } from 'preact/hooks'
import type { JSX } from 'preact'
import { setParams, view as currentView } from '../../app/location.ts'
import { useServices } from '../../app/services.ts'
import { texts } from '../../app/texts.ts'
import { Facets } from '../search/facets.tsx'
import { Histogram } from '../search/histogram.tsx'
import { QueryBar, useQuery } from '../search/query-bar.tsx'
import { traceViewOf, TRACE_LANGUAGES } from './found-traces.ts'
import { TraceSearch } from './trace-search.ts'
import { TraceResults } from './trace-table.tsx'

/** Traces found by a query over spans. The URL determines everything that it shows. */
export function TraceList(): JSX.Element {
  const { ask, language } = useServices()
  const search = useMemo(() => new TraceSearch(ask, language), [ask, language])
  const { params } = currentView.value
  const dialect = params.get('dialect') === 'logsql' ? 'logsql' : 'native'
  const wanted = { ...traceViewOf(params), dialect } as const
  const query = useQuery(search, wanted)
  const failure = search.failure.value
  return (
    <div class="search">
      <QueryBar
        search={search}
        wanted={wanted}
        query={query}
        placeholder={texts.traces.placeholder}
        languages={TRACE_LANGUAGES}
      />
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
          <TraceResults
            search={search}
            wanted={wanted}
            query={query}
            found={search.found.value}
            cutWords={texts.rows.cut}
          />
        </section>
      </div>
    </div>
  )
}
