import type { SqlValue } from '../../store/sqlite/index.ts'
import type { SqlBound } from './ast.ts'
import type { Program } from './programs.ts'

/** A value, or host code that is bound as its number. */
export type SqlParameter =
  | { readonly kind: 'value'; readonly value: SqlValue }
  | { readonly kind: 'program'; readonly program: Program }

/** Collects parameters while a statement is rendered; positions count from 1. */
export class Parameters {
  readonly list: SqlParameter[] = []
  readonly #names = new Map<string, number>()
  readonly #known = new Map<Program | SqlBound, number>()

  /** One position per use in the tree: SQLite sees that two expressions are the same only when their parameters are. */
  addBound(expr: SqlBound): number {
    const known = this.#known.get(expr)
    if (known !== undefined) return known
    const position = this.add(expr.value)
    this.#known.set(expr, position)
    return position
  }

  /** One position for all uses of a name inside a column, so that what is grouped is seen to be what is given. */
  addName(name: string): number {
    const known = this.#names.get(name) ?? this.add(name)
    this.#names.set(name, known)
    return known
  }

  add(value: SqlValue): number {
    return this.list.push({ kind: 'value', value })
  }

  addProgram(program: Program): number {
    const known = this.#known.get(program)
    if (known !== undefined) return known
    const position = this.list.push({ kind: 'program', program })
    this.#known.set(program, position)
    return position
  }
}
