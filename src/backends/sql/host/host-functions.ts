import { invariant, oncePer, present, valueMeter, type Meter } from '../../../base/index.ts'
import { Instant, compileTest, float, integer, nearestFloat, toText, type Value } from '../../../data/index.ts'
import { meteredValue, type Accumulator, type Functions } from '../../../functions/index.ts'
import { testsField, matchesField } from '../../../plan/index.ts'
import {
  decodeValue,
  encodeGroupKey,
  encodeValue,
  restFields,
  restValue,
  type SqlValue,
  type SqliteConnection,
} from '../../../store/sqlite/index.ts'
import { compileExpr } from './evaluate.ts'
import { memberOfJson, nativeBool, nativeValue, restOfJson, unixNs } from './foreign-values.ts'
import { groupOrderKey, sortKey } from './order-key.ts'
import type { Form, Program } from '../statement/programs.ts'

/** The result of an aggregate over no rows; no encoded value equals it. */
const NO_ROWS = Buffer.from([0x4d])

function readForm(value: SqlValue, form: Form): Value {
  if (value === null) return null
  switch (form) {
    case 'time':
      // SQLite may pass the value of an equality condition instead of the column's value, so the type is checked.
      return typeof value === 'bigint' ? new Instant(value) : null
    case 'bool':
      return Number(value) !== 0
    default:
      return decodeValue(value)
  }
}

function writeForm(value: Value, form: Form): SqlValue {
  if (form === 'bool') return value === true ? 1 : 0
  if (form === 'time') return value instanceof Instant ? value.ns : null
  return encodeValue(value)
}

type Row = (args: readonly SqlValue[]) => SqlValue

interface Compiled {
  readonly row: Row
  readonly accumulator: () => Accumulator
  /** Computes the result of an aggregate from an accumulator. */
  readonly finish: (accumulator: Accumulator) => Value
  readonly forms: readonly Form[]
  /** The field names of the arguments, for aggregates whose result contains field names. */
  readonly names: readonly string[]
}

function noAccumulator(): never {
  invariant(false, 'this program is not a stats call')
}

function noFinish(): never {
  invariant(false, 'this program is not a stats call')
}

function noRow(): never {
  invariant(false, 'this program is a stats call')
}

function compileProgram(program: Program, functions: Functions, meter: Meter): Compiled {
  switch (program.kind) {
    case 'test': {
      const holds = compileTest(program.test)
      const { form, restKey } = program
      const row: Row =
        restKey === undefined
          ? ([value = null]) => (holds(readForm(value, form)) ? 1 : 0)
          : ([rest]) => (holds(typeof rest === 'string' ? restValue(rest, restKey) : null) ? 1 : 0)
      return {
        row,
        accumulator: noAccumulator,
        finish: noFinish,
        forms: [form],
        names: [],
      }
    }
    case 'expr': {
      const evaluate = compileExpr(program.expr, program.columns, functions)
      const { forms, result } = program
      return {
        row: (args) => writeForm(evaluate(args.map((arg, i) => readForm(arg, present(forms[i])))), result),
        accumulator: noAccumulator,
        finish: noFinish,
        forms,
        names: [],
      }
    }
    case 'any-field': {
      const holds = compileTest(program.test)
      const { hidden } = program
      const isMeant = (name: string): boolean =>
        testsField(program, name) && !hidden.some((pattern) => matchesField(pattern, name))
      const row: Row = ([rest]) => {
        if (typeof rest !== 'string') return 0
        for (const [name, value] of restFields(rest)) if (isMeant(name) && holds(value)) return 1
        return 0
      }
      return { row, accumulator: noAccumulator, finish: noFinish, forms: [], names: [] }
    }
    case 'rest':
      return { row: restOfJson(program), accumulator: noAccumulator, finish: noFinish, forms: [], names: [] }
    case 'member':
      return { row: memberOfJson(program.path), accumulator: noAccumulator, finish: noFinish, forms: [], names: [] }
    case 'stats': {
      const { call, argNames, orderDirections, context, forms } = program
      const definition = functions.stats.get(call.fn)
      invariant(definition !== undefined, `there is no stats function ${call.fn}`)
      const accumulator = (): Accumulator =>
        definition.accumulator({ params: call.params, limit: call.limit, argNames, orderDirections, context, meter })
      const finish = (accumulator: Accumulator): Value => meteredValue(accumulator.finish(), meter, call.fn)
      return { row: noRow, finish, accumulator, forms, names: argNames }
    }
  }
}

interface StatsState {
  accumulator: Accumulator | undefined
  compiled: Compiled | undefined
}

/**
 * The host functions of one connection: code of Sluice that SQL statements call. `add` registers a `Program`, which
 * says what to compute, and returns its number; statements pass this number. All functions except the checkpoint are
 * pure.
 */
