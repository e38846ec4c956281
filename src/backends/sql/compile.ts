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

/** Name of the result column with the undeclared fields. People read this name; code reads columns by position. */
const REST = 'attributes'

/**
 * Location of a field's value in a result row. A time takes two columns of 32 bits each, or one column if the reader
 * can read 64-bit integers. `native`: a value as a user's own table stores it.
 */
export interface OutputField {
  readonly form: Form | 'ns' | 'native'
  /** The position of the field's first result column, from 0. */
  readonly at: number
}

/** A statement, the values of its parameters, and the layout of its rows. */
export interface Statement {
  readonly query: Select
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  readonly schema: Schema
  /** The location of each field of the schema in a result row, in the order of the schema. */
  readonly fields: readonly OutputField[]
  /**
   * The result column with the undeclared fields, and the name patterns of fields that the query must not see.
   * `undefined` if the rows have no undeclared fields.
   */
  readonly rest: { readonly at: number; readonly hidden: readonly FieldPattern[] } | undefined
  readonly columnCount: number
  /**
   * Version of the facts about stored values on which the statement relies. If the database has another version, the
   * statement must be compiled again.
   */
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

/** Everything besides the plan that `compileSqlite` needs. */
export type StatementInput = BlockInput &
  Pick<Statement, 'epoch'> & {
    /**
     * True if the statement returns whole numbers unchanged and the reader decodes them. Otherwise the host function
     * `host-native` encodes them.
     */
    readonly readsNative?: boolean
    /**
     * True if a person runs the statement in a shell. Columns of undeclared fields are then returned as stored; the
     * decoder of answers cannot read this form.
     */
    readonly isPrinted?: boolean
  }

/** Compiles a whole plan to one statement over Sluice's own SQLite tables. Throws CannotCompile. */
export function compileStatement(plan: LogicalPlan, input: CompileInput): Statement {
  const { layouts, knowledge } = input
  const scan: BlockInput['scan'] = (node, context) => scanBlock(node, context, { layouts, knowledge })
  return compileSqlite(plan, { ...input, host: sqliteHost, scan, epoch: knowledge.epoch })
}

/** Compiles a whole plan to one statement over the SQLite tables that `input.scan` can read. Throws CannotCompile. */
export function compileSqlite(plan: LogicalPlan, input: StatementInput): Statement {
  const { block, context } = compileBlock(plan, input)
  const schema = schemaOf(plan)
  const exprs: SqlExpr[] = []
  const wanted: (string | undefined)[] = []
  const push = (expr: SqlExpr, name?: string): number => {
    // Statements over Sluice's own tables are cached by their SQL, so their SQL must not depend on field names.
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
