import type { SqlValue } from '../../../store/sqlite/index.ts'
import type { SqlBound } from './ast.ts'
import type { Program } from './programs.ts'
import { MAX_PARAMETER_NAME_CHARS } from '../tuning.ts'

/**
 * A value, or host code that is bound as its number. `name` is unique within its statement, and an identifier anywhere: made
 * of the column that it is compared with and of what it is for, never of what a user wrote.
 */
export type SqlParameter =
  | { readonly kind: 'value'; readonly name: string; readonly value: SqlValue }
  | { readonly kind: 'program'; readonly name: string; readonly program: Program }

/** A name of a column as a part of names that every database takes without quotes, in lower case. */
export function plainName(text: string): string {
  const words = text.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()
  const plain = words.replaceAll(/[^a-z\d]+/g, '_').replaceAll(/^[_\d]+|_+$/g, '')
  return plain.slice(0, MAX_PARAMETER_NAME_CHARS)
}

/** Collects parameters while a statement is rendered; positions count from 1. */
export class Parameters {
  readonly list: SqlParameter[] = []
  readonly #taken = new Set<string>()
  readonly #last = new Map<string, number>()
  readonly #keys = new Map<string, number>()
  readonly #known = new Map<Program | SqlBound, number>()

  /** One position per use in the tree: SQLite sees that two expressions are the same only when their parameters are. */
  addBound(expr: SqlBound, name: string): number {
    const known = this.#known.get(expr)
    if (known !== undefined) return known
    const position = this.add(expr.value, name)
    this.#known.set(expr, position)
    return position
  }

  /** One position for all uses of a name inside a column, so that what is grouped is seen to be what is given. */
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
