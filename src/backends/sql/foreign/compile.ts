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
import { CannotCompile, NotMerged, fieldCell, type Block, type Host } from '../block.ts'
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
import { parts, roots } from '../statement/walk.ts'
import { partForm, wholePart } from './assembled.ts'
import type { ForeignForm } from './engine.ts'
import { foreignHost } from './host.ts'
import { listedFirst } from './listed-first.ts'
import type { AttributeMapping, TableMapping } from './mapping.ts'
import { foreignScan } from './tables.ts'

/** How a field of the answer is read from a result row. */
export type OutputField = { readonly isJsonText: boolean } & (
  | { readonly kind: 'value'; readonly form: Form; readonly isDigits: boolean; readonly at: number }
  | { readonly kind: 'assembled'; readonly of: Omit<Assembled, 'parts'>; readonly at: readonly number[] }
)

/** The order that the reader of the rows completes, by result columns. */
export interface Ranking {
  readonly terms: readonly (Pick<OrderTerm, 'direction' | 'ranks'> & { readonly at: number })[]
  readonly limit: number | undefined
  readonly offset: number
  /**
   * The same statement without its limit. It runs when the limited rows contain texts that may sort as numbers or
   * times.
   */
  readonly whole: CompiledSql | undefined
}

export interface CompiledSql {
  readonly sql: string
  readonly parameters: readonly SqlParameter[]
  /** The most rows that it returns, when known. */
  readonly mostRows: number | undefined
}

export interface CompiledForeign extends CompiledSql {
  /** See `CompiledStatement`. */
  readonly notes: readonly string[]
  readonly query: Select
  readonly schema: Schema
  readonly forms: readonly ForeignForm[]
  readonly fields: readonly OutputField[]
  /** The columns of undeclared fields, each with the prefix of its names, and the fields among them that are hidden. */
  readonly rest:
    | {
        readonly parts: readonly { readonly at: number; readonly attribute: AttributeMapping }[]
        readonly hidden: readonly FieldPattern[]
      }
    | undefined
  readonly ranking: Ranking | undefined
  /** Whether the database adds floats, whose sums are close to the exact ones but may differ in the last bit. */
  readonly hasFloatSums: boolean
  /**
   * The result column that is true for a group `''`. Rows of such groups are returned first; the statement must then
   * run in its other form.
   */
  readonly unmergedAt: number | undefined
}

export interface ForeignInput {
  readonly dialect: Dialect
  readonly mappings: ReadonlyMap<string, TableMapping>
  readonly functions: Functions
  readonly range: Interval | undefined
  /**
   * Whether groups are made of the stored texts, where `''` and NULL differ; `unmergedAt` then detects a group `''`.
   */
  readonly keepsEmptyKeys: boolean
}

const UNSORTED = 'it orders texts that are numbers or times by their characters'

