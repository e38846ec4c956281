import type { JSX } from 'preact'
import { view } from '../../app/location.ts'
import { TraceList } from './trace-list.tsx'
import { TraceView } from './trace-view.tsx'
import { TraceqlList } from './traceql-list.tsx'

/** The traces page: a search, or the trace that the URL names. */
export function TracesPage(): JSX.Element {
  const { params } = view.value
  const trace = params.get('trace')
  if (trace !== undefined) return <TraceView key={trace} id={trace} />
  return params.get('dialect') === 'traceql' ? <TraceqlList /> : <TraceList />
}
