import { present, type Interval } from '../../base/index.ts'
import type { Schema } from '../../data/index.ts'
import type { Functions } from '../../functions/index.ts'
import { schemaOf, type FieldPattern, type LogicalPlan } from '../../plan/index.ts'
import type { Knowledge, TableLayout } from '../../store/sqlite/index.ts'
import { sqlCall, type Select, type SelectColumn, type SqlExpr } from './statement/ast.ts'
import { CannotCompile, fieldCell } from './block.ts'
import { scanBlock } from './blocks/scan.ts'
import { compileBlock, type BlockInput } from './compile-block.ts'
import type { Dialect } from './dialect.ts'
import { finish } from './finish.ts'
import { resultNames } from './result-names.ts'
import type { SqlParameter } from './statement/params.ts'
import type { Form } from './statement/programs.ts'
import { renderSql } from './statement/render.ts'
import { drivenByWords } from './sqlite-file/words.ts'
import { sqliteHost } from './sqlite-host.ts'

/** The result column of undeclared fields, for people. */
const REST = 'attributes'

/**
 * How a field of the answer is read from a result row. Times come as two columns of 32 bits each, or as one where whole
 * numbers are read exactly. `native` is a value of a foreign column.
 */
export interface OutputField {
  readonly form: Form | 'ns' | 'native'
  /** The position of its first result column. */
  readonly at: number
}

export interface Statement {
  readonly query: Select
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly schema: Schema
  /** One entry for each field of the schema. */
  readonly fields: readonly OutputField[]
  /** The column of undeclared fields, and the fields among them that are hidden. */
  readonly rest: { readonly at: number; readonly hidden: readonly FieldPattern[] } | undefined
  readonly columnCount: number
  /** The version of the knowledge about the stored data with which the statement was compiled. */
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

/** The inputs of a statement over any SQLite tables. */
export type StatementInput = BlockInput &
  Pick<Statement, 'epoch'> & {
    /**
     * Whether whole numbers are returned unchanged and decoded by the reader, not by the host function `host-native`.
     */
    readonly readsNative?: boolean
    /**
     * Whether the statement is for a shell: columns of undeclared fields stay as they are stored, which the reader of
     * answers does not accept.
     */
    readonly isPrinted?: boolean
  }

/** Compiles a whole plan to one statement. Throws CannotCompile. */
export function compileStatement(plan: LogicalPlan, input: CompileInput): Statement {
  const { layouts, knowledge } = input
  const scan: BlockInput['scan'] = (node, context) => scanBlock(node, context, { layouts, knowledge })
  return compileSqlite(plan, { ...input, host: sqliteHost, scan, epoch: knowledge.epoch })
}

/** Like `compileStatement`, for tables that `scan` knows. */
export function compileSqlite(plan: LogicalPlan, input: StatementInput): Statement {
  const { block, context } = compileBlock(plan, input)
  const schema = schemaOf(plan)
  const exprs: SqlExpr[] = []
  const wanted: (string | undefined)[] = []
  const push = (expr: SqlExpr, name?: string): number => {
    // Statements over our own tables are cached by text, so the text must not depend on field names.
    wanted.push(input.readsNative === true ? name : undefined)
    return exprs.push(expr) - 1
  }
  const fields = schema.fields.map(({ name }): OutputField => {
    const { sql, form } = fieldCell(block, name)
    const readsColumn = input.readsNative === true && !block.isDistinct
    const native = readsColumn && sql.kind === 'call' && sql.name === 'host-native' ? sql.args[0] : undefined
    if (native !== undefined) return { form: 'native', at: push(native, name) }
    if (form !== 'time') return { form, at: push(sql, name) }
    if (input.readsNative === true) return { form: 'ns', at: push(sql, name) }
    const at = push(sqlCall('high-word', sql))
    push(sqlCall('low-word', sql))
    return { form, at }
  })
  const [others] = schema.isOpen ? (block.rest?.parts ?? []) : []
  const isStored = input.isPrinted === true && others?.kind === 'call' && others.name === 'host-rest'
  const restAt = exprs.length
  if (isStored) for (const column of others.args.slice(1)) push(column, column.kind === 'column' ? column.column : REST)
  else if (others !== undefined) push(others, REST)
  const rest =
    block.rest === undefined || others === undefined || isStored ? undefined : { at: restAt, hidden: block.rest.hidden }
  if (exprs.length === 0) push({ kind: 'constant', text: '1' })
  const names = resultNames(wanted, input.dialect)
  const columns = exprs.map((expr, i): SelectColumn => ({ expr, name: present(names[i]) }))
  const finished = finish(block, columns, context)
  const query = input.readsNative === true ? drivenByWords(finished) : finished
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
    epoch: input.epoch,
  }
}
