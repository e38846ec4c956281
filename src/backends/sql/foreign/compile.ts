import { present, type Interval } from '../../../base/index.ts'
import type { Schema } from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import { schemaOf, type FieldPattern, type LogicalPlan } from '../../../plan/index.ts'
import {
  sqlCall,
  sqlOr,
  sqlTrue,
  type OrderTerm,
  type Query,
  type Select,
  type SelectColumn,
  type SqlExpr,
} from '../statement/ast.ts'
import { CannotCompile, NotMerged, fieldCell, type QueryBlock, type Host } from '../block.ts'
import type { Assembled, Cell } from '../cell.ts'
import { compileBlock } from '../compile-block.ts'
import type { Dialect } from '../dialect.ts'
import { finish } from '../finish.ts'
import { crossingForm } from '../order.ts'
import { BY_CHARACTERS, CUT_BY_CHARACTERS, FLOAT_SUMS, partsNote } from '../notes.ts'
import { resultNames } from '../result-names.ts'
import type { SqlParameter } from '../statement/params.ts'
import type { Form } from '../statement/programs.ts'
import { renderSql } from '../statement/render.ts'
import { children, roots } from '../statement/walk.ts'
import { componentForm, equalComponent } from './assembled.ts'
import type { ForeignForm } from './engine.ts'
import { foreignHost } from './host.ts'
import { listedFirst } from './listed-first.ts'
import type { AttributeMapping, TableMapping } from './mapping.ts'
import { foreignScan } from './tables.ts'

/** Location of a field's value in a result row: one column, or several columns from which the value is computed. */
export type ForeignOutputField = { readonly isJsonText: boolean } & (
  | { readonly kind: 'value'; readonly form: Form; readonly isDigits: boolean; readonly at: number }
  | { readonly kind: 'assembled'; readonly of: Omit<Assembled, 'parts'>; readonly at: readonly number[] }
)

/**
 * An ordering that SQL cannot express completely. The reader sorts the rows by these result columns and then applies
 * limit and offset.
 */
export interface Ranking {
  readonly terms: readonly (Pick<OrderTerm, 'direction' | 'ranks'> & { readonly at: number })[]
  readonly limit: number | undefined
  readonly offset: number
  /**
   * The same statement without its limit. It must run if the limited rows contain strings that may sort as numbers or
   * times, since the answer may then have other rows.
   */
  readonly whole: CompiledSql | undefined
}

export interface CompiledSql {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  /** The maximum number of rows that the statement returns; `undefined` when not known. */
  readonly mostRows: number | undefined
}

export interface CompiledForeign extends CompiledSql {
  /** Sentences for people: how the rows of the statement, run without Sluice, differ from the answer of the query. */
  readonly notes: readonly string[]
  readonly query: Select
  readonly schema: Schema
  readonly forms: readonly ForeignForm[]
  readonly fields: readonly ForeignOutputField[]
  /**
   * The result columns of undeclared fields with their mappings, and the name patterns of fields that the query must
   * not see. `undefined` if the answer has no undeclared fields.
   */
  readonly rest:
    | {
        readonly parts: readonly { readonly at: number; readonly attribute: AttributeMapping }[]
        readonly hidden: readonly FieldPattern[]
      }
    | undefined
  readonly ranking: Ranking | undefined
  /** True if the database adds floats. Its sum is close to the exact one, but may differ in the last bit. */
  readonly hasFloatSums: boolean
  /**
   * Position of the result column that is true in a group `''`; `undefined` if there is no such column. Rows with true
   * come first. If one occurs, the plan must be compiled again with `keepsEmptyKeys: false`.
   */
  readonly unmergedAt: number | undefined
}

export interface ForeignInput {
  readonly dialect: Dialect
  readonly mappings: ReadonlyMap<string, TableMapping>
  readonly functions: Functions
  readonly range: Interval | undefined
  /**
   * True if rows are grouped by the stored strings, so that `''` and NULL make two groups. The column `unmergedAt` then
   * shows a group `''`.
   */
  readonly keepsEmptyKeys: boolean
}

const UNSORTED = 'it orders texts that are numbers or times by their characters'

/**
 * Throws CannotCompile if SQL would select rows by an ordering that only the reader of the rows can complete. Only the
 * outermost SELECT may have a limit with such an ordering.
 */
