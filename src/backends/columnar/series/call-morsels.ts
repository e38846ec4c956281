import { invariant, sharedMemory, runWithBudget, checkpoint, type Budget, type Origin } from '../../../base/index.ts'
import { METRIC_NAME, Labels } from '../../../data/index.ts'
import {
  ColumnBlock,
  blockBytes,
  noteOrigin,
  seriesFunctions,
  type Annotation,
  type MatrixValue,
  type QueryTimes,
  type SeriesBySeries,
  type SeriesCallContext,
  type SeriesColumn,
  type SeriesFlags,
  type SeriesFunction,
  type SeriesValue,
  type VectorValue,
  type WindowSeries,
} from '../../../functions/series/index.ts'
import type { MorselJob } from '../morsels/parallelism.ts'
import { MorselScheduler } from '../morsels/scheduler.ts'
import type { SeriesEnvironment } from './environment.ts'
import { fillWindows } from './range.ts'

/** The minimum number of results (series × steps) in a morsel. */
const VALUES_OF_MORSEL = 8192
const MIN_SERIES = 16
/** The minimum number of morsels, if there are enough series. */
const MIN_MORSELS = 4

/** Label with the type of a metric. Range functions read only this label and the metric name. */
const TYPE_LABEL = '__type__'

/**
 * The task to compute a function call over a range vector, as plain data. The samples and the results are in shared
 * memory.
 */
export interface CallTask {
  readonly kind: 'series-call'
  readonly name: string
  /** The values of the arguments; `undefined` for the range vector, which is in shared memory. */
  readonly args: readonly (Exclude<SeriesValue, MatrixValue> | undefined)[]
  /** The positions of the arguments in the query text. The receiving thread uses only the length of this list. */
  readonly origins: readonly Origin[]
  readonly query: QueryTimes
  readonly flags: SeriesFlags
  readonly stepsMs: Float64Array
  readonly matrix: Omit<MatrixValue, 'series'>
  readonly seriesOfMorsel: number
  /**
   * `nameOf` has, for each series, the index of its labels in `named`. `startOf` has the index of its first sample; a
   * last entry is the end of all samples.
   */
  readonly nameOf: Uint32Array
  readonly startOf: Float64Array
  readonly named: readonly (readonly [name: string, type: string])[]
  readonly timesMs: Float64Array
  readonly values: Float64Array
  readonly startTimesMs: Float64Array | undefined
  /** Shared memory for the result columns of all series, in the layout of a `ColumnBlock`. */
  readonly columns: ArrayBufferLike
}

/** Warnings and notes. `arg` is the index of the argument that the text is about; -1 stands for the call itself. */
type Notes = readonly (readonly [morsel: number, severity: Annotation['severity'], text: string, arg: number])[]

interface PartialCall {
  readonly notes: Notes
}

function seriesIn(morsel: number, seriesOfMorsel: number, seriesCount: number): readonly [from: number, to: number] {
  return [morsel * seriesOfMorsel, Math.min(seriesCount, (morsel + 1) * seriesOfMorsel)]
}

/**
 * Computes a function call over a range vector in morsels (groups of consecutive series), which several threads can
 * share.
 */
export class CallByMorsels {
  readonly #fn: SeriesFunction
  readonly #args: readonly SeriesValue[]
  readonly #call: SeriesCallContext
  readonly #environment: SeriesEnvironment
  readonly #matrix: MatrixValue
  readonly #bySeries: SeriesBySeries
  readonly #seriesOfMorsel: number
  readonly #columns: (SeriesColumn | undefined)[]
  /** The annotations of each morsel. Separate lists keep annotations in the order of the series. */
  readonly #notes: Annotation[][]
  readonly #block: ColumnBlock
  #shared: ColumnBlock | undefined
  #heldBytes = 0