class HostFunctions {
  readonly #programs = new Map<number, Compiled>()
  #next = 1
  /** The limits of the running statement, which interruptible statements check regularly. */
  meter: Meter = valueMeter()

  constructor(connection: SqliteConnection) {
    this.#register(connection)
  }

  add(program: Program, functions: Functions): number {
    const id = this.#next++
    this.#programs.set(id, compileProgram(program, functions, this.meter))
    return id
  }

  remove(id: number): void {
    this.#programs.delete(id)
  }

  #program(id: SqlValue): Compiled {
    const found = this.#programs.get(Number(id))
    invariant(found !== undefined, 'a statement calls a program that was removed')
    return found
  }

  #register(connection: SqliteConnection): void {
    const pure = { deterministic: true, varargs: true, safeIntegers: true, directOnly: true }
    const define = (name: string, body: (...args: SqlValue[]) => SqlValue): void => {
      connection.function(name, pure, body)
    }
    const runProgram = (id: SqlValue, ...args: SqlValue[]): SqlValue => this.#program(id).row(args)
    define('sluice_test', runProgram)
    define('sluice_expr', runProgram)
    define('sluice_any_field', runProgram)
    define('sluice_rest', runProgram)
    define('sluice_member', runProgram)
    define('sluice_native', nativeValue)
    define('sluice_bool', nativeBool)
    define('sluice_unix', (value, unit) => unixNs(value, String(unit)))
    define('sluice_field', (rest, key) => (typeof rest === 'string' ? encodeValue(restValue(rest, String(key))) : null))
    define('sluice_sort_key', (value) => sortKey(decodeValue(value)))
    define('sluice_sort_key_desc', (value) => sortKey(decodeValue(value), 'desc'))
    define('sluice_group_order', (value) => groupOrderKey(decodeValue(value)))
    define('sluice_group_key', (value) => encodeGroupKey(decodeValue(value)))
    define('sluice_join_key', (value) => encodeGroupKey(toText(decodeValue(value))))
    define('sluice_time', (timeNs) => encodeValue(readForm(timeNs, 'time')))
    define('sluice_exact_sum', (count, ...parts) => encodeValue(Number(count) === 0 ? NaN : exactSum(parts)))
    define('sluice_exact_mean', (count, ...parts) => {
      if (Number(count) === 0) return encodeValue(NaN)
      return encodeValue(float(nearestFloat(scaledSum(parts), (count as bigint) << LIMB_BITS)))
    })
    define('sluice_final', (id, value) => {
      const isEmpty = value instanceof Uint8Array && value.length === 1 && value[0] === NO_ROWS[0]
      const program = this.#program(id)
      return isEmpty ? encodeStat(program, program.accumulator()) : value
    })
    connection.function('sluice_check', { directOnly: true }, () => {
      this.meter.checkpoint()
      return 1
    })
    let ticks = 0
    connection.function('sluice_tick', { directOnly: true, varargs: true }, () => {
      if ((++ticks & 1023) === 0) this.meter.checkpoint()
      return 1
    })
    connection.aggregate<StatsState>('sluice_stats', {
      ...pure,
      start: () => ({ accumulator: undefined, compiled: undefined }),
      step: (state, id, ...args) => {
        const compiled = (state.compiled ??= this.#program(id))
        state.accumulator ??= compiled.accumulator()
        const values = args.map((arg, i) => readForm(arg, present(compiled.forms[i])))
        state.accumulator.add(values, compiled.names)
      },
      // SQLite requires an inverse for window functions, but never calls it, since Sluice's windows never shrink.
      inverse: () => {
        invariant(false, 'a window over host aggregates does not shrink')
      },
      result: ({ accumulator, compiled }) =>
        accumulator === undefined || compiled === undefined ? NO_ROWS : encodeStat(compiled, accumulator),
    })
  }
}

export type { HostFunctions }

/** Returns the host functions of a connection, which the first call registers. */
export const hostFunctionsOf: (connection: SqliteConnection) => HostFunctions = oncePer(
  (connection) => new HostFunctions(connection),
)

const LIMB_BITS = 72n

/**
 * Returns 2^72 times the total of an exact sum's three parts: whole numbers, and two parts of 36 fraction bits each.
 */
function scaledSum([whole, first, second]: readonly SqlValue[]): bigint {
  return ((whole as bigint) << 72n) + ((first as bigint) << 36n) + (second as bigint)
}

function exactSum(parts: readonly SqlValue[]): number | bigint {
  const [whole, first, second] = parts
  if (first === 0n && second === 0n) return integer(whole as bigint)
  return float(nearestFloat(scaledSum(parts), 1n << LIMB_BITS))
}

function encodeStat(compiled: Compiled, accumulator: Accumulator): SqlValue {
  const value = compiled.finish(accumulator)
  return encodeValue(typeof value === 'number' ? float(value) : value)
}
