import type { SqlValue } from '../../store/sqlite/index.ts'
import type { Program } from './programs.ts'

/** A value, or host code that is bound as its number. */
export type SqlParameter =
  | { readonly kind: 'value'; readonly value: SqlValue }
  | { readonly kind: 'program'; readonly program: Program }

/** Collects parameters while a statement is rendered; positions count from 1. */
export class Parameters {
  readonly list: SqlParameter[] = []
  readonly #programs = new Map<Program, number>()

  add(value: SqlValue): number {
    return this.list.push({ kind: 'value', value })
  }

  /** One position per program: SQLite sees that two calls are the same only when their parameters are. */
  addProgram(program: Program): number {
    const known = this.#programs.get(program)
    if (known !== undefined) return known
    const position = this.list.push({ kind: 'program', program })
    this.#programs.set(program, position)
    return position
  }
}