export function checkOrders(query: Query, plan: LogicalPlan, isTop: boolean): void {
  for (const select of query.kind === 'select' ? [query] : query.selects) {
    const isCut = select.limit !== undefined || select.offset > 0 || select.limitBy !== undefined
    if (!isTop && isCut && select.orderBy.some((term) => term.ranks !== undefined)) {
      throw new CannotCompile(plan, UNSORTED)
    }
    const visit = (expr: SqlExpr): void => {
      const order = expr.kind === 'window' || expr.kind === 'aggregate' ? expr.orderBy : []
      if (order.some((term) => term.ranks !== undefined)) throw new CannotCompile(plan, UNSORTED)
      const inside = children(expr)
      inside.exprs.forEach(visit)
      for (const inner of inside.selects) checkOrders(inner, plan, false)
    }
    roots(select).forEach(visit)
    checkSources(select.from, plan)
  }
}

function checkSources(source: Select['from'], plan: LogicalPlan): void {
  if (source.kind === 'select') checkOrders(source.query, plan, false)
  if (source.kind !== 'join') return
  checkSources(source.left, plan)
  checkSources(source.right, plan)
}

function mostRowsOf(query: Query): number | undefined {
  if (query.kind !== 'select') return undefined
  return query.groupBy?.length === 0 ? 1 : query.limit
}

class Columns {
  readonly exprs: SqlExpr[] = []
  readonly forms: ForeignForm[] = []
  readonly #names: (string | undefined)[] = []

  /** Adds a result column and returns its position. `name` is the column's name in the query. */
  add(expr: SqlExpr, form: ForeignForm, name?: string): number {
    this.exprs.push(expr)
    this.#names.push(name)
    return this.forms.push(form) - 1
  }

