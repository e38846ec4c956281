import { invariant } from '../../../base/index.ts'
import {
  bucketValue,
  columnOfValues,
  constantColumn,
  hasBit,
  rowsOfBitmap,
  setBit,
  valueAt,
  type Column,
  type Schema,
  type Value,
  type ValueTest,
} from '../../../data/index.ts'
import type { Functions } from '../../../functions/index.ts'
import type { Call, Case, Expr, Test } from '../../../plan/index.ts'
import type { Frame } from '../frame.ts'
import { anyField } from './any-field.ts'
import { bucketTimes } from './bucket-times.ts'
import { mapColumn, mapColumns, mapRows } from './map-column.ts'
import { narrowRows } from './mask.ts'
import { conjunction, disjunction, everything, fullMask, negation, nothing, type Predicate } from './predicate.ts'
import { Counters } from './counters.ts'
import { FieldTest } from './field-test.ts'
import { ColumnTest } from './test-column.ts'
import { wholeAnyField, wholeColumn, wholeFieldTest } from './whole-row.ts'

/** Computes an expression for every row of a frame. */
export type Evaluate = (frame: Frame) => Column

/** Compiles expressions to functions over frames. */
export class ExprCompiler {
  /** Counters of the data that this query's tests read. */
  readonly counters: Counters
  readonly #functions: Functions
  /**
   * Fields that always have a column. Set only by `ofWholeRows`, whose compilers look up all other fields in the rows
   * too.
   */
  readonly #declared: ReadonlySet<string> | undefined

  constructor(functions: Functions, counters: Counters = new Counters(), declared?: ReadonlySet<string>) {
    this.#functions = functions
    this.counters = counters
    this.#declared = declared
  }

  /**
   * Returns a compiler whose expressions also see fields without a column, which occur once the table has reached its
   * limit of columns. Guards and deletions need it: their result must not depend on when a field name first occurred.
   */
  ofWholeRows({ fields }: Schema): ExprCompiler {
    return new ExprCompiler(this.#functions, this.counters, new Set(fields.map(({ name }) => name)))
  }

  #isWhole(name: string): boolean {
    return this.#declared === undefined || this.#declared.has(name)
  }

  expr(expr: Expr): Evaluate {
    switch (expr.kind) {
      case 'column':
        return this.#isWhole(expr.name) ? (frame) => frame.column(expr.name) : (frame) => wholeColumn(frame, expr.name)
      case 'literal':
        return (frame) => constantColumn(expr.value, frame.rowCount)
      case 'call':
        return this.#call(expr)
      case 'case':
        return this.#case(expr)
      case 'bucket': {
        const arg = this.expr(expr.arg)
        return (frame) => {
          const column = arg(frame)
          return bucketTimes(column, expr.bucket) ?? mapColumn(column, (value) => bucketValue(value, expr.bucket))
        }
      }
      case 'and':
      case 'or':
      case 'not':
      case 'test':
      case 'any-field': {
        const predicate = this.predicate(expr)
        return (frame) => {
          const mask = fullMask(frame)
          predicate.narrow(frame, mask)
          return columnOfValues(Array.from({ length: frame.rowCount }, (_, row) => hasBit(mask, row)))
        }
      }
      case 'columns':
      case 'field-filter':
      case 'implicit-and':
      case 'stream-filter':
      case 'in-subquery':
        invariant(false, `${expr.kind} has no value of its own in a backend`)
    }
  }

  predicate(expr: Expr): Predicate {
    switch (expr.kind) {
      case 'literal':
        return expr.value === true ? everything : nothing
      case 'and':
        return conjunction(expr.args.map((arg) => this.predicate(arg)))
      case 'or':
        return disjunction(expr.args.map((arg) => this.predicate(arg)))
      case 'not':
        return negation(this.predicate(expr.arg))
      case 'test':
        return expr.arg.kind === 'column' ? this.#fieldTest(expr.arg.name, expr.test) : this.#valueTest(expr)
      case 'any-field': {
        const ofColumns = anyField(expr, this.counters)
        return this.#declared === undefined ? ofColumns : wholeAnyField(expr, ofColumns)
      }
      default: {
        const evaluate = this.expr(expr)
        return {
          narrow: (frame, mask) => {
            // Computes the expression only for the rows whose bits are still set.
            const rows = rowsOfBitmap(mask)
            const column = evaluate(rows.length === frame.rowCount ? frame : frame.take(rows))
            mask.fill(0)
            for (let i = 0; i < rows.length; i++) if (valueAt(column, i) === true) setBit(mask, rows[i])
          },
          cost: () => 200,
        }
      }
    }
  }

  #fieldTest(name: string, test: ValueTest): Predicate {
    const ofColumn = new FieldTest(name, test, this.counters)
    return this.#isWhole(name) ? ofColumn : wholeFieldTest(name, test, ofColumn)
  }

  #valueTest(expr: Test): Predicate {
    const test = new ColumnTest(expr.test, this.counters)
    const evaluate = this.expr(expr.arg)
    return {
      narrow: (frame, mask) => {
        const rows = rowsOfBitmap(mask)
        const some = rows.length === frame.rowCount ? frame : frame.take(rows)
        const part = fullMask(some)
        test.narrow(evaluate(some), part)
        mask.fill(0)
        for (let i = 0; i < rows.length; i++) if (hasBit(part, i)) setBit(mask, rows[i])
      },
      cost: () => 200,
    }
  }

  #call(expr: Call): Evaluate {
    const fn = this.#functions.scalar.get(expr.name)
    invariant(fn !== undefined, `no function named ${expr.name}`)
    const args = expr.args.map((arg) => this.expr(arg))
    return (frame) => {
      const columns = args.map((arg) => arg(frame))
      const map = fn.volatility === 'per-row' ? mapRows : mapColumns
      return map(columns, frame.rowCount, fn.evaluate)
    }
  }

  #case(expr: Case): Evaluate {
    const branches = expr.branches.map((b) => ({ when: this.predicate(b.when), value: this.expr(b.value) }))
    const otherwise = this.expr(expr.otherwise)
    return (frame) => {
      const values: Value[] = Array<Value>(frame.rowCount)
      const rest = fullMask(frame)
      for (const branch of branches) {
        const chosen = rest.slice()
        branch.when.narrow(frame, chosen)
        const column = branch.value(frame)
        narrowRows(chosen, (row) => {
          values[row] = valueAt(column, row)
          return true
        })
        for (let i = 0; i < rest.length; i++) rest[i] &= ~chosen[i]
      }
      const column = otherwise(frame)
      narrowRows(rest, (row) => {
        values[row] = valueAt(column, row)
        return true
      })
      return columnOfValues(values)
    }
  }
}
