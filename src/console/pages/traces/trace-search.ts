import { batch, signal } from '@preact/signals'
import { AskError } from '../../ask/ask-error.ts'
import type { FoundRequest, ShownRow } from '../../ask/requests.ts'
import type { AnswerShape } from '../../language/requests.ts'
import { texts } from '../../app/texts.ts'
import { allRows, behind, type AllRows } from '../search/answers.ts'
import { textIn } from '../search/row-parts.ts'
import { SearchRun, type LogAskedView } from '../search/search-run.ts'
import { MAX_TRACES, type FoundTrace, type FoundTraces, type TraceOrder } from './found-traces.ts'
import { rangeAround } from './trace-query.ts'

/** Maximum length of a value, UTF-16 units. Longer ones do not fit on a line. */
const VALUE_CHARS = 400

interface TraceSearchView extends LogAskedView {
  readonly order: TraceOrder
}

function numberIn(row: ShownRow, name: string): number | undefined {
  const text = textIn(row, name) ?? ''
  return text === '' || Number.isNaN(Number(text)) ? undefined : Number(text)
}

function spanIn(text: string | undefined): { readonly span_name?: string; readonly workload?: string } {
  try {
    return JSON.parse(text ?? '') as { readonly span_name?: string; readonly workload?: string }
  } catch {
    // The JSON is invalid because the value was cut.
    return {}
  }
}

function foundTrace(row: ShownRow): FoundTrace {
  const first = spanIn(textIn(row, 'first'))
  const seconds = numberIn(row, 'longest')
  return {
    id: textIn(row, 'trace_id') ?? '',
    name: first.span_name ?? '',
    service: first.workload ?? '',
    isRoot: false,
    start: textIn(row, 'start') ?? '',
    durationMs: seconds === undefined ? undefined : seconds * 1000,
    spans: numberIn(row, 'spans') ?? 0,
    errors: numberIn(row, 'errors') ?? 0,
  }
}

/** Runs a trace search: first the list, then the root names, the histogram and the fields. */
export class TraceSearch extends SearchRun<TraceSearchView> {
  readonly found = signal<FoundTraces | undefined>(undefined)

  protected async find(
    request: FoundRequest,
    { kind }: AnswerShape,
    view: TraceSearchView,
    signal: AbortSignal,
  ): Promise<void> {
    if (kind === 'groups') throw new AskError({ kind: 'query', message: texts.traces.groups, diagnostics: [] })
    const found = await this.#list(request, view.order, signal)
    batch(() => {
      this.found.value = found
      this.isRunning.value = false
    })
    await this.#nameRoots(found, view, signal)
    await this.overview.read(request, [], signal)
  }

  async #list(request: FoundRequest, order: TraceOrder, signal: AbortSignal): Promise<FoundTraces> {
    const stage = `stats by (trace_id) count() as spans, count() if (status:error) as errors, min(_time) as start,
  row_min(_time, span_name, workload) as first, max(duration_seconds) as longest
| sort by (${order} desc) | limit ${MAX_TRACES + 1}`
    const { rows, state } = await this.#rowsOf({ ...request, query: behind(request.query, stage) }, signal)
    const traces = rows.map(foundTrace).filter(({ id }) => id !== '')
    return {
      traces: traces.slice(0, MAX_TRACES),
      isCut: traces.length > MAX_TRACES,
      elapsedMs: state.elapsedMs,
    }
  }

  /**
   * Replaces trace names by those of the root spans, which the query may not have matched. If that fails, the names of
   * the first spans stay.
   */
  async #nameRoots(found: FoundTraces, { from, to }: TraceSearchView, signal: AbortSignal): Promise<void> {
    const range = rangeAround(from, to)
    if (range === undefined || found.traces.length === 0) return
    const ids = found.traces.map(({ id }) => JSON.stringify(id)).join(', ')
    const query = `trace_id:in(${ids}) !parent_span_id:*
| fields trace_id, span_name, workload, duration_seconds | limit ${2 * MAX_TRACES}`
    const { rows } = await this.#rowsOf({ domain: 'traces', query, range, dialect: 'native' }, signal)
    const roots = new Map(rows.map((row) => [textIn(row, 'trace_id'), row]))
    const traces = found.traces.map((trace): FoundTrace => {
      const root = roots.get(trace.id)
      if (root === undefined) return trace
      const seconds = numberIn(root, 'duration_seconds')
      return {
        ...trace,
        name: textIn(root, 'span_name') ?? trace.name,
        service: textIn(root, 'workload') ?? trace.service,
        durationMs: seconds === undefined ? trace.durationMs : seconds * 1000,
        isRoot: true,
      }
    })
    this.found.value = { ...found, traces }
  }

  #rowsOf(request: FoundRequest, signal: AbortSignal): Promise<AllRows> {
    return allRows(this.ask, { ...request, maxRows: 2 * MAX_TRACES }, VALUE_CHARS, signal)
  }
}