  constructor(
    fn: SeriesFunction,
    args: readonly SeriesValue[],
    call: SeriesCallContext,
    environment: SeriesEnvironment,
  ) {
    const matrix = args.find((arg) => arg.kind === 'matrix')
    invariant(matrix !== undefined && fn.bySeries !== undefined, 'a function of a range vector by its series')
    const { count } = call.steps
    this.#fn = fn
    this.#args = args
    this.#call = call
    this.#environment = environment
    this.#matrix = matrix
    this.#bySeries = fn.bySeries(args, call)
    const most = Math.max(1, Math.ceil(matrix.series.length / MIN_MORSELS))
    this.#seriesOfMorsel = Math.min(most, Math.max(MIN_SERIES, Math.ceil(VALUES_OF_MORSEL / count)))
    this.#columns = matrix.series.map(() => undefined)
    this.#notes = Array.from({ length: Math.ceil(matrix.series.length / this.#seriesOfMorsel) }, () => [])
    this.#block = new ColumnBlock(matrix.series.length, count, environment.budget)
  }

  run(): VectorValue {
    const { budget, morsels: query } = this.#environment
    const { series } = this.#matrix
    const hasFloatsAlone = series.every(({ histograms }) => histograms === undefined)
    const morsels = new MorselScheduler<PartialCall>({
      query,
      morselCount: this.#notes.length,
      task: () => this.#task(),
      canShare: () => hasFloatsAlone,
      merge: (partial, remote) => this.#merge(partial, remote.morsels),
    })
    try {
      for (let morsel = morsels.next(); morsel !== undefined; morsel = morsels.next()) {
        const own = morsel
        runWithBudget(budget, () => this.#fill(own))
        budget.checkpoint()
      }
    } finally {
      morsels.end()
      budget.charge(-this.#heldBytes)
    }
    for (const notes of this.#notes) for (const note of notes) this.#call.annotate(note)
    return runWithBudget(budget, () => this.#bySeries.together(this.#columns.filter((column) => column !== undefined)))
  }

  #fill(morsel: number): void {
    const notes: Annotation[] = []
    const [from, to] = seriesIn(morsel, this.#seriesOfMorsel, this.#columns.length)
    for (let i = from; i < to; i++) {
      this.#columns[i] = this.#bySeries.fill(i, this.#block, (note) => void notes.push(note))
    }
    this.#notes[morsel] = notes
  }

  #task(): CallTask {
    const { steps, query, flags, argPlans } = this.#call
    const { series, ...matrix } = this.#matrix
    const samples = series.reduce((sum, { timesMs }) => sum + timesMs.length, 0)
    const hasStarts = series.some(({ startTimesMs }) => startTimesMs !== undefined)
    const columnBytes = blockBytes(series.length, steps.count)
    const bytes = columnBytes + samples * (hasStarts ? 24 : 16)
    this.#environment.budget.charge(bytes)
    this.#heldBytes += bytes
    const columns = sharedMemory(columnBytes)
    this.#shared = new ColumnBlock(series.length, steps.count, this.#environment.budget, columns)
    const timesMs = new Float64Array(sharedMemory(samples * 8))
    const values = new Float64Array(sharedMemory(samples * 8))
    const startTimesMs = hasStarts ? new Float64Array(sharedMemory(samples * 8)) : undefined
    const startOf = new Float64Array(series.length + 1)
    const nameOf = new Uint32Array(series.length)
    const indexOfName = new Map<string, number>()
    const named: (readonly [string, string])[] = []
    for (const [i, one] of series.entries()) {
      const at = startOf[i]
      startOf[i + 1] = at + one.timesMs.length
      timesMs.set(one.timesMs, at)
      values.set(one.values, at)
      if (one.startTimesMs !== undefined) startTimesMs?.set(one.startTimesMs, at)
      const name = [one.labels.metricName, one.labels.get(TYPE_LABEL) ?? ''] as const
      const key = JSON.stringify(name)
      const known = indexOfName.get(key)
      nameOf[i] = known ?? named.length
      if (known === undefined) {
        indexOfName.set(key, named.length)
        named.push(name)
      }
    }
    return {
      kind: 'series-call',
      name: this.#fn.name,
      args: this.#args.map((arg) => (arg.kind === 'matrix' ? undefined : arg)),
      origins: argPlans.map(({ origin }) => origin),
      query,
      flags,
      stepsMs: steps.timesMs,
      matrix,
      seriesOfMorsel: this.#seriesOfMorsel,
      nameOf,
      startOf,
      named,
      timesMs,
      values,
      startTimesMs,
      columns,
    }
  }

  /** Records morsels whose results another thread has written to shared memory, with its annotations. */
  #merge({ notes }: PartialCall, morsels: readonly number[]): boolean {
    const shared = this.#shared
    if (shared === undefined) return false
    for (const morsel of morsels) {
      const [from, to] = seriesIn(morsel, this.#seriesOfMorsel, this.#columns.length)
      for (let i = from; i < to; i++) this.#columns[i] = this.#bySeries.columnOf(i, shared)
    }
    const { origin, argPlans } = this.#call
    for (const [morsel, severity, text, arg] of notes) {
      this.#notes[morsel]?.push({ severity, text, origin: arg === -1 ? origin : noteOrigin(argPlans[arg]) })
    }
    return true
  }
}

/** Computes morsels of another thread's function call, from samples in shared memory. */
export class SeriesCallJob implements MorselJob {
  readonly #task: CallTask
  readonly #budget: Budget
  readonly #block: ColumnBlock
  /** The series that this job has decoded; entries of other morsels are empty. */
  readonly #series: WindowSeries[]
  readonly #bySeries: SeriesBySeries
  readonly #notes: Notes[number][] = []

  constructor(task: CallTask, budget: Budget) {
    const { name, args, origins, query, flags, stepsMs, matrix, nameOf, columns } = task
    const fn = seriesFunctions.get(name)
    invariant(fn !== undefined && 'evaluate' in fn && fn.bySeries !== undefined, `${name} goes series by series`)
    this.#task = task
    this.#budget = budget
    this.#block = new ColumnBlock(nameOf.length, stepsMs.length, budget, columns)
    this.#series = Array.from<WindowSeries>({ length: nameOf.length })
    const all: MatrixValue = { ...matrix, series: this.#series }
    this.#bySeries = fn.bySeries(
      args.map((arg) => arg ?? all),
      {
        query,
        flags,
        steps: { timesMs: stepsMs, count: stepsMs.length },
        budget: this.#meter(),
        annotate: () => undefined,
        origin: { kind: 'none' },
        argPlans: origins.map((origin) => ({ kind: 'series-number', value: 0, origin })),
      },
    )
  }

  run(next: () => number | undefined): void {
    for (let morsel = next(); morsel !== undefined; morsel = next()) {
      this.#fill(morsel)
      checkpoint()
    }
  }

  #fill(morsel: number): void {
    const { origins, seriesOfMorsel, nameOf } = this.#task
    const note = ({ severity, text, origin }: Annotation): void =>
      void this.#notes.push([morsel, severity, text, origins.indexOf(origin)])
    const [from, to] = seriesIn(morsel, seriesOfMorsel, nameOf.length)
    for (let i = from; i < to; i++) {
      this.#series[i] = this.#seriesAt(i)
      this.#bySeries.fill(i, this.#block, note)
    }
  }

  #meter(): SeriesCallContext['budget'] {
    const budget = this.#budget
    return {
      charge: (bytes) => budget.charge(bytes),
      samples: () => undefined,
      checkpoint: () => budget.checkpoint(),
    }
  }

  #seriesAt(index: number): WindowSeries {
    const { nameOf, named, startOf, timesMs, values, startTimesMs, stepsMs, matrix } = this.#task
    const [start, end] = [startOf[index], startOf[index + 1]]
    const [name, type] = named[nameOf[index]]
    const times = timesMs.subarray(start, end)
    const from = new Int32Array(stepsMs.length)
    const to = new Int32Array(stepsMs.length)
    fillWindows(times, matrix.endsMs, matrix.rangeMs, from, to)
    return {
      labels: Labels.from([
        [METRIC_NAME, name],
        [TYPE_LABEL, type],
      ]),
      isNameDropped: false,
      timesMs: times,
      values: values.subarray(start, end),
      histograms: undefined,
      startTimesMs: startTimesMs?.subarray(start, end),
      from,
      to,
    }
  }

  export(): PartialCall {
    return { notes: this.#notes }
  }

  async end(): Promise<void> {
    // Nothing to release: inputs and outputs are in the other thread's memory.
  }
}
