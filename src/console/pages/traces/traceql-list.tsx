import { useMemo, useRef } from 'preact/hooks'
import type { JSX } from 'preact'
import { view as currentView } from '../../app/location.ts'
import { useServices } from '../../app/services.ts'
import { zone } from '../../app/settings.ts'
import { texts } from '../../app/texts.ts'
import { rangeOfWords } from '../../app/time-words.ts'
import type { TimeRange } from '../../ask/requests.ts'
import { QueryBar, useQuery } from '../search/query-bar.tsx'
import { TRACE_LANGUAGES, sortedTraces, traceViewOf } from './found-traces.ts'
import { TraceResults } from './trace-table.tsx'
import { TraceqlLanguage } from './traceql-language.ts'
import { TraceqlSearch } from './traceql-search.ts'

/** Traces found by a TraceQL query. The URL determines everything that it shows. */
export function TraceqlList(): JSX.Element {
  const { ask, language } = useServices()
  const search = useMemo(() => new TraceqlSearch(ask, language), [ask, language])
  const wanted = { ...traceViewOf(currentView.value.params), dialect: 'traceql' } as const
  const { from, to, order } = wanted
  const times = useRef({ from, to })
  times.current = { from, to }
  const helper = useMemo(() => {
    const range = (): TimeRange | undefined =>
      rangeOfWords(times.current.from, times.current.to, Date.now(), zone.peek() === 'utc')
    return new TraceqlLanguage(ask, language, range)
  }, [ask, language])
  const query = useQuery(search, wanted)
  const answer = search.found.value
  const found = useMemo(() => answer && { ...answer, traces: sortedTraces(answer.traces, order) }, [answer, order])
  return (
    <div class="search">
      <QueryBar
        search={search}
        wanted={wanted}
        query={query}
        placeholder={texts.traces.traceqlPlaceholder}
        languages={TRACE_LANGUAGES}
        language={helper}
      />
      <div class="search-body">
        <section class="results">
          <TraceResults search={search} wanted={wanted} query={query} found={found} cutWords={texts.traces.latest} />
        </section>
      </div>
    </div>
  )
}