  named(dialect: Dialect): readonly SelectColumn[] {
    const names = resultNames(this.#names, dialect)
    return this.exprs.map((expr, i) => ({ expr, name: present(names[i]) }))
  }

  addCell(c: Cell, name: string): ForeignOutputField {
    const { assembled, form, facts, sql } = c
    const isJsonText = facts.isJsonText === true
    if (assembled !== undefined) {
      const { parts: given, ...of } = assembled
      const named = equalComponent(of)
      const at = given.map((part, i) => this.add(part, componentForm(of.how, i), i === named ? name : undefined))
      return { kind: 'assembled', isJsonText, of, at }
    }
    const isDigits = form === 'number' && facts.number === 'wide'
    const value = isDigits ? sqlCall('as-text', sql) : sql
    return { kind: 'value', isJsonText, form, isDigits, at: this.add(value, isDigits ? 'text' : crossingForm(c), name) }
  }
}

function notesOnParts(output: ForeignOutputField, name: string, columns: readonly SelectColumn[]): readonly string[] {
  if (output.kind !== 'assembled' || equalComponent(output.of) !== undefined) return []
  const { kind, how } = output.of
  const parts = output.at.map((at) => present(columns[at]).name)
  return [partsNote(name, parts, kind === 'mean' && (how === 'whole' || how === 'floats'))]
}

/** Compiles a whole plan to one statement, with a description of its result columns. Throws CannotCompile. */
export function compileForeign(plan: LogicalPlan, input: ForeignInput): CompiledForeign {
  try {
    return compileOnce(plan, input)
  } catch (error) {
    if (error instanceof NotMerged) return compileOnce(plan, { ...input, keepsEmptyKeys: false })
    throw error
  }
}

/**
 * Separates from a block the conditions that detect groups with the key `''`, and returns them as one expression,
 * `doubt`, for the first ORDER BY term. Throws NotMerged if a limit or filter could remove such a group.
 */
function withDoubtsFirst(block: QueryBlock): { readonly block: QueryBlock; readonly doubt: SqlExpr | undefined } {
  const { unmerged, having, limitBy, limit, offset, ...others } = block
  const rest: QueryBlock = { ...others, having, limitBy, limit, offset }
  if (unmerged === undefined) return { block: rest, doubt: undefined }
  // A group `''` is detected among the returned rows, so nothing may remove rows.
  if (having.length > 0 || limitBy !== undefined || limit === 0 || offset > 0) throw new NotMerged()
  // The conditions are NULL for the group of missing values, and NULL must not count as true.
  return { block: rest, doubt: sqlCall('is-true', sqlOr(unmerged)) }
}

function compileOnce(plan: LogicalPlan, input: ForeignInput): CompiledForeign {
  const { dialect, mappings, functions, range, keepsEmptyKeys } = input
  const host = foreignHost(dialect, undefined)
  // All scans of a table share one `Host`, so that each undeclared field compiles to equal expressions.
  const hosts = new Map<TableMapping, Host>()
  const { block: given, context } = compileBlock(plan, {
    dialect,
    host,
    keepsEmptyKeys,
    scan: (node, inner) => {
      const mapping = mappings.get(node.table)
      if (mapping === undefined) throw new CannotCompile(node, `the table \`${node.table}\` is not mapped here`)
      const { attributes } = mapping
      const own = attributes.length === 0 ? host : (hosts.get(mapping) ?? foreignHost(dialect, mapping))
      hosts.set(mapping, own)
      return foreignScan(node, inner, mapping, own)
    },
    functions,
    range,
    isInterruptible: false,
  })
  const { block, doubt } = withDoubtsFirst(given)
  const schema = schemaOf(plan)
  const columns = new Columns()
  const fields = schema.fields.map(({ name }) => columns.addCell(fieldCell(block, name), name))
  const rest =
    block.rest === undefined || !schema.isOpen
      ? undefined
      : {
          parts: block.rest.parts.map((part, i) => {
            const attribute = block.host.attributes?.[i]
            if (attribute === undefined) throw new CannotCompile(plan, 'undeclared fields of two tables meet')
            return { at: columns.add(sqlCall('as-json', part), 'json', attribute.column), attribute }
          }),
          hidden: block.rest.hidden,
        }
  const isRanked = block.order.some((term) => term.ranks !== undefined) && block.groupBy?.length !== 0
  const isCut = block.limit !== undefined || block.offset > 0
  const kept = isCut && block.limit !== undefined ? block.order : block.order.filter((term) => term.ranks !== 'flag')
  const terms = isRanked
    ? kept.map(({ expr, direction, ranks, read }) => {
        const sql = read?.sql ?? expr
        const known = columns.exprs.indexOf(sql)
        const form = ranks === 'flag' ? 'bool' : read?.form
        if (form === undefined) throw new CannotCompile(plan, UNSORTED)
        return {
          at: known === -1 ? columns.add(sql, form) : known,
          direction,
          ...(ranks === undefined ? {} : { ranks }),
        }
      })
    : undefined
  if (columns.exprs.length === 0) columns.add(sqlTrue, 'bool')
  const render = (query: Select): CompiledSql => {
    const rendered = renderSql(query, dialect)
    if (rendered === undefined) throw new CannotCompile(plan, 'the statement would have more values than it takes')
    return { sql: rendered.text, parameters: rendered.parameters, mostRows: mostRowsOf(query) }
  }
  const unmergedAt = doubt === undefined ? undefined : columns.add(doubt, 'bool')
  const first: readonly OrderTerm[] = doubt === undefined ? [] : [{ expr: doubt, direction: 'desc', mayBeNull: false }]
  const where = block.groupBy === undefined ? block.where : listedFirst(block.where, dialect)
  const named = columns.named(dialect)
  const finished = (of: QueryBlock): Select => finish({ ...of, where, order: [...first, ...of.order] }, named, context)
  const unflagged = { ...block, order: block.order.filter((term) => term.ranks !== 'flag') }
  const whole = finished({ ...unflagged, limit: undefined, offset: 0 })
  const cut = block.limit === undefined ? undefined : block.offset + block.limit
  const query =
    terms === undefined ? finished(block) : cut === undefined ? whole : finished({ ...block, limit: cut, offset: 0 })
  checkOrders(query, plan, true)
  const hasFloatSums = fields.some((output) => output.kind === 'assembled' && output.of.how === 'floats')
  const notes = [
    ...fields.flatMap((output, i) => notesOnParts(output, present(schema.fields[i]).name, named)),
    ...(terms === undefined ? [] : [cut === undefined ? BY_CHARACTERS : CUT_BY_CHARACTERS]),
    ...(hasFloatSums ? [FLOAT_SUMS] : []),
  ]
  return {
    ...render(query),
    notes,
    query,
    schema,
    forms: columns.forms,
    fields,
    rest,
    hasFloatSums,
    unmergedAt,
    ranking:
      terms === undefined
        ? undefined
        : {
            terms,
            limit: block.limit,
            offset: block.offset,
            whole: isCut && cut !== undefined ? render(whole) : undefined,
          },
  }
}
