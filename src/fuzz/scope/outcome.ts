import { present, SluiceError, type Diagnostic } from '../../base/index.ts'
import { Instant, JsonText, toText, valueAt, type RecordBatch, type Value } from '../../data/index.ts'
import type { CompiledPlan, EngineLimits, QueryResult } from '../../engine/index.ts'
import { hidesRows, type ExplainTree } from '../../plan/index.ts'
import type { View } from './view.ts'
import type { ScopeQuestion } from './questions.ts'
import { BATCH_ROWS, type ScopeBackend } from './subject.ts'

/** Everything that a caller receives, as text in which types differ. Wall-clock times are left out. */
export interface ScopeOutcome {
  /** Advice, schema, and whether rows are groups; or the errors of the query. */
  readonly description: string
  /** The explanation before the run; empty when it was not requested. */
  readonly before: string
  readonly rows: string
  /** Number of rows in each batch, and the columns of a batch that have no value. */
  readonly batches: string
  /** The complete error of the run. */
  readonly refusal: string
  readonly statistics: string
  /** The explanation after the run. */
  readonly after: string
}

export const outcomeMembers = ['description', 'before', 'refusal', 'rows', 'batches', 'statistics', 'after'] as const

const nothing: ScopeOutcome = {
  description: '',
  before: '',
  rows: '',
  batches: '',
  refusal: '',
  statistics: '',
  after: '',
}

function plain(_: string, value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  return value instanceof Map || value instanceof Set ? [...value] : value
}

/** Formats code, message, notes, fixes and position of each diagnostic, and the parameters of its message. */
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

/** Returns the batch sizes after merging all rows into full batches, and no empty columns. */
function fullBatches(rowCount: number): readonly string[] {
  const left = rowCount % BATCH_ROWS
  return [
    ...Array<string>((rowCount - left) / BATCH_ROWS).fill(String(BATCH_ROWS)),
    ...(left > 0 ? [String(left)] : []),
  ]
}

/** Adds the rows of a batch in order, with the fields of each in order. */
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
 * Formats an explanation. With a scope, counters, estimates and the row numbers below the last stage of each part are
 * left out; `guarded` shows that there is a scope.
 */
function treeText(tree: ExplainTree, isScoped: boolean, above?: ExplainTree): string {
  const { kind, label, owner, notes, measured, estimateRows, inputs } = tree
  const unguarded = (text: string): string => (isScoped ? text.replace(/ guarded\b/, '') : text)
  const own = unguarded(label)
  const stored = isScoped ? `${estimateRows ?? ''}${Object.keys(measured?.counters ?? {}).join()}` : ''
  const isLast = above === undefined || above.owner !== owner || notes.includes('subquery: ran first')
  // With a scope, the backend's notes on how it runs its part of the plan are not shown.
  const said = notes.filter((note) => isScoped || !isOfBackend(note)).map(unguarded)
  return `${kind} ${own} [${owner}] ${isScoped || isLast ? (measured?.rows ?? '-') : '-'}${stored} ${said.join('; ')} (${inputs.map((input) => treeText(input, isScoped, tree)).join()})`
}

/**
 * True if a note comes from a backend: lines of SQL begin with a word in capitals, and the columnar backend reports
 * joins and shared parts.
 */
function isOfBackend(note: string): boolean {
  return /^\s*[A-Z]{2}|^(?:builds the|all pairs:|stands at) /.test(note)
}

function statisticsText(result: QueryResult, isScoped: boolean): string {
  const { rows, milliseconds: _, summary: __, ...counts } = result.statistics()
  const stored = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return `${rows} ${isScoped ? stored : 0}`
}

/** Returns the complete result of a call, or its complete error. */
export async function answerText(run: () => Promise<unknown>): Promise<string> {
  try {
    return JSON.stringify(await run(), plain)
  } catch (error) {
    if (!(error instanceof SluiceError)) throw error
    return `refused ${diagnosticsText(error.diagnostics)}`
  }
}

/** A compiled question, or its error. */
export type Compiled = { readonly plan: CompiledPlan; readonly description: string } | { readonly description: string }

export function compileFor(view: View, question: ScopeQuestion): Compiled {
  try {
    const plan = view.compile(question.plan(), question)
    const description = `${diagnosticsText(plan.diagnostics)} ${JSON.stringify(plan.schema, plain)}`
    return { plan, description }
  } catch (error) {
    if (error instanceof SluiceError) return { description: diagnosticsText(error.diagnostics) }
    throw error
  }
}

export interface RunOptions {
  readonly backend: ScopeBackend
  /** True if the caller has a scope. Some words and numbers of the output depend on this. */
  readonly isScoped: boolean
  /**
   * True to compare the explanation before the run. `explainsAfter` compares the explanation and the statistics after
   * the run.
   */
  readonly explainsBefore: boolean
  readonly explainsAfter: boolean
  readonly limits: Partial<EngineLimits> | undefined
}

/** Runs a question, reads all batches and collects everything that the caller can see. */
export async function outcomeOf(
  view: View,
  compiled: Compiled,
  question: ScopeQuestion,
  { backend, isScoped, explainsBefore, explainsAfter, limits }: RunOptions,
): Promise<ScopeOutcome> {
  if (!('plan' in compiled)) return { ...nothing, description: compiled.description }
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
  // Advice lists names that no visible row has, and similar names. Limits apply only to the query itself, so there is
  // no advice if limits are set.
  const advice = isDone && limits === undefined ? await result?.advice() : undefined
  return {
    description: `${compiled.description} ${result?.isAggregate} ${diagnosticsText(advice ?? [])}`,
    before,
    // If there is an error, rows are not compared, because both sides may stop at different rows.
    rows: isDone ? lines.join('\n') : '',
    // With a guard, batches must look as if hidden rows did not exist: full, without empty columns.
    batches: isDone ? (hidesRows(compiled.plan.optimized) ? batches : fullBatches(lines.length)).join(', ') : '',
    refusal,
    statistics: isDone && explainsAfter && result !== undefined ? statisticsText(result, isScoped) : '',
    after: isDone && explainsAfter && result !== undefined ? treeText(result.explain(), isScoped) : '',
  }
}

/** Describes the first difference between two outcomes; `undefined` if they are equal to the byte. */
export function firstDifference(scoped: ScopeOutcome, plain_: ScopeOutcome): string | undefined {
  for (const member of outcomeMembers) {
    const [a, b] = [scoped[member], plain_[member]]
    if (a === b) continue
    let at = 0
    while (at < a.length && a[at] === b[at]) at++
    const from = Math.max(0, at - 60)
    const shown = (text: string): string => JSON.stringify(text.slice(from, at + 160))
    return `${member} part at ${at}: ${shown(a)} under the scope, ${shown(b)} over what it shows`
  }
  return undefined
}
