import { batch, signal } from '@preact/signals'
import type { Ask } from '../../ask/client.ts'
import type { TimeRange } from '../../ask/requests.ts'
import type { EditorLanguage } from '../../editor/code-editor.ts'
import { QueryRun, explained } from '../search/query-run.ts'
import { MARKED_SPANS, searchTempo, traceOf } from './tempo.ts'
import { MAX_TRACES, type FoundTraces, type TraceView } from './found-traces.ts'

/** Runs a trace search in TraceQL. */
export class TraceqlSearch extends QueryRun<TraceView> {
  readonly found = signal<FoundTraces | undefined>(undefined)
  readonly #language: EditorLanguage

  constructor(ask: Ask, language: EditorLanguage) {
    super(ask)
    this.#language = language
  }

  protected async answer({ query }: TraceView, range: TimeRange, signal: AbortSignal): Promise<void> {
    const startMs = performance.now()
    const isAll = query.trim() === ''
    const text = isAll ? '{}' : query
    const limits = { traces: MAX_TRACES + 1, spans: MARKED_SPANS }
    const sent = await searchTempo(this.ask, text, range, limits, signal).catch((error: unknown) =>
      explained(error, this.#language, { text, table: 'spans', dialect: 'traceql' }),
    )
    const found = sent.slice(0, MAX_TRACES).map(traceOf)
    // An empty query matches all spans, so the list marks none of them.
    const traces = isAll ? found.map((trace) => ({ ...trace, matched: { count: 0, ids: [] } })) : found
    batch(() => {
      this.found.value = { traces, isCut: sent.length > MAX_TRACES, elapsedMs: performance.now() - startMs }
      this.isRunning.value = false
    })
  }
}
