import { present, SluiceError, type Diagnostic } from '../../base/index.ts'
import { Instant, JsonText, toText, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { CompiledPlan, EngineLimits, QueryResult } from '../../engine/index.ts'
import { hidesRows, type ExplainTree } from '../../plan/index.ts'
import type { View } from './view.ts'
import type { Question } from './questions.ts'
import { BATCH_ROWS, type ScopeBackend } from './subject.ts'

/** Everything that a caller gets, as text in which types differ; clock times are left out. */
export interface Outcome {
  /** The advice, the schema, and whether rows are groups; or the errors of the text. */
  readonly told: string
  /** The explanation before the run; empty when it was not requested. */
  readonly before: string
  readonly rows: string
  /** The number of rows in each batch, and the columns of a batch in which no row has a value. */
  readonly batches: string
  /** The complete refusal of the run. */
  readonly refusal: string
  readonly statistics: string
  /** The explanation after the run. */
  readonly after: string
}

export const outcomeParts = ['told', 'before', 'refusal', 'rows', 'batches', 'statistics', 'after'] as const

const nothing: Outcome = { told: '', before: '', rows: '', batches: '', refusal: '', statistics: '', after: '' }

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/**
 * Writes the code, message, notes, fixes and position of each diagnostic, and the values from which its message was
 * made.
 */
export function diagnosticsText(diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify(diagnostics, plain)
}

function valueText(value: Value): string {
  if (typeof value === 'string') return `'${value}'`
  if (value === null || typeof value === 'boolean') return String(value)
  if (value instanceof Instant) return `@${value.ns}`
  return value instanceof JsonText ? `json ${value.json}` : `#${toText(value)}`
}

function batchText({ schema, rowCount, columns }: RecordBatch, declared: ReadonlySet<string>): string {
  const isEmpty = (c: number): boolean => {
    for (let row = 0; row < rowCount; row++) if (valueAt(present(columns[c]), row) !== null) return false
    return !declared.has(schema.fields[c]?.name ?? '')
  }
  const empty = schema.fields.filter((_, c) => isEmpty(c)).map(({ name }) => name)
  return [rowCount, ...empty].join(' ')
}

/** Returns the sizes of full batches and of the rest, with no empty column. */
function fullBatches(rowCount: number): readonly string[] {
  const left = rowCount % BATCH_ROWS
  return [
    ...Array<string>((rowCount - left) / BATCH_ROWS).fill(String(BATCH_ROWS)),
    ...(left > 0 ? [String(left)] : []),
  ]
}

/** Adds the rows of a batch in order, each with its fields in order. */
function addBatch(lines: string[], { schema, rowCount, columns }: RecordBatch): void {
  const { fields } = schema
  for (let row = 0; row < rowCount; row++) {
    let line = ''
    for (const [c, { name, presence }] of fields.entries()) {
      const value = valueAt(present(columns[c]), row)
      if (value !== null || presence === 'named') line += `${name}\u0000${valueText(value)}\u0001`
    }
    lines.push(line)
  }
}

/**
 * Writes an explanation. Under a scope it leaves out counters, estimates and the row numbers of stages below the last
 * one of each part; the word `guarded` shows that there is a scope.
 */
function treeText(tree: ExplainTree, isScoped: boolean, above?: ExplainTree): string {
  const { kind, label, owner, notes, measured, estimateRows, inputs } = tree
  const unguarded = (text: string): string => (isScoped ? text.replace(/ guarded\b/, '') : text)
  const own = unguarded(label)
  const stored = isScoped ? `${estimateRows ?? ''}${Object.keys(measured?.counters ?? {}).join()}` : ''
  const isLast = above === undefined || above.owner !== owner || notes.includes('subquery: ran first')
  // How a backend runs its part of the plan is not shown under a scope.
  const said = notes.filter((note) => isScoped || !isOfBackend(note)).map(unguarded)
  return `${kind} ${own} [${owner}] ${isScoped || isLast ? (measured?.rows ?? '-') : '-'}${stored} ${said.join('; ')} (${inputs.map((input) => treeText(input, isScoped, tree)).join()})`
}

/**
 * Whether a note comes from a backend: lines of SQL and of its plan begin with a word in capitals, and the columnar
 * backend reports joins and shared parts.
 */
function isOfBackend(note: string): boolean {
  return /^\s*[A-Z]{2}|^(?:builds the|all pairs:|stands at) /.test(note)
}

function statisticsText(result: QueryResult, isScoped: boolean): string {
  const { rows, milliseconds: _, summary: __, ...counts } = result.statistics()
  const stored = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${rows} ${isScoped ? stored : 0}`
}

/** Returns the complete result of a call, or its complete refusal. */
export async function answerText(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run(), plain)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return `refused ${diagnosticsText(error.diagnostics)}`
  }
}

/** A compiled question, or its refusal. */
export type Compiled = { readonly plan: CompiledPlan; readonly told: string } | { readonly told: string }

export function compileFor(view: View, question: Question): Compiled {
  try {
    const plan = view.compile(question.plan(), question)
    const told = `${diagnosticsText(plan.diagnostics)} ${JSON.stringify(plan.schema, plain)}`
    return { plan, told }
  } catch (error) {
    if (error instanceof SluiceError) return { told: diagnosticsText(error.diagnostics) }
    throw error
  }
}

export interface RunOptions {
  readonly backend: ScopeBackend
  /** Whether the caller has a scope, which some words and numbers show. */
  readonly isScoped: boolean
  /** Whether the explanation before the run is compared, and the one after it together with the statistics. */
  readonly explainsBefore: boolean
  readonly explainsAfter: boolean
  readonly limits: Partial<EngineLimits> | undefined
}

/** Runs a question, reads all batches and collects everything that a caller can see. */
export async function outcomeOf(
  view: View,
  compiled: Compiled,
  question: Question,
  { backend, isScoped, explainsBefore, explainsAfter, limits }: RunOptions,
): Promise<Outcome> {
  if (!('plan' in compiled)) return { ...nothing, told: compiled.told }
  const lines: string[] = []
  const batches: string[] = []
  let refusal = ''
  let before = ''
  let result: QueryResult | undefined
  try {
    result = view.run(compiled.plan, question, backend, limits)
    const declared = new Set(result.schema.fields.map(({ name }) => name))
    if (explainsBefore) before = treeText(result.explain(), isScoped)
    for await (const batch of result.batches()) {
      addBatch(lines, batch)
      batches.push(batchText(batch, declared))
    }
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    refusal = diagnosticsText(error.diagnostics)
  }
  const isDone = result !== undefined && refusal === ''
  // Advice reads names that no visible row has, and the nearest ones. Small limits apply only to the query.
  const advice = isDone && limits === undefined ? await result?.advice() : undefined
  return {
    told: `${compiled.told} ${result?.isAggregate} ${diagnosticsText(advice ?? [])}`,
    before,
    // Rows before a refusal are not compared, since batches end at different rows.
    rows: isDone ? lines.join('\n') : '',
    // Where nothing is hidden, the batches are compared as they are.
    batches: isDone ? (hidesRows(compiled.plan.optimized) ? batches : fullBatches(lines.length)).join(', ') : '',
    refusal,
    statistics: isDone && explainsAfter && result !== undefined ? statisticsText(result, isScoped) : '',
    after: isDone && explainsAfter && result !== undefined ? treeText(result.explain(), isScoped) : '',
  }
}

/** Returns a sentence on the first difference between two outcomes; `undefined` when all bytes are equal. */
export function firstDifference(scoped: Outcome, plain_: Outcome): string | undefined {
  for (const part of outcomeParts) {
    const [a, b] = [scoped[part], plain_[part]]
    if (a === b) continue
    let at = 0
    while (at < a.length && a[at] === b[at]) at++
    const from = Math.max(0, at - 60)
    const shown = (text: string): string => JSON.stringify(text.slice(from, at + 160))
    return `${part} part at ${at}: ${shown(a)} under the scope, ${shown(b)} over what it shows`
  }
  return undefined
}