/** Checks that an order which only the reader of the rows can complete is at the end of the statement, or nowhere. */
export function checkOrders(query: Query, plan: LogicalPlan, isTop: boolean): void {
  for (const select of query.kind === 'select' ? [query] : query.selects) {
    const isCut = select.limit !== undefined || select.offset > 0 || select.limitBy !== undefined
    if (!isTop && isCut && select.orderBy.some((term) => term.ranks !== undefined)) {
      throw new CannotCompile(plan, UNSORTED)
    }
    const look = (expr: SqlExpr): void => {
      const order = expr.kind === 'window' || expr.kind === 'aggregate' ? expr.orderBy : []
      if (order.some((term) => term.ranks !== undefined)) throw new CannotCompile(plan, UNSORTED)
      const inside = parts(expr)
      inside.exprs.forEach(look)
      for (const inner of inside.selects) checkOrders(inner, plan, false)
    }
    roots(select).forEach(look)
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

  /** `name` is the name in the query. */
  add(expr: SqlExpr, form: ForeignForm, name?: string): number {
    this.exprs.push(expr)
    this.#names.push(name)
    return this.forms.push(form) - 1
  }

  named(dialect: Dialect): readonly SelectColumn[] {
    const names = resultNames(this.#names, dialect)
    return this.exprs.map((expr, i) => ({ expr, name: present(names[i]) }))
  }

  addCell(c: Cell, name: string): OutputField {
    const { assembled, form, facts, sql } = c
    const isJsonText = facts.isJsonText === true
    if (assembled !== undefined) {
      const { parts: given, ...of } = assembled
      const named = wholePart(of)
      const at = given.map((part, i) => this.add(part, partForm(of.how, i), i === named ? name : undefined))
      return { kind: 'assembled', isJsonText, of, at }
    }
    const isDigits = form === 'number' && facts.number === 'wide'
    const value = isDigits ? sqlCall('as-text', sql) : sql
    return { kind: 'value', isJsonText, form, isDigits, at: this.add(value, isDigits ? 'text' : crossingForm(c), name) }
  }
}

function notesOnParts(output: OutputField, name: string, columns: readonly SelectColumn[]): readonly string[] {
  if (output.kind !== 'assembled' || wholePart(output.of) !== undefined) return []
  const { kind, how } = output.of
  const parts = output.at.map((at) => present(columns[at]).name)
  return [partsNote(name, parts, kind === 'mean' && (how === 'whole' || how === 'floats'))]
}

/** Compiles a whole plan to one statement. Throws CannotCompile. */
export function compileForeign(plan: LogicalPlan, input: ForeignInput): CompiledForeign {
  try {
    return compileOnce(plan, input)
  } catch (error) {
    if (error instanceof NotMerged) return compileOnce(plan, { ...input, keepsEmptyKeys: false })
    throw error
  }
}

/**
 * Returns the block without its conditions that detect groups `''`, and these conditions as one expression, which
 * becomes the first ORDER BY term.
 */
function withDoubtsFirst(block: Block): { readonly block: Block; readonly doubt: SqlExpr | undefined } {
  const { unmerged, having, limitBy, limit, offset, ...others } = block
  const rest: Block = { ...others, having, limitBy, limit, offset }
  if (unmerged === undefined) return { block: rest, doubt: undefined }
  // A row of a group `''` must be among the returned rows, so nothing may remove rows.
  if (having.length > 0 || limitBy !== undefined || limit === 0 || offset > 0) throw new NotMerged()
  // NULL counts as false, so the group of missing values is not reported.
  return { block: rest, doubt: sqlCall('is-true', sqlOr(unmerged)) }
}

function compileOnce(plan: LogicalPlan, input: ForeignInput): CompiledForeign {
  const { dialect, mappings, functions, range, keepsEmptyKeys } = input
  const host = foreignHost(dialect, undefined)
  // All scans of a table share one `Host`, so that expressions over their undeclared fields are equal.
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
  const places = isRanked
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
  const finished = (of: Block): Select => finish({ ...of, where, order: [...first, ...of.order] }, named, context)
  const unflagged = { ...block, order: block.order.filter((term) => term.ranks !== 'flag') }
  const whole = finished({ ...unflagged, limit: undefined, offset: 0 })
  const cut = block.limit === undefined ? undefined : block.offset + block.limit
  const query =
    places === undefined ? finished(block) : cut === undefined ? whole : finished({ ...block, limit: cut, offset: 0 })
  checkOrders(query, plan, true)
  const hasFloatSums = fields.some((output) => output.kind === 'assembled' && output.of.how === 'floats')
  const notes = [
    ...fields.flatMap((output, i) => notesOnParts(output, present(schema.fields[i]).name, named)),
    ...(places === undefined ? [] : [cut === undefined ? BY_CHARACTERS : CUT_BY_CHARACTERS]),
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
      places === undefined
        ? undefined
        : {
            terms: places,
            limit: block.limit,
            offset: block.offset,
            whole: isCut && cut !== undefined ? render(whole) : undefined,
          },
  }
}
