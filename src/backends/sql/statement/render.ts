import { LINE_CHARS, assertNever, invariant, present } from '../../../base/index.ts'
import type { SqlValue } from '../../../store/sqlite/index.ts'
import {
  sqlTrue,
  type OrderTerm,
  type Query,
  type Select,
  type SelectColumn,
  type Source,
  type SqlAggregate,
  type SqlColumn,
  type SqlCompare,
  type SqlExpr,
  type SqlIn,
  type SqlWindow,
} from './ast.ts'
import { fillTemplate, template, type Dialect } from '../dialect.ts'
import { ParameterNames } from './parameter-names.ts'
import { StatementParameters, type SqlParameter } from './params.ts'
import { MAX_FLAT_TERMS } from '../tuning.ts'

export interface RenderedSql {
  readonly text: string
  /** The parameters in the order of their positions. */
  readonly parameters: readonly SqlParameter[]
}

/** Table with the case variants of stored strings. */
const VARIANTS = 'sluice_variant'

const JOINS = {
  cross: 'CROSS JOIN',
  inner: 'JOIN',
  left: 'LEFT JOIN',
  right: 'RIGHT JOIN',
  full: 'FULL JOIN',
} as const

/** Name of a parameter that is not compared with a column. */
const VALUE = 'value'

/** A limit above the size of any answer, for databases that allow OFFSET only with LIMIT. */
const MAX_ROWS = Number.MAX_SAFE_INTEGER

class Renderer {
  readonly parameters = new StatementParameters()
  readonly #dialect: Dialect
  readonly #arrayFrom: number
  readonly #names = new ParameterNames()
  /** Name for the next parameter. */
  #use = VALUE
  /** True while the WHERE clause is being written, in which an equality of strings should use an index. */
  #isCondition = false

  constructor(dialect: Dialect, arrayFrom: number) {
    this.#dialect = dialect
    this.#arrayFrom = arrayFrom
  }

  query(query: Query, indent: string): string {
    if (query.kind === 'select') return this.select(query, indent)
    return query.selects.map((select) => this.select(select, indent)).join(`\n${indent}UNION ALL\n${indent}`)
  }

  select(select: Select, indent: string): string {
    this.#names.enter(select)
    const use = this.#use
    this.#use = VALUE
    const text = this.#statement(select, indent)
    this.#use = use
    return text
  }

  #statement(select: Select, indent: string): string {
    const isInside = this.#isCondition
    this.#isCondition = false
    const isNamed = select.from.kind === 'join' && this.#dialect.foreign?.keepsSources === true
    const columns = select.columns.map((c) => this.#selected(c, indent, isNamed))
    const lines = [
      `SELECT ${select.isDistinct === true ? 'DISTINCT ' : ''}${filled(columns, indent)}`,
      `FROM ${this.#source(select.from, indent)}`,
    ]
    const where = select.where.filter((condition) => condition.kind !== 'guard' || condition.condition !== sqlTrue)
    if (where.length > 0) {
      this.#isCondition = true
      lines.push(`WHERE ${this.#conjuncts(where, indent)}`)
      this.#isCondition = false
    }
    if (select.groupBy !== undefined && select.groupBy.length > 0) {
      lines.push(`GROUP BY ${select.groupBy.map((expr) => this.#grouped(select, expr, indent)).join(', ')}`)
    }
    if (select.having.length > 0) lines.push(`HAVING ${this.#conjuncts(select.having, indent)}`)
    if (select.orderBy.length > 0) {
      const terms = select.orderBy.map((term) => this.#orderTerm(term, this.#ordered(select, term.expr, indent)))
      lines.push(`ORDER BY ${terms.join(', ')}`)
    }
    if (select.limitBy !== undefined) {
      const { keys, limit, offset } = select.limitBy
      const count = this.#number(limit, 'limit')
      const from = offset === 0 ? '' : ` OFFSET ${this.#number(offset, 'offset')}`
      lines.push(`LIMIT ${count}${from} BY ${keys.map((key) => this.expr(key, indent)).join(', ')}`)
    }
    if (select.limit !== undefined || select.offset > 0) {
      // SQLite allows OFFSET only with LIMIT, and so does ClickHouse after LIMIT BY.
      const all = this.#dialect.foreign === undefined ? -1 : select.limitBy === undefined ? undefined : MAX_ROWS
      const limit = select.limit ?? all
      if (limit !== undefined) lines.push(`LIMIT ${this.#number(limit, 'limit')}`)
      if (select.offset > 0) lines.push(`OFFSET ${this.#number(select.offset, 'offset')}`)
    }
    this.#isCondition = isInside
    return lines.join(`\n${indent}`)
  }

  /** Writes a result column. With `isNamed`, writes an alias even if the column already has this name. */
  #selected({ expr, name }: SelectColumn, indent: string, isNamed: boolean): string {
    const isItself = !isNamed && expr.kind === 'column' && expr.path === undefined && expr.column === name
    return isItself && this.#dialect.foreign !== undefined
      ? this.expr(expr, indent)
      : `${this.expr(expr, indent)} AS ${this.#name(name)}`
  }

