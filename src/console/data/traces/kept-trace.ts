import {
  COLOURS,
  serviceColour,
  spanFlags,
  type SpanLabel,
  type SpansRequest,
  type Trace,
  type TraceService,
} from '../../ask/traces.ts'
import { criticalPath, mainRoot } from './critical-path.ts'
import { parsedSpan, readSpans, textOf, type SpanColumns } from './span-columns.ts'
import { buildTree, endOf, type SpanTree } from './span-tree.ts'

/** Maximum number of services in the legend. More cannot be told apart by colour. */
const MAX_SERVICES = 40

/** Maximum length of a span name, UTF-16 units. Longer ones do not fit on a line. */
const LABEL_CHARS = 300

function servicesOf(names: readonly string[]): readonly TraceService[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const taken = new Set<number>()
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, spans]) => {
      let colour = serviceColour(name)
      // Services of a trace get distinct colours until all colours are used.
      if (taken.size < COLOURS) while (taken.has(colour)) colour = (colour + 1) % COLOURS
      taken.add(colour)
      return { name, spans, colour }
    })
}

function countFlag(flags: Uint8Array, flag: number): number {
  let count = 0
  for (const each of flags) if ((each & flag) !== 0) count++
  return count
}

/** Reorders a column into list order. */
function listed(order: Uint32Array, valueOf: (span: number) => number): Float64Array {
  return Float64Array.from(order, valueOf)
}

/** Spans as JSON lines. */
interface SpanLines {
  readonly count: number
  line(row: number): string
}

/** The span tree of an answer. */
export class KeptTrace {
  readonly #rows: SpanLines
  readonly #columns: SpanColumns
  readonly #tree: SpanTree

  constructor(rows: SpanLines) {
    this.#rows = rows
    this.#columns = readSpans(rows.count, (row) => rows.line(row))
    this.#tree = buildTree(this.#columns)
  }

  shape(): Trace {
    const columns = this.#columns
    const { order, parents, depths, sizes } = this.#tree
    const flags = this.#tree.flags.slice()
    const starts = listed(order, (span) => columns.starts[span] ?? 0)
    const ends = listed(order, (span) => endOf(columns, span))
    const isOwnRoot = (position: number): boolean =>
      ((flags[position] ?? 0) & (spanFlags.orphan | spanFlags.cycle)) === 0
    const root = mainRoot({ parents, starts, ends }, isOwnRoot)
    const critical = criticalPath({ parents, starts, ends }, root)
    for (let position = 0; position < order.length; position++)
      if (critical.from[position] !== critical.from[position + 1])
        flags[position] = (flags[position] ?? 0) | spanFlags.critical
    const services = servicesOf(columns.services)
    const colours = new Map(services.map(({ name, colour }) => [name, colour]))
    return {
      count: order.length,
      startMs: columns.startMs,
      durationMs: ends.reduce((most, end) => Math.max(most, end), 0),
      parents,
      depths,
      sizes,
      starts,
      ends,
      flags,
      colours: Uint8Array.from(order, (span) => colours.get(columns.services[span] ?? '') ?? 0),
      critical,
      services: services.slice(0, MAX_SERVICES),
      serviceCount: services.length,
      errors: countFlag(flags, spanFlags.error),
      faults: {
        orphans: countFlag(flags, spanFlags.orphan),
        cycles: countFlag(flags, spanFlags.cycle),
        duplicates: countFlag(flags, spanFlags.duplicate),
        outside: countFlag(flags, spanFlags.outside),
        unfinished: countFlag(flags, spanFlags.unfinished),
      },
      hasRoot: root !== -1 && isOwnRoot(root),
    }
  }

  labels({ positions = [], ids = [] }: SpansRequest): readonly SpanLabel[] {
    const { order } = this.#tree
    const found = ids.flatMap((id) => {
      const position = order.findIndex((span) => this.#columns.ids[span] === id)
      return position === -1 ? [] : [position]
    })
    return [...positions, ...found]
      .filter((position) => position < order.length)
      .map((position) => this.#label(position))
  }

  #label(position: number): SpanLabel {
    const span = this.#tree.order[position] ?? 0
    const name = textOf(parsedSpan(this.#rows.line(span))['span_name']).slice(0, LABEL_CHARS)
    const service = (this.#columns.services[span] ?? '').slice(0, LABEL_CHARS)
    return { position, id: this.#columns.ids[span] ?? '', parent: this.#columns.parents[span] ?? '', name, service }
  }
}
