import type { Select, Source, SqlCompareOp, SqlExpr } from './ast.ts'
import { plainName } from './params.ts'
import { children } from './walk.ts'

/**
 * Suffix of a parameter's name, by the function that uses the value. The name of the compared column precedes the
 * suffix.
 */
const ofCalls: Readonly<Record<string, string>> = {
  'contains-text': 'part',
  'starts-with': 'start',
  matches: 'pattern',
  'matches-folded': 'pattern',
  'may-rank': 'pattern',
  like: 'pattern',
  'like-folded': 'pattern',
  glob: 'pattern',
  'has-words': 'words',
  plus: 'shift',
  subtract: 'shift',
  'floor-time': 'width',
  'host-field': 'key',
  'host-unix': 'unit',
  modulo: 'divisor',
  'joined-texts': 'label',
  QUANTILE: 'quantile',
  'QUANTILE-FLOAT': 'quantile',
}

const ofComparisons: Partial<Record<SqlCompareOp, string>> = { '>': 'above', '>=': 'from', '<': 'below', '<=': 'to' }
const mirrored: Partial<Record<SqlCompareOp, SqlCompareOp>> = { '>': '<', '>=': '<=', '<': '>', '<=': '>=' }

function joinWords(...words: readonly (string | undefined)[]): string {
  return words.filter((word) => word !== undefined && word !== '').join('_')
}

/** Chooses names for the parameters of one statement, by the columns and functions with which each is used. */
export class ParameterNames {
  readonly #derived = new Map<string, Select>()

  /**
   * Records the sources of a SELECT, so that aliases can be resolved. Must be called before parameters in the SELECT
   * are named.
   */
  enter({ from }: Select): void {
    this.#note(from)
  }

  #note(source: Source): void {
    if (source.kind === 'join') {
      this.#note(source.left)
      this.#note(source.right)
    } else if (source.kind === 'select') {
      const { query } = source
      const first = query.kind === 'select' ? query : query.selects[0]
      if (first === undefined) return
      this.#derived.set(source.alias, first)
      this.enter(first)
    }
  }

  ofCompare(left: SqlExpr, op: SqlCompareOp, right: SqlExpr): string | undefined {
    const isMirrored = left.kind === 'bound'
    const subject = this.#subject(isMirrored ? right : left) ?? this.#subject(isMirrored ? left : right)
    const use = ofComparisons[isMirrored ? (mirrored[op] ?? op) : op]
    return subject === undefined && use === undefined ? undefined : joinWords(subject ?? 'value', use)
  }

  ofList(arg: SqlExpr): string | undefined {
    return this.#subject(arg)
  }

  ofCall(name: string, args: readonly SqlExpr[]): string | undefined {
    // A word search applies to the whole table, so its parameter cannot be named after a column.
    if (name === 'matches-words') return 'words'
    const use = ofCalls[name]
    return use === undefined ? undefined : joinWords(this.#subjectOf(args), use)
  }

  /** Returns the name of a parameter whose value is the name of a member of a column. */
  ofKey(column: string): string {
    return joinWords(plainName(column), 'key')
  }

  #subjectOf(exprs: readonly SqlExpr[]): string | undefined {
    for (const expr of exprs) {
      const found = this.#subject(expr)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Returns the name of the first table column that an expression reads. */
  #subject(expr: SqlExpr): string | undefined {
    if (expr.kind === 'column') {
      const select = this.#derived.get(expr.source)
      if (select === undefined) return plainName(expr.column) || undefined
      const made = select.columns.find(({ name }) => name === expr.column)
      return made === undefined ? undefined : this.#subject(made.expr)
    }
    if (expr.kind === 'aggregate' && expr.name === 'COUNT') return expr.name.toLowerCase()
    if (expr.kind === 'window' && expr.call.name === 'row-number') return 'row'
    return this.#subjectOf(children(expr).exprs)
  }
}