  /**
   * Writes an ORDER BY expression. If the expression is also a result column, writes its alias, so that it is computed
   * only once.
   */
  #ordered(select: Select, expr: SqlExpr, indent: string): string {
    const column = expr.kind === 'column' ? undefined : select.columns.find((candidate) => candidate.expr === expr)
    return column === undefined ? this.expr(expr, indent) : this.#name(column.name)
  }

  /**
   * Writes a GROUP BY expression. If the expression is also a result column and not just a name, writes the column's
   * position.
   */
  #grouped(select: Select, expr: SqlExpr, indent: string): string {
    const at = expr.kind === 'column' ? -1 : select.columns.findIndex((candidate) => candidate.expr === expr)
    return at >= 0 && this.#dialect.foreign?.groupsByPosition === true ? `${at + 1}` : this.expr(expr, indent)
  }

  #conjuncts(args: readonly SqlExpr[], indent: string): string {
    if (args.length > MAX_FLAT_TERMS) return this.#balanced(args, ' AND ', indent)
    return args.map((arg) => this.#joined(arg, 'and', indent)).join(`\n${indent}  AND `)
  }

  #orderTerm(term: OrderTerm, text: string): string {
    const { nullIs } = this.#dialect
    const isLastAnyway = !term.mayBeNull || nullIs === 'last' || (term.direction === 'desc') === (nullIs === 'smallest')
    return `${text}${term.direction === 'desc' ? ' DESC' : ''}${isLastAnyway ? '' : ' NULLS LAST'}`
  }

  #name(name: string): string {
    return this.#dialect.identifier(name)
  }

  #place(position: number): string {
    return this.#dialect.parameter(position, present(this.parameters.list[position - 1]))
  }

  #number(value: number, name: string): string {
    return this.#place(this.parameters.add(BigInt(value), name))
  }

  /**
   * Calls `write`, which writes a part of the statement. Parameters in this part are named `use` unless an inner
   * expression gives a better name.
   */
  #within(use: string | undefined, write: () => string): string {
    const outer = this.#use
    this.#use = use ?? outer
    const text = write()
    this.#use = outer
    return text
  }

  #source(source: Source, indent: string): string {
    switch (source.kind) {
      case 'table':
      case 'words':
      case 'position':
        return `${this.#name(source.table)} AS ${this.#name(source.alias)}`
      case 'foreign':
        return `${present(this.#dialect.foreign).source(source.source)} AS ${this.#name(source.alias)}`
      case 'variants':
        return `${this.#name(VARIANTS)} AS ${this.#name(source.alias)}`
      case 'select':
        return `(\n${indent}  ${this.query(source.query, `${indent}  `)}\n${indent}) AS ${this.#name(source.alias)}`
      case 'join': {
        const words = JOINS[source.type]
        const on = source.on === undefined ? '' : ` ON ${this.expr(source.on, indent)}`
        return `${this.#source(source.left, indent)} ${words} ${this.#source(source.right, indent)}${on}`
      }
      default:
        return assertNever(source)
    }
  }

  /** Writes an operand, in parentheses unless it is a single token or call. */
  #operand(expr: SqlExpr, indent: string): string {
    const text = this.expr(expr, indent)
    return (isAtomic(expr) && !this.#isOperation(expr)) || this.#isCall(expr) ? text : `(${text})`
  }

  /** True if an expression reads a member of a column and the dialect writes this with operators. */
  #isOperation(expr: SqlExpr): boolean {
    return expr.kind === 'column' && expr.path !== undefined && this.#dialect.foreign?.hasMemberOperators === true
  }

  /** True if an expression is written as one function call. */
  #isCall(expr: SqlExpr): boolean {
    return expr.kind === 'call' && isOneCall(this.#dialect.functions[expr.name]?.text ?? '')
  }

  /** True if an expression is a comparison or another operation that binds tighter than AND. */
  #isComparison(expr: SqlExpr): boolean {
    if (expr.kind === 'compare' || expr.kind === 'not' || expr.kind === 'null-check' || expr.kind === 'in') return true
    const spelling = expr.kind === 'call' ? this.#dialect.functions[expr.name] : undefined
    return spelling !== undefined && !/\b(?:AND|OR|NOT)\b/.test(spelling.text)
  }

  /**
   * Writes one of several conditions that AND or OR combines, in parentheses if precedence requires them. Comparisons
   * bind tighter than AND, and AND tighter than OR.
   */
  #joined(expr: SqlExpr, kind: 'and' | 'or', indent: string): string {
    if (expr.kind === 'guard') return this.#joined(expr.condition, kind, indent)
    if (this.#isComparison(expr) || (kind === 'or' && expr.kind === 'and')) return this.expr(expr, indent)
    return this.#operand(expr, indent)
  }

  expr(expr: SqlExpr, indent: string): string {
    switch (expr.kind) {
      case 'column':
        return this.#column(expr)
      case 'bound': {
        const literal = expr.isEnum === true ? this.#enumValue(expr.value) : undefined
        if (literal !== undefined) return literal
        return this.#place(this.parameters.addBound(expr, this.#use))
      }
      case 'program':
        return this.#place(this.parameters.addProgram(expr.program))
      case 'constant':
        return this.#constant(expr.text)
      case 'and':
      case 'or':
        return this.#balanced(expr.args, expr.kind === 'and' ? ' AND ' : ' OR ', indent)
      case 'not':
        return `NOT ${this.#operand(expr.arg, indent)}`
      case 'compare':
        return this.#within(this.#names.ofCompare(expr.left, expr.op, expr.right), () => this.#compare(expr, indent))
      case 'null-check':
        return `${this.#operand(this.#unordered(expr.arg), indent)} IS ${expr.isNegated ? 'NOT ' : ''}NULL`
      case 'in':
        return this.#within(this.#names.ofList(expr.arg), () => this.#in(expr, indent))
      case 'in-select':
        return `${this.#operand(expr.arg, indent)} ${expr.isNegated ? 'NOT ' : ''}IN (${this.select(expr.select, `${indent}  `)})`
      case 'call':
        return this.#within(this.#names.ofCall(expr.name, expr.args), () =>
          this.#call(this.#dialect.functions, expr.name, expr.args, indent),
        )
      case 'aggregate':
        return this.#aggregate(expr, indent)
      case 'window':
        if (expr.call.kind === 'call') return `${this.expr(expr.call, indent)}${this.#over(expr, indent)}`
        return this.#aggregate(expr.call, indent, () => this.#over(expr, indent))
      case 'case': {
        const branches = expr.branches.map(
          (b) => `WHEN ${this.expr(b.when, indent)} THEN ${this.expr(b.value, indent)}`,
        )
        return `CASE ${branches.join(' ')} ELSE ${this.expr(expr.otherwise, indent)} END`
      }
      case 'scalar-select':
        return `(${this.select(expr.select, `${indent}  `)})`
      case 'guard':
        return this.expr(expr.condition, indent)
      default:
        return assertNever(expr)
    }
  }

  #column({ source, column, path = [], holds = 'struct' }: SqlColumn): string {
    const name = `${this.#name(source)}.${this.#name(column)}`
    if (path.length === 0) return name
    return present(this.#dialect.foreign).member(name, path, holds, (text) =>
      this.#place(this.parameters.addKey(text, this.#names.ofKey(column))),
    )
  }

  /** Writes a value of an enumerated type; `undefined` if the dialect can send the value as a parameter. */
  #enumValue(value: SqlValue): string | undefined {
    return typeof value === 'string' ? this.#dialect.foreign?.enumValue?.(value) : undefined
  }

  #constant(text: string): string {
    const [yes, no] = this.#dialect.foreign?.booleans ?? ['1', '0']
    return text === '1' ? yes : text === '0' ? no : text
  }

  /**
   * Removes a collation from an operand of an equality: the collation does not change the result, but prevents the use
   * of an index.
   */
  #unordered(expr: SqlExpr): SqlExpr {
    const isOrdered = expr.kind === 'call' && (expr.name === 'in-bytes' || expr.name === 'in-order')
    const [arg] = isOrdered ? expr.args : []
    return this.#isCondition ? (arg ?? expr) : expr
  }

  #compare({ left: given, op, right }: SqlCompare, indent: string): string {
    const left = op === '=' || op === '<>' || op === 'IS' || op === 'IS NOT' ? this.#unordered(given) : given
    const [same, other] = this.#dialect.nullSafe
    // A comparison with a value that is never stored has a constant result, so it needs no parameter.
    if (this.#dialect.foreign !== undefined && right.kind === 'bound' && right.value instanceof Uint8Array) {
      return this.#constant(op === '=' || op === 'IS' ? '0' : '1')
    }
    const word = op === 'IS' ? same : op === 'IS NOT' ? other : op
    return `${this.#operand(left, indent)} ${word} ${this.#operand(right, indent)}`
  }

  #orderTerms(terms: readonly OrderTerm[], indent: string): string {
    return terms.map((term) => this.#orderTerm(term, this.expr(term.expr, indent))).join(', ')
  }

  #balanced(args: readonly SqlExpr[], word: string, indent: string): string {
    const kind = word === ' AND ' ? 'and' : 'or'
    if (args.length <= MAX_FLAT_TERMS) return args.map((arg) => this.#joined(arg, kind, indent)).join(word)
    const half = args.length >> 1
    const left = this.#balanced(args.slice(0, half), word, indent)
    const right = this.#balanced(args.slice(half), word, indent)
    return `(${left})${word}(${right})`
  }

  #in(expr: SqlIn, indent: string): string {
    const not = expr.isNegated ? 'NOT ' : ''
    const arg = this.#operand(this.#unordered(expr.arg), indent)
    if (expr.values.length >= this.#arrayFrom && expr.values.every(fitsJson)) {
      const json = JSON.stringify(expr.values.map((value) => (typeof value === 'bigint' ? Number(value) : value)))
      const placeholder = this.#place(this.parameters.add(json, this.#use))
      return `${arg} ${not}IN ${fillTemplate(this.#dialect.arrayValues, [placeholder])}`
    }
    const anyOf = this.#dialect.foreign?.anyOf
    if (anyOf !== undefined && expr.values.length >= anyOf.from) {
      const texts = expr.values.filter((value) => typeof value === 'string')
      if (texts.length === expr.values.length && expr.isEnum !== true) {
        const position = this.parameters.add(anyOf.text(texts), this.#use)
        const any = `${arg} = ANY(${anyOf.bind(position)})`
        return expr.isNegated ? `NOT (${any})` : any
      }
    }
    const placeholders = expr.values.map(
      (value) =>
        (expr.isEnum === true ? this.#enumValue(value) : undefined) ??
        this.#place(this.parameters.add(value, this.#use)),
    )
    return `${arg} ${not}IN (${placeholders.join(', ')})`
  }

  #call(spellings: Dialect['functions'], name: string, args: readonly SqlExpr[], indent: string): string {
    const spelling = spellings[name]
    invariant(spelling !== undefined, `the dialect ${this.#dialect.name} has no ${name}`)
    return fillTemplate(
      spelling,
      args.map((arg, i) => (isArgument(spelling.text, i) ? this.expr(arg, indent) : this.#operand(arg, indent))),
    )
  }

  #over({ call, partitionBy, orderBy, frame }: SqlWindow, indent: string): string {
    const parts: string[] = []
    if (partitionBy.length > 0)
      parts.push(`PARTITION BY ${partitionBy.map((key) => this.expr(key, indent)).join(', ')}`)
    else if (call.name === 'row-number' && this.#dialect.numbersNothing === true) parts.push('PARTITION BY 1')
    if (orderBy.length > 0) parts.push(`ORDER BY ${this.#orderTerms(orderBy, indent)}`)
    if (frame !== 'none') {
      parts.push(`ROWS BETWEEN UNBOUNDED PRECEDING AND ${frame === 'running' ? 'CURRENT ROW' : 'UNBOUNDED FOLLOWING'}`)
    }
    return ` OVER (${parts.join(' ')})`
  }

  /**
   * Writes an aggregate call. `over` writes the OVER clause of a window, which a template with several calls gets after
   * each of them.
   */
  #aggregate(expr: SqlAggregate, indent: string, over = (): string => ''): string {
    const spelling = this.#dialect.aggregates[expr.name]
    invariant(spelling !== undefined, `the dialect ${this.#dialect.name} has no aggregate ${expr.name}`)
    const use = this.#names.ofCall(expr.name, expr.args)
    const args = expr.args.map((arg) => this.#within(use, () => this.expr(arg, indent)))
    const order = expr.orderBy.length === 0 ? '' : ` ORDER BY ${this.#orderTerms(expr.orderBy, indent)}`
    const inside = `${expr.isDistinct ? 'DISTINCT ' : ''}${args.join(', ')}${order}`
    const calls = spelling.text
      .split('{over}')
      .map((text) => fillTemplate(template(text), text.includes('{*}') ? [inside] : args))
    if (calls.length > 1) return calls.join(over())
    const filter = expr.filter === undefined ? '' : ` FILTER (WHERE ${this.expr(expr.filter, indent)})`
    return `${calls.join('')}${filter}${over()}`
  }
}

/** Joins parts of SQL by commas, in lines of limited length. */
function filled(parts: readonly string[], indent: string): string {
  let text = ''
  let length = 0
  for (const [i, part] of parts.entries()) {
    const isNext = length + part.length <= LINE_CHARS || i === 0
    text += i === 0 ? part : isNext ? `, ${part}` : `,\n${indent}  ${part}`
    length = (isNext ? length + 2 : 0) + part.length
  }
  return text
}

/**
 * True if argument `n` of a template always stands between commas or parentheses, so that it needs no parentheses of
 * its own.
 */
function isArgument(spelling: string, n: number): boolean {
  const mark = `{${n}}`
  const segments = spelling.replaceAll('{*}', mark).split(mark)
  return segments.every(
    (text, i) => (i === 0 || /^(?:\)|,)/.test(text)) && (i === segments.length - 1 || /(?:\w\(|, )$/.test(text)),
  )
}

/** True if a piece of SQL is exactly one call: a name followed by arguments in parentheses. */
function isOneCall(text: string): boolean {
  if (!/^\w+\(.*\)$/s.test(text)) return false
  let depth = 0
  for (let at = 0; at < text.length - 1; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return false
  }
  return true
}

/** True if a JSON array can hold the value exactly: a string, or a whole number of at most 2^53. */
function fitsJson(value: SqlValue): boolean {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value))
  return typeof value === 'string' && !value.includes('\0')
}

function isAtomic(expr: SqlExpr): boolean {
  switch (expr.kind) {
    case 'column':
    case 'bound':
    case 'program':
    case 'constant':
    case 'aggregate':
    case 'case':
    case 'scalar-select':
      return true
    case 'call':
      return expr.name.startsWith('host-') || expr.name === 'null-if-empty' || expr.name === 'lower-ascii'
    case 'guard':
      return isAtomic(expr.condition)
    default:
      return false
  }
}

/**
 * Writes a statement with its parameters. Everything that a user wrote is a parameter; names come from an allow-list.
 * `undefined` if the statement needs more parameters than the database supports.
 */
export function renderSql(query: Query, dialect: Dialect): RenderedSql | undefined {
  for (const arrayFrom of [dialect.arrayFrom, 2]) {
    const renderer = new Renderer(dialect, arrayFrom)
    const text = renderer.query(query, '')
    const parameters = renderer.parameters.list
    if (parameters.length <= dialect.maxParameters) return { text, parameters }
  }
  return undefined
}
