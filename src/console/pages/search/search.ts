import { computed, signal } from '@preact/signals'
import { isDialect, type FoundRequest, type QueryState, type TimeRange } from '../../ask/requests.ts'
import type { AnswerShape } from '../../language/requests.ts'
import { nextAnswer } from './answers.ts'
import { SearchRun, type LogAskedView } from './search-run.ts'

export interface SearchView extends LogAskedView {
  readonly maxRows: number
}

/** The answer that is shown. */
export interface Shown {
  /** Number under which the data source keeps the rows. */
  readonly answer: number
  readonly view: SearchView
  readonly range: TimeRange
  readonly state: QueryState
  readonly shape: AnswerShape['kind']
  /** Columns computed for each group, if known. */
  readonly values: readonly string[]
}

const nothingFound: QueryState = {
  rows: 0,
  fields: [],
  bytes: 0,
  elapsedMs: 0,
  isDone: false,
  isCut: false,
  advice: [],
}

/** Runs the search of the page: first the rows, then the histogram and the fields. */
export class Search extends SearchRun<SearchView> {
  readonly shown = signal<Shown | undefined>(undefined)
  readonly rows = computed(() => this.shown.value?.state.rows ?? 0)

  protected async find(
    request: FoundRequest,
    { kind: shape, values }: AnswerShape,
    view: SearchView,
    signal: AbortSignal,
  ): Promise<void> {
    const answer = nextAnswer()
    const before = this.shown.peek()
    const show = (state: QueryState): void => {
      this.shown.value = { answer, view, range: request.range, state, shape, values }
    }
    const isGroups = shape === 'groups'
    const onEvent = (state: QueryState): void => {
      // Groups are sorted only after all of them have arrived.
      if (!isGroups) show(state)
    }
    if (before === undefined) show(nothingFound)
    const state = await this.ask('query', { answer, maxRows: view.maxRows, ...request }, { signal, onEvent })
    show(state)
    this.isRunning.value = false
    if (before !== undefined) void this.ask('drop', { answer: before.answer })
    if (isGroups) return
    // LogQL cannot list fields.
    if (isDialect(request.dialect)) await this.overview.read(request, state.fields, signal)
    else await this.overview.readHits(request, signal)
  }
}
