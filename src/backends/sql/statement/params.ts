import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { SqlBound } from './ast.ts'
import type { Program } from './programs.ts'
import { MAX_PARAMETER_NAME_CHARS } from '../tuning.ts'

/**
 * A parameter: a value, or the number of a host function's program. Its `name` is unique in the statement and a valid
 * identifier in every database. Names derive from columns and uses, never from what a user wrote.
 */
export type SqlParameter =
  | { readonly kind: 'value'; readonly name: string; readonly value: SqlValue }
  | { readonly kind: 'program'; readonly name: string; readonly program: Program }

/** Converts a column name to a part of a parameter name: lower-case, and valid without quotes in every database. */
export function plainName(text: string): string {
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  const plain = words.replaceAll(/[^a-z\d]+/g, '_').replaceAll(/^[_\d]+|_+$/g, '')
  return plain.slice(0, MAX_PARAMETER_NAME_CHARS)
}

/** Collects the parameters of a statement while it is written. Positions count from 1. */
export class StatementParameters {
  readonly list: SqlParameter[] = []
  readonly #taken = new Set<string>()
  readonly #last = new Map<string, number>()
  readonly #keys = new Map<string, number>()
  readonly #known = new Map<Program | SqlBound, number>()

  /**
   * Adds a value and returns its position. All uses of one tree node get the same position, since SQLite treats
   * expressions as equal only if their parameters are equal.
   */
  addBound(expr: SqlBound, name: string): number {
    const known = this.#known.get(expr)
    if (known !== undefined) return known
    const position = this.add(expr.value, name)
    this.#known.set(expr, position)
    return position
  }

  /**
   * Adds the name of a member of a column and returns its position. All uses of the name share one position, so that
   * the database recognizes equal expressions in groups and results.
   */
  addKey(key: string, name: string): number {
    const known = this.#keys.get(key) ?? this.add(key, name)
    this.#keys.set(key, known)
    return known
  }

  add(value: SqlValue, name: string): number {
    return this.list.push({ kind: 'value', name: this.#free(name), value })
  }

  addProgram(program: Program): number {
    const known = this.#known.get(program)
    if (known !== undefined) return known
    const position = this.list.push({ kind: 'program', name: this.#free(`host_${plainName(program.kind)}`), program })
    this.#known.set(program, position)
    return position
  }

  #free(name: string): string {
    let count = this.#last.get(name) ?? 0
    let free: string
    do free = ++count === 1 ? name : `${name}_${count}`
    while (this.#taken.has(free))
    this.#last.set(name, count)
    this.#taken.add(free)
    return free
  }
}
