import type { JSX } from 'preact'
import { view } from '../../app/location.ts'
import { TraceList } from './trace-list.tsx'
import { TraceView } from './trace-view.tsx'

/** A search for traces, or the one trace that the link names. */
export function TracesPage(): JSX.Element {
  const trace = view.value.params.get('trace')
  return trace === undefined ? <TraceList /> : <TraceView key={trace} id={trace} />
}
