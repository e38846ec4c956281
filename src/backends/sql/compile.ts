import type { Interval } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import { expressions, schemaOf, visit, visitExpr, type FieldPattern, type LogicalPlan } from '../../plan/index.ts'
import type { Knowledge, TableLayout } from '../../store/sqlite/index.ts'
import { sqlCall, type Select, type SelectColumn } from './ast.ts'
import { CannotCompile, fieldCell } from './block.ts'
import { makeBlock } from './blocks/index.ts'
import type { CompileContext } from './context.ts'
import type { Dialect } from './dialect.ts'
import { finish } from './finish.ts'
import type { SqlParameter } from './params.ts'
import type { Form } from './programs.ts'
import { renderSql } from './render.ts'

/** How one field of the answer is read from a result row: times come as two columns of 32 bits each. */
export interface OutputField {
  readonly form: Form
  /** Position of its first result column. */
  readonly at: number
}

export interface Statement {
  readonly query: Select
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly schema: Schema
  /** One for each field of the schema. */
  readonly fields: readonly OutputField[]
  /** The column of undeclared fields, and which of them are hidden. */
  readonly rest: { readonly at: number; readonly hidden: readonly FieldPattern[] } | undefined
  readonly columnCount: number
  /** What was known of the data when it was compiled. */
  readonly epoch: number
}

export interface CompileInput {
  readonly dialect: Dialect
  readonly layouts: ReadonlyMap<string, TableLayout>
  readonly knowledge: Knowledge
  readonly functions: Functions
  readonly range: Interval | undefined
  readonly isInterruptible: boolean
}

function hasSample(plan: LogicalPlan): boolean {
  let found = false
  visit(plan, (node) => {
    found ||= node.kind === 'sample'
  })
  return found
}

const CHANCE = 'a statement may compute an expression once or many times, so chance would not be one value a row'

/** What the dialect cannot run, and functions that nobody knows. */
function checkNode(node: LogicalPlan, { dialect, functions }: CompileInput): void {
  const reason = dialect.cannot[node.kind]
  if (reason !== undefined) throw new CannotCompile(node, reason)
  for (const root of node.kind === 'scan' && node.guard !== undefined
    ? [node.guard, ...expressions(node)]
    : expressions(node)) {
    visitExpr(root, (expr) => {
      if (expr.kind !== 'call') return
      const definition = functions.scalar.get(expr.name)
      if (definition === undefined) throw new CannotCompile(node, `there is no function \`${expr.name}\``)
      const refusal = definition.volatility === 'per-row' ? CHANCE : dialect.cannot[definition.name]
      if (refusal !== undefined) throw new CannotCompile(node, refusal)
    })
  }
}

/** The whole plan as one statement. Throws CannotCompile. */
export function compileStatement(plan: LogicalPlan, input: CompileInput): Statement {
  let aliases = 0
  const context: CompileContext = {
    ...input,
    needsRecord: hasSample(plan),
    block: (node) => {
      checkNode(node, input)
      return makeBlock(node, context)
    },
    alias: (prefix) => `${prefix}${aliases++}`,
  }
  const block = context.block(plan)
  const schema = schemaOf(plan)
  const columns: SelectColumn[] = []
  const push = (expr: SelectColumn['expr']): number => columns.push({ expr, name: `c${columns.length}` }) - 1
  const fields = schema.fields.map(({ name }): OutputField => {
    const { sql, form } = fieldCell(block, name)
    if (form !== 'time') return { form, at: push(sql) }
    const at = push(sqlCall('high-word', sql))
    push(sqlCall('low-word', sql))
    return { form, at }
  })
  const rest =
    block.rest === undefined || !schema.isOpen ? undefined : { at: push(block.rest.sql), hidden: block.rest.hidden }
  if (columns.length === 0) push({ kind: 'constant', text: '1' })
  const query = finish(block, columns, context)
  const rendered = renderSql(query, input.dialect)
  if (rendered === undefined) throw new CannotCompile(plan, 'the statement would have more values than SQLite takes')
  return {
    query,
    sql: rendered.text,
    parameters: rendered.parameters,
    schema,
    fields,
    rest,
    columnCount: columns.length,
    epoch: input.knowledge.epoch,
  }
}
